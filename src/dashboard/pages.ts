/** What pages have in common: how they are read, their methods, and their response headers. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../api/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import { rejectUndecodable } from '../http/query.ts';
import type { ResponseData } from '../http/response.ts';

/** Serves the pages of some paths; `undefined` for other paths. */
export type Pages = (req: Request) => Promise<ResponseData> | undefined;

/** `index`: the dashboard; `reference`: the two specifications, rendered. */
type PageName = 'index' | 'reference';

/**
 * A page, with its content security policy. It is small and names its assets by their content hash: the page is fetched
 * each time, like any response, while its assets are cached.
 * @throws {ApiError} `not_found` if the pages were not built
 */
export async function readPage(directory: string, name: PageName): Promise<ResponseData> {
  const body = (await readServed(join(directory, `${name}.html`), notBuilt)).toString();
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

/** @throws {ApiError} `method_not_allowed`, for every method but GET and HEAD; `invalid_request` */
export async function ofMethods(req: Request, get: () => Promise<ResponseData>): Promise<ResponseData> {
  rejectUndecodable(req);
  const { method } = req;
  if (method === 'GET' || method === 'HEAD') return get();
  const why = `${method} is not possible here; the methods are GET, HEAD`;
  throw new ApiError('method_not_allowed', why, ['Allow', 'GET, HEAD']);
}

/** The error if `npm run build` was never run. */
export const notBuilt = (): ApiError =>
  new ApiError('not_found', 'this page was not built; build it with `npm run build`');

/** Hides referrers from other sites, and denies them these files. */
export const PRIVACY: readonly string[] = [
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const POLICY: Readonly<Record<PageName, string>> = {
  // Trusted types: no text can become HTML, because no policy may create any.
  index: [
    ...COMMON,
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  // Swagger UI draws its icons from `data:` URLs in its style sheet.
  reference: [...COMMON, "style-src 'self'", "img-src 'self' data:"].join('; '),
};
