/** What every message on standard error begins with. */
export const PREFIX = 'petstore-sandbox: ';
