/**
 * The petstore API allows web pages of any origin, with `credentials: 'include'` too: the key in `Authorization` is the only
 * credential, and no cookie carries it, so a page gains nothing that it was not given. The control API has its guard.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestParts } from './open-exchange.ts';
import type { ResponseData } from './response.ts';

const EXPOSED = ['Access-Control-Expose-Headers', 'Sandbox-Request-Id, Link, Sunset, Retry-After'] as const;
const OPEN: readonly string[] = ['Access-Control-Allow-Origin', '*', ...EXPOSED, 'Vary', 'Origin'];

/**
 * Sent with every response under `/v1`, including errors, so that a page can read what went wrong. The origin is repeated:
 * browsers accept no `*` with credentials.
 * @param more headers of every response besides, as name, value, name, value
 */
export function openToPages(
  more: readonly string[] = [],
): (req: Pick<IncomingMessage, 'headers'>) => readonly string[] {
  const toAll = [...OPEN, ...more];
  return ({ headers: { origin } }) => {
    if (origin === undefined || !/^[\x21-\x7e]{1,300}$/.test(origin)) return toAll;
    const allowed = ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true'];
    return [...allowed, ...EXPOSED, 'Vary', 'Origin', ...more];
  };
}

/** The response to OPTIONS for a path with these methods; it needs no key. */
export const preflight = (req: RequestParts, methods: string): ResponseData => ({
  status: 204,
  body: '',
  headers: ['Allow', `${methods}, OPTIONS`, ...preflightHeaders(req)],
});

/**
 * What a browser is told when it asks before a request (Fetch standard, "CORS-preflight fetch"): that it may send it, whatever
 * its method and its headers are. A request that the browser held back would be in no log, and its mistake in no report.
 */
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
