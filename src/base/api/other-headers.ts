/** The names of the request headers whose values are not recorded: whether one was sent is what a later specification may ask. */

/** Clients and proxies send these by themselves, or they have a place of their own in the record. */
const USUAL =
  /^(?:(?:accept|content|keep|proxy|sec|x-forwarded)-|(?:accept|authorization|cache-control|connection|date|dnt|expect|forwarded|host|origin|pragma|priority|referer|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|via|x-real-ip)$)/;

const MAX_OTHER_HEADERS = 20;
const MAX_HEADER_NAME = 64;

/** Whether a header is never listed, so that nobody knows whether it was sent. @param name in lower case */
export const isUsualHeader = (name: string): boolean => USUAL.test(name);

/**
 * The other names in lower case, and cookies like `cookie/session`.
 * @param headers name, value, name, value
 * @param shown names in lower case that are recorded with their values
 */
export function otherHeadersIn(headers: readonly string[], shown: ReadonlySet<string>): readonly string[] {
  const names = new Set<string>();
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] as string).toLowerCase();
    if (name === 'cookie')
      for (const [, cookie] of (headers[at + 1] as string).matchAll(/(?:^|;)\s*([^=;\s]+)=/g))
        names.add(`cookie/${cookie}`);
    else if (!shown.has(name) && !isUsualHeader(name)) names.add(name);
  }
  return [...names].filter((name) => name.length <= MAX_HEADER_NAME).slice(0, MAX_OTHER_HEADERS);
}
