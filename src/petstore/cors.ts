/** The petstore API allows web pages of any origin: the key is the only credential, and no cookie carries it. */
import type { Request } from 'express';
import type { ResponseData } from '../http/response.ts';

/** Sent with every response under `/v1`, including errors, so that a page can read what went wrong. */
export const OPEN_TO_PAGES: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Sandbox-Request-Id, Link, Sunset, Retry-After',
];

/** The handler of OPTIONS for a path with these methods; it needs no key. */
export function preflight(methods: string): (req: Request) => Promise<ResponseData> {
  const headers = [
    'Allow',
    `${methods}, OPTIONS`,
    'Access-Control-Allow-Methods',
    methods,
    // `*` would not cover Authorization (Fetch standard, "CORS-preflight fetch").
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Accept, Prefer, Sandbox-Fault, Sandbox-Expect, Sandbox-Source',
    'Access-Control-Max-Age',
    '600',
  ];
  return async (req) => {
    req.exchange.headers = OPEN_TO_PAGES;
    return { status: 204, body: '', headers };
  };
}
