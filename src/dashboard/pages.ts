/** The two pages, and what a browser is told about them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../errors.ts';
import type { Answer } from '../http/answer.ts';

/** `index`: the dashboard; `reference`: the two documents, rendered. */
export type PageName = 'index' | 'reference';

/**
 * A page, with the policy it runs under. It is small and names its files by their content: it is asked for anew each
 * time, like any answer, while what it names is kept.
 *
 * @throws {ApiError} `not_found` where the pages were not built
 */
export async function readPage(directory: string, name: PageName): Promise<Answer> {
  const body = await readFile(join(directory, `${name}.html`), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw notBuilt();
    throw error;
  });
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body,
    headers: ['Content-Security-Policy', POLICY[name], ...PRIVACY],
  };
}

/** What is said where `npm run build` was never run. */
export const notBuilt = (): ApiError =>
  new ApiError('not_found', 'this page was not built; build it with `npm run build`');

/** No other site learns where a link leads from, or may use these files. */
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
  // Trusted types: no text can become HTML here, because nothing may make HTML at all.
  index: [
    ...COMMON,
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  // Swagger UI draws its icons from `data:` addresses in its style sheet.
  reference: [...COMMON, "style-src 'self'", "img-src 'self' data:"].join('; '),
};
