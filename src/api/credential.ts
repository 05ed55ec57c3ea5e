/** What is a credential, in live traffic, HARs and recordings alike; and the recorded form of an `Authorization` header. */

/** What a key begins with, and a handle. */
export const KEY_PREFIX = 'petsbx_';
export const HANDLE_PREFIX = 'petsbh_';
export const PREFIXES: readonly string[] = [KEY_PREFIX, HANDLE_PREFIX];

/** Text with the shape of a key or a handle, anywhere. */
export const KEY_SHAPE = /petsb[xh]_(?:[a-z0-9]{1,8}_)?[0-9A-Za-z]+/g;

/** A credential's placeholder, which passes Prism's check (`Bearer`, whitespace, at least one character). */
const STAND_IN = '…';

const SCHEMES = /^(?:bearer|basic|digest|token|apikey|negotiate)$/i;

/**
 * The header without its secret: `Bearer abc` becomes `Bearer …`, `bearer` stays unchanged. A first word that is not a
 * well-known scheme may itself be the key, sent without a scheme, and is hidden as well: `abc` becomes `…`.
 */
export function withoutCredential(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme = '', space = '', rest = ''] = /^(\S*)(\s*)(.*)$/s.exec(authorization) ?? [];
  const shown = SCHEMES.test(scheme) ? scheme : STAND_IN;
  return rest === '' ? shown : `${shown}${space.charAt(0)}${STAND_IN}`;
}

/** Names of headers in which other APIs take the key of a client, in small letters. */
const KEY_HEADERS = 'x-api-key api-key apikey x-auth-token x-access-token x-authorization'.split(' ');

/** Names of headers whose values are credentials, in small letters. */
const IN_HEADERS = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', ...KEY_HEADERS, 'x-amz-security-token'],
  ...['x-csrf-token', 'x-xsrf-token', 'x-session-id', 'x-session-token'],
]);

/** Names of query parameters and of fields of a form whose values are credentials. */
const IN_QUERY = [
  ...['api[_-]?key', 'x-api-key', '(?:access|auth|id|refresh|session|security|bearer)?[_-]?token', 'key', 'jwt'],
  ...['(?:client[_-]?)?secret', 'password', 'passwd', 'session(?:[_-]?id)?', 'authorization', '(?:x-amz-)?signature'],
].join('|');

/** Whether the value of a header is a credential. @param name in small letters */
export const isCredentialHeader = (name: string): boolean => IN_HEADERS.has(name);

/** The header of a request in which a key came that only `Authorization` can carry: `X-Api-Key`; `undefined` for none. */
export const keyHeaderIn = (headers: Readonly<Record<string, unknown>>): string | undefined =>
  KEY_HEADERS.find((name) => headers[name] !== undefined)?.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase());

/** Whether the value of a query parameter is a credential. */
export const isCredentialParameter = (name: string): boolean => CREDENTIAL_NAME.test(name);
const CREDENTIAL_NAME = new RegExp(`^(?:${IN_QUERY})$`, 'i');

/** Whether a target may have a credential in its query: told faster than by reading its parameters. */
export const mayHaveCredential = (target: string): boolean =>
  target.includes('?') && (target.includes('%') || CREDENTIAL_PARAMETER.test(target));
const CREDENTIAL_PARAMETER = new RegExp(`[?&](?:${IN_QUERY})=`, 'i');

/** The value of a credential in a query, as the group `value`. A shorter one says nothing. */
export const CREDENTIAL_IN_QUERY = new RegExp(`[?&](?:${IN_QUERY})=(?<value>[^&#\\s"'<>\\\\…]{5,})`, 'gi');
