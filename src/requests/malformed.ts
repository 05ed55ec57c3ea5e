/** Requests that HTTP cannot carry: what was wrong with each, and what to send instead. */

import type { Exchange, MalformedCause } from '../api/exchange.ts';
import { operationAt } from '../api/specification.ts';
import { pathOfTarget, percentEncoded } from '../core/address.ts';
import { basePath } from '../generated/facts.ts';

/** What each cause is, as a clause, and what to do. */
export const MALFORMED: Readonly<Record<MalformedCause, readonly [message: string, fix: string]>> = {
  target: [
    'the target has characters that must be percent-encoded',
    'Build addresses with a URL library, and encode each value of a path or a query',
  ],
  method: [
    'it does not begin with a method of HTTP',
    'Send the method in capital letters, the target and the version: `GET /v1/pets HTTP/1.1`',
  ],
  version: ['its version of HTTP is not 1.1 or 1.0', 'Send `HTTP/1.1` after the target'],
  http2: ['it is HTTP/2, which is not served here', 'Let the client speak HTTP/1.1'],
  tls: ['it is the beginning of TLS, and this port speaks plain HTTP', 'Use an address with `http://` here'],
  plain: ['it is plain HTTP, and this port speaks HTTPS', 'Use an address with `https://` here'],
  header: [
    'a header is not of the form `Name: value`',
    'Send names of letters, digits and hyphens directly before the colon, and values without line breaks and control characters',
  ],
  'head-too-large': ['the head of the request is over 16 KiB', 'Send fewer or shorter headers, and a shorter address'],
  framing: [
    'its length is not one number',
    'Let the HTTP library set `Content-Length` or `Transfer-Encoding: chunked`: one of them, once',
  ],
  'too-large-chunks': ['the chunk extensions are over 16 KiB', 'Leave the chunk extensions out'],
  chunks: [
    'a chunk of the body is malformed',
    'Send each chunk with its length in hexadecimal digits, and a last one of 0',
  ],
  expectation: ['it expects something other than `100-continue`', 'Leave `Expect` out, or send `Expect: 100-continue`'],
  connect: [
    'CONNECT asks for a tunnel, which is not possible here',
    'Configure the address as the base of the API, and not as a proxy',
  ],
  timeout: [
    'the request did not arrive completely in time',
    'Send the headers within 10 s and the whole request within 30 s, with a body as long as `Content-Length` says',
  ],
  'server-busy': [
    'the server did not read the whole request in time, because other large ones came first',
    'Send it again, with fewer large requests at once',
  ],
  form: ['it does not follow RFC 9112', 'Send what the message names as RFC 9112 has it'],
  'cut-off': ['the connection ended before the request was complete', 'Keep the connection open until the response'],
  'not-served': [
    'it came behind a request whose response ended the connection, and was not served',
    'Open a new connection after a response with `Connection: close`',
  ],
  other: ['it is not HTTP/1.1', 'Send the request with an HTTP library'],
};

/** Whether the client broke HTTP; else it is not known what it wanted to send, or whether that would have been valid. */
export const isViolation = ({ malformed }: Exchange): boolean =>
  malformed !== undefined && !UNKNOWN.has(malformed.cause);

const UNKNOWN: ReadonlySet<MalformedCause> = new Set(['server-busy', 'cut-off', 'not-served']);

/** What was wrong and what to do, as one sentence. */
export const inOneSentence = (message: string, fix: string): string =>
  `${message}; ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`;

/** What to do about a malformed request, as a sentence without its period: `Send /v1/pets?name=M%C3%BCller …`. */
export function malformedFix(method: string, target: string, cause: MalformedCause): string {
  const instead = encodedTarget(target);
  if (cause !== 'target' || instead === undefined) return MALFORMED[cause][1];
  const [first] = ODD.exec(target) ?? [];
  const why = first === undefined ? '' : ` (encode ${first === ' ' ? 'a blank' : first} as ${percentEncoded(first)})`;
  return `Send ${method} ${instead} instead of ${method} ${target}${why}`;
}

/** A character that a target cannot have: a blank, a control character, one beyond ASCII, and `"<>\^`{|}`. */
const ODD = /[^!#-;=?-[\]_a-z~]/u;

/** The target with these encoded; `undefined` if nothing of it is to be encoded. */
export function encodedTarget(target: string): string | undefined {
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
