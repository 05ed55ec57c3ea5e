/**
 * The petstore API allows web pages of any origin, with `credentials: 'include'` too: the key in `Authorization` is the only
 * credential, and no cookie carries it, so a page gains nothing that it was not given. The control API has its guard.
 */

import type { IncomingMessage } from 'node:http';
import type { RequestParts } from '../http/open-exchange.ts';
import { preflightHeaders } from '../http/preflight.ts';
import type { ResponseData } from '../http/response.ts';

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
