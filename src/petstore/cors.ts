/** The interface is open to web pages of any origin: the key is the only credential, and no cookie carries it. */
import type { RequestHandler } from 'express';
import { answer } from '../http/answer.ts';

/** On every answer under `/v1`, errors included, so that a page can read what went wrong. */
export const OPEN_TO_PAGES: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Sandbox-Request-Id, Link, Sunset, Retry-After',
];

/** Answers OPTIONS of a path with these methods; it needs no key. */
export function answerPreflight(methods: string): RequestHandler {
  const headers = [
    'Allow',
    `${methods}, OPTIONS`,
    'Access-Control-Allow-Methods',
    methods,
    // `*` would not cover Authorization (Fetch standard, "CORS-preflight fetch").
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Accept, Prefer, Sandbox-Fault',
    'Access-Control-Max-Age',
    '600',
  ];
  return (req, res) => {
    req.exchange.headers = OPEN_TO_PAGES;
    answer(req, res, { status: 204, body: '', headers });
  };
}
