/**
 * What a browser is told when it asks before a request (Fetch standard, "CORS-preflight fetch"): that it may send it, whatever
 * its method and its headers are. A request that the browser held back would be in no log, and its mistake in no report.
 */
import type { IncomingMessage } from 'node:http';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** `*` would not cover `Authorization`. */
const HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Prefer',
  'Sandbox-Fault',
  'Sandbox-Expect',
  'Sandbox-Source',
];
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** The headers of the response, as name, value, name, value. */
export function preflightHeaders({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const method = String(headers['access-control-request-method'] ?? '');
  // Methods are compared by their case, names of headers are not.
  const methods = TOKEN.test(method) && !METHODS.includes(method) ? [...METHODS, method] : METHODS;
  const known = new Set(HEADERS.map((name) => name.toLowerCase()));
  const names = String(headers['access-control-request-headers'] ?? '').split(',');
  const others = names.map((name) => name.trim()).filter((name) => TOKEN.test(name) && !known.has(name.toLowerCase()));
  return [
    ...['Access-Control-Allow-Methods', methods.join(', ')],
    ...['Access-Control-Allow-Headers', [...HEADERS, ...others].join(', ')],
    ...['Access-Control-Max-Age', '600'],
  ];
}
