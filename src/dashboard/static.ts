/**
 * The dashboard's files, as `scripts/build-dashboard.mjs` made them: each as it is, and compressed twice. They are read
 * when they are asked for, so that the page costs nothing while no one looks.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { unknownPath } from '../http/errors.ts';
import { notBuilt, PRIVACY, readPage } from './pages.ts';

export interface DashboardOptions {
  /** The folder that holds the pages and, in `assets/`, what they name. */
  readonly directory: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `main-QX2W4ZTB.js`: a name and its content's hash, so that a browser may keep it for ever. */
const ASSET = /^[a-z-]+-[A-Z0-9]{8}\.[a-z]+$/;

/** The encodings that each file is there in, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** `/` and `/assets/…`. */
export function dashboard({ directory }: DashboardOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/')
    .get(async (req, res) => answer(req, res, await readPage(directory, 'index')))
    .all(refuseMethod);
  router
    .route('/assets/:name')
    .get(async (req, res, next) => {
      const name = String(req.params['name']);
      const type = TYPES[extname(name)];
      if (!ASSET.test(name) || type === undefined) {
        unknownPath(req, res, next);
        return;
      }
      const [encoding, suffix] = encodingFor(req) ?? [undefined, ''];
      sendFile(req, res, await readAsset(join(directory, 'assets', name + suffix)), type, encoding);
    })
    .all(refuseMethod);
  return router;
}

/** Of an older build, or of none. @throws {ApiError} `not_found` */
async function readAsset(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw notBuilt();
    throw error;
  });
}

function encodingFor({ headers }: Request) {
  const accepted = headers['accept-encoding'] ?? '';
  const refused = /;\s*q=0(?:\.0*)?\s*$/;
  const names = String(accepted)
    .split(',')
    .filter((each) => !refused.test(each))
    .map((each) => each.split(';')[0]?.trim().toLowerCase());
  return ENCODINGS.find(([name]) => names.includes(name));
}

/** As `answer`, for bytes that may be kept. What is in them is no news to the journal. */
function sendFile(req: Request, res: Response, bytes: Buffer, type: string, encoding: string | undefined): void {
  const { exchange } = req;
  if (res.headersSent || res.destroyed) return;
  res.writeHead(200, [
    ...['Content-Type', type, 'Content-Length', String(bytes.length), 'Vary', 'Accept-Encoding'],
    ...(encoding === undefined ? [] : ['Content-Encoding', encoding]),
    ...['Cache-Control', 'public, max-age=31536000, immutable', 'X-Content-Type-Options', 'nosniff'],
    ...['Sandbox-Request-Id', exchange.id, ...PRIVACY],
    ...exchange.headers,
  ]);
  res.end(bytes);
  exchange.close({ status: 200, contentType: type, body: '' });
}

const refuseMethod: RequestHandler = (req) => {
  throw new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are GET, HEAD`, [
    'Allow',
    'GET, HEAD',
  ]);
};
