/** The address of a target on a server. One without its slash, like `@host/`, must not lead the key to another host. */
export const addressOn = (server: string, target: string): string =>
  target.startsWith('/') ? server + target : `${server}/${target}`;
