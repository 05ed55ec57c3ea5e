/** Ids of requests as a narrow terminal shows them: a server counts its requests at the end of their ids. */

/** `req_…0k`; any other id as it is. */
export const shortId = (id: string): string => id.replace(/^req_\w{9}0*(\w{2,7})$/, 'req_…$1');

/** Whether an id is the one that was shown, whole or short. */
export const isShownAs = (id: string, shown: string): boolean => id === shown || shortId(id) === shown;
