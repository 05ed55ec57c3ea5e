/** Requests that HTTP cannot carry: what was wrong with each, and what to send instead. */

import { pathOfTarget, percentEncoded } from '../base/address.ts';
import type { Exchange, MalformedCause } from '../base/api/exchange.ts';
import { operationAt } from '../base/api/specification.ts';
import { basePath } from '../base/generated/facts.ts';

/** What each cause is, as a clause, and what to do. */
export const MALFORMED: Readonly<Record<MalformedCause, readonly [message: string, fix: string]>> = {
  'not-http': [
    'it is not HTTP/1.1 (RFC 9112)',
    'Send the request with an HTTP library, to the address of the API itself and not as to a proxy',
  ],
  'too-large': [
    'its headers or chunk extensions are over 16 KiB',
    'Send fewer or shorter headers, and a shorter address',
  ],
  'too-slow': [
    'the request did not arrive completely in time',
    'Send the headers within 10 s and the whole request within 30 s, with a body as long as `Content-Length` says',
  ],
  'cut-off': [
    'the connection ended before the request was served',
    'Keep the connection open until the response, and open a new one after `Connection: close`',
  ],
  tls: [
    'it is HTTPS on a port for HTTP, or HTTP on a port for HTTPS',
    'Use the address that the server printed, with its `http://` or `https://`',
  ],
};

/** Whether the client broke HTTP; else it is not known what it wanted to send, or whether that would have been valid. */
export const isViolation = ({ malformed }: Exchange): boolean =>
  malformed !== undefined && malformed.cause !== 'cut-off';

/** What was wrong and what to do, as one sentence. */
export const inOneSentence = (message: string, fix: string): string =>
  `${message}; ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`;

/** What to do about a malformed request, as a sentence without its period: `Send /v1/pets?name=M%C3%BCller …`. */
export function malformedFix(method: string, target: string, cause: MalformedCause): string {
  // Nothing can be said of one that was not read, and of `*`.
  const instead = cause === 'not-http' && target.length > 1 ? encodedTarget(target) : undefined;
  if (instead === undefined) return MALFORMED[cause][1];
  const [first] = ODD.exec(target) ?? [];
  const why = first === undefined ? '' : ` (encode ${first === ' ' ? 'a blank' : first} as ${percentEncoded(first)})`;
  return `Send ${method} ${instead} instead of ${method} ${target}${why}`;
}

/** A character that a target cannot have: a blank, a control character, one beyond ASCII, and `"<>\^`{|}`. */
const ODD = /[^!#-;=?-[\]_a-z~]/u;

/** The target with these encoded; `undefined` if nothing of it is to be encoded. */
function encodedTarget(target: string): string | undefined {
  const encoded = target.replaceAll(new RegExp(ODD, 'gu'), percentEncoded);
  const rooted = encoded.startsWith('/') ? encoded : `/${encoded}`;
  if (rooted === target) return undefined;
  // A blank that slipped in between the parts: `/v1/pets ?limit=5`.
  const closed = target.replaceAll(' ', '');
  return operationOfTarget(rooted) === undefined && operationOfTarget(closed) !== undefined ? closed : rooted;
}

function operationOfTarget(target: string) {
  const path = pathOfTarget(target);
  return path.startsWith(basePath) ? operationAt('GET', path.slice(basePath.length)) : undefined;
}
