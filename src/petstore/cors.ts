/** The petstore API allows web pages of any origin: the key is the only credential, and no cookie carries it. */
import type { RequestHandler } from 'express';
import { respond } from '../http/response.ts';

/** Sent with every response under `/v1`, including errors, so that a page can read what went wrong. */
export const OPEN_TO_PAGES: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Sandbox-Request-Id, Link, Sunset, Retry-After',
];

/** Responds to OPTIONS of a path with these methods; it needs no key. */
export function respondToPreflight(methods: string): RequestHandler {
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
  return (req, res) => {
    req.exchange.headers = OPEN_TO_PAGES;
    respond(req, res, { status: 204, body: '', headers });
  };
}
