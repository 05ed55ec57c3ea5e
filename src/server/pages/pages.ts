/** What pages have in common: how they are read, their routes, and their response headers. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ApiError } from '../../base/api/errors.ts';
import { unknownPathError } from '../http/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import type { Endpoint, ResponseData } from '../http/response.ts';

/** `index`: the dashboard; `docs`: one of the documentation. */
type PageName = 'index' | 'docs';

/**
 * A page, with its content security policy. It is small and names its assets by their content hash: the page is fetched
 * each time, like any response, while its assets are cached.
 * @throws {ApiError} `not_found` if the pages were not built
 */
export async function readPage(file: string, name: PageName): Promise<ResponseData> {
  const body = (await readServed(file, notBuilt)).toString();
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body,
    headers: ['Content-Security-Policy', POLICY[name], ...PRIVACY],
  };
}

/** @param missing the error for a file that does not exist */
export const readServed = (file: string, missing: () => ApiError): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missing() : error;
  });

/** A page at a path. */
export const pageAt = (path: string, respond: Endpoint['respond']): Endpoint => ({ method: 'get', path, respond });

/** The error if `npm run build` was never run. */
const notBuilt = (): ApiError => new ApiError('not_found', 'this page was not built; build it with `npm run build`');

/** Hides referrers from other sites, and denies them these files. */
const PRIVACY: readonly string[] = ['Referrer-Policy', 'no-referrer', 'Cross-Origin-Resource-Policy', 'same-origin'];

const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "style-src 'self'",
  "img-src 'self'",
];

const POLICY: Readonly<Record<PageName, string>> = {
  // Trusted types: no text can become HTML, because no policy may create any.
  index: [...COMMON, "require-trusted-types-for 'script'", "trusted-types 'none'"].join('; '),
  docs: COMMON.join('; '),
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `main-QX2W4ZTB.js`: a name with a content hash, so that browsers may cache it indefinitely. */
const ASSET = /^[a-z-]+-[A-Z0-9]{8}\.[a-z]+$/;

/**
 * `/` and `/assets/…`: the dashboard's files, as built by `scripts/build-dashboard.mjs`. They are read on request, so that an
 * unused dashboard costs nothing.
 * @param directory the folder with the pages and, in `assets/`, their assets
 */
export const dashboardPages = (directory: string): readonly Endpoint[] => [
  pageAt('/', () => readPage(join(directory, 'index.html'), 'index')),
  pageAt('/assets/:name', (req) => readAsset(directory, req)),
];

/** The request log does not record it. */
async function readAsset(directory: string, req: Request): Promise<ResponseData> {
  const { name = '' } = req.params;
  const contentType = TYPES[extname(name)];
  if (!ASSET.test(name) || contentType === undefined) throw unknownPathError(req);
  // An asset of another build may be missing.
  const bytes = await readServed(join(directory, 'assets', name), notBuilt);
  return { status: 200, contentType, body: [bytes], headers: PRIVACY, isImmutable: true };
}
