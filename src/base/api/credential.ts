/**
 * What is a credential, in live traffic, HARs and recordings alike; the recorded form of an `Authorization` header; and the
 * names of the headers whose values are not recorded.
 */
import { decoded, isReadable, SANDBOX_PREFIX } from '../address.ts';

/** What a key begins with, and a handle. */
export const KEY_PREFIX = 'petsbx_';
export const HANDLE_PREFIX = 'petsbh_';
export const PREFIXES: readonly string[] = [KEY_PREFIX, HANDLE_PREFIX];

/** Text with the shape of a key or a handle anywhere, including a mistyped one and the beginning of one. */
export const KEY_SHAPE = new RegExp(`(?:${PREFIXES.join('|')})\\w+`, 'gi');

const OF_SERVER = new RegExp(`^(?:${[SANDBOX_PREFIX, ...PREFIXES].join('|')})([a-z0-9]{1,8})_`);

/** The server that the id of a sandbox, a key or a handle names; `undefined` if it names none. */
export const serverOf = (idOrKey: string): string | undefined => OF_SERVER.exec(idOrKey)?.[1];

/** What stands in place of a secret wherever texts are shown. */
export const HIDDEN = '[key]';

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
  ...['(?:client[_-]?)?secret', 'password', 'passwd', 'pwd', 'session(?:[_-]?id)?', 'auth(?:orization)?'],
  ...['access[_-]?key', '(?:x-amz-)?signature', 'sig'],
].join('|');

/** Whether the value of a header is a credential. @param name in small letters */
export const isCredentialHeader = (name: string): boolean => IN_HEADERS.has(name);

/** The header of a request in which a key came that only `Authorization` can carry: `X-Api-Key`; `undefined` for none. */
export const keyHeaderIn = (headers: Readonly<Record<string, unknown>>): string | undefined =>
  KEY_HEADERS.find((name) => headers[name] !== undefined)?.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase());

/** Whether the value of a query parameter is a credential. */
export const isCredentialParameter = (name: string): boolean => CREDENTIAL_NAME.test(name);
/** The names of such parameters. */
export const CREDENTIAL_NAME = new RegExp(`^(?:${IN_QUERY})$`, 'i');

/** What stands in each of their names, or in an encoded one: most targets have none, and are not taken apart. */
const MAY_NAME_ONE = /%|key|token|jwt|secret|pass|pwd|session|auth|sig/i;

/** The name and password before the host of a target that has one, as that of CONNECT. A path begins with one slash. */
const USER_INFO = /^((?:[a-z][a-z\d+.-]*:)?\/\/)?[^/?#]+@/i;

/** A target or query in which the values of credentials are replaced. An unreadable one stays unreadable. */
export function withoutCredentials(sent: string): string {
  const target = sent.replace(USER_INFO, `$1${HIDDEN}@`);
  if (!MAY_NAME_ONE.test(target)) return target;
  let shown = '';
  let at = 0;
  for (const { 0: before, 1: name = '', index } of target.matchAll(NAME)) {
    if (index < at || !isCredentialParameter(bareName(name))) continue;
    const start = index + before.length;
    const end = target.indexOf('&', start);
    const secret = target.slice(start, end < 0 ? undefined : end);
    if (secret === '') continue;
    shown += `${target.slice(at, start)}${HIDDEN}${isReadable(secret) ? '' : '%'}`;
    at = start + secret.length;
  }
  return shown + target.slice(at);
}

/** The name of a pair, whatever separates it from the one before, and with what clients that encode too much make of it. */
const ENCODED_SEPARATOR = /%(?:3f|26|3b|23)/i;
const SEPARATOR = `(?:[?&;#]|${ENCODED_SEPARATOR.source})`;
const NAME = new RegExp(`(?:^|${SEPARATOR})([^?&;=#]{1,100}?)(?:=|%3d)`, 'gi');
const bareName = (name: string): string =>
  decoded(name.split(ENCODED_SEPARATOR).at(-1) as string)
    .replaceAll('+', ' ')
    .trim();

/** Why no recorded request has this target or query; `undefined` without the value of a credential. */
export function whyNotRecorded(wanted: string): string | undefined {
  const recorded = withoutCredentials(wanted);
  if (recorded === wanted) return undefined;
  return `must not have the value of a credential, which is not recorded; to match any, send ${recorded}`;
}

/** A credential in the query of an address within any text, after its name. A shorter one says nothing. */
export const CREDENTIAL_IN_TEXT = new RegExp(
  `(${SEPARATOR}(?:${IN_QUERY})\\+?(?:=|%3d))[^&#\\s"'<>\\\\\\u2026]{5,}`,
  'gi',
);

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
