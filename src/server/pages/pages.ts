/** What pages have in common: how they are read, their routes, and their response headers. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../base/api/errors.ts';
import type { ResponseData } from '../http/response.ts';
import type { Endpoint } from '../http/route.ts';

/** `index`: the dashboard; `docs`: the frame of the documentation. */
type PageName = 'index' | 'docs';

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

/** A page at a path. */
export const pageAt = (path: string, respond: Endpoint['respond']): Endpoint => ({ method: 'get', path, respond });

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
  docs: [...COMMON, "style-src 'self'", "img-src 'self'"].join('; '),
};
