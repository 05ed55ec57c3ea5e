/**
 * Serves the dashboard's files, as built by `scripts/build-dashboard.mjs`: each uncompressed, and in two compressed
 * encodings. They are read on request, so that an unused dashboard costs nothing.
 */
import { extname, join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError } from '../api/errors.ts';
import { encodingFor } from '../http/compress.ts';
import { unknownPath } from '../http/errors.ts';
import { respond } from '../http/response.ts';
import { notBuilt, PRIVACY, readPage, readServed } from './pages.ts';

interface DashboardOptions {
  /** The folder with the pages and, in `assets/`, their assets. */
  readonly directory: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `main-QX2W4ZTB.js`: a name with a content hash, so that browsers may cache it indefinitely. */
const ASSET = /^[a-z-]+-[A-Z0-9]{8}\.[a-z]+$/;

/** The ending of a file in an encoding. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** `/` and `/assets/…`. */
export function dashboard({ directory }: DashboardOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/')
    .get(async (req, res) => respond(req, res, await readPage(directory, 'index')))
    .all(rejectMethod);
  router
    .route('/assets/:name')
    .get(async (req, res, next) => {
      const name = String(req.params['name']);
      const type = TYPES[extname(name)];
      if (!ASSET.test(name) || type === undefined) {
        unknownPath(req, res, next);
        return;
      }
      const encoding = encodingFor(req);
      const suffix = encoding === undefined ? '' : SUFFIXES[encoding];
      // An asset of another build may be missing.
      const bytes = await readServed(join(directory, 'assets', name + suffix), notBuilt);
      sendFile(req, res, bytes, type, encoding);
    })
    .all(rejectMethod);
  return router;
}

/** Like `respond`, for cacheable bytes. The request log does not record them. */
function sendFile(req: Request, res: Response, bytes: Buffer, type: string, encoding: string | undefined): void {
  const { exchange } = req;
  if (res.headersSent || res.destroyed) return;
  const head = [
    ...['Content-Type', type, 'Content-Length', String(bytes.length), 'Vary', 'Accept-Encoding'],
    ...(encoding === undefined ? [] : ['Content-Encoding', encoding]),
    ...['Cache-Control', 'public, max-age=31536000, immutable', 'X-Content-Type-Options', 'nosniff'],
    ...['Sandbox-Request-Id', exchange.id, ...PRIVACY],
    ...exchange.headers,
  ];
  exchange.beginResponse(head);
  res.writeHead(200, head);
  res.end(bytes);
  exchange.close({ status: 200, contentType: type, body: '' });
}

/** @throws {ApiError} `method_not_allowed`, for every method but GET and HEAD */
export const rejectMethod: RequestHandler = (req) => {
  throw new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are GET, HEAD`, [
    'Allow',
    'GET, HEAD',
  ]);
};
