/**
 * Serves the documentation: as pages in a browser, and as Markdown for coding agents and other programs that have only
 * the server's address. Both have the same address, so that links between pages lead on in either form.
 */
import { extname, join, posix } from 'node:path';
import type { Router } from 'express';
import { unknownPathError } from '../http/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import { readServed, servePage } from './pages.ts';

interface DocumentationOptions {
  /** The folder with `llms.txt` and the pages. */
  readonly directory: string;
  /** The server's address, as this request's client sees it. */
  readonly addressFor: (req: Request) => string;
}

/** `guides/faults.md`: no other file of the folder is served, and no path leads out of it. */
const FILE = /^(?:[a-z-]{1,40}\/){0,2}[a-z-]{1,40}\.(?:md|png)$/;
const INDEX = 'llms.txt';

/** Gives a router `/llms.txt`, and `/docs/` with its pages and pictures. */
export function serveDocumentation(router: Router, { directory, addressFor }: DocumentationOptions): void {
  const read = (req: Request, path: string): Promise<Buffer> =>
    readServed(join(directory, path), () => unknownPathError(req));

  const index = async (req: Request): Promise<ResponseData> =>
    textAs('text/plain', withAddress((await read(req, INDEX)).toString(), addressFor(req)));

  const page = async (req: Request, path: string): Promise<ResponseData> => {
    if (path !== INDEX && !FILE.test(path)) throw unknownPathError(req);
    const bytes = await read(req, path);
    if (extname(path) === '.png') return { status: 200, contentType: 'image/png', body: [bytes] };
    const text = withServedLinks(bytes.toString(), path);
    if (!isBrowser(req)) return textAs('text/markdown', text, VARY);
    const { pageOf } = await import('./markdown.ts');
    return textAs('text/html', pageOf(text, path), VARY);
  };

  servePage(router, '/llms.txt', () => index);
  servePage(router, '/docs', () => async () => TO_DOCS);
  servePage(
    router,
    '/docs/{*path}',
    ({ path }) =>
      (req) =>
        page(req, path === undefined ? INDEX : [path].flat().join('/')),
  );
}

const TO_DOCS: ResponseData = { status: 308, body: '', headers: ['Location', 'docs/'] };
const VARY = ['Vary', 'Accept'];

/** Agents that can render HTML name Markdown as well. */
const isBrowser = ({ headers: { accept = '' } }: Request): boolean =>
  accept.includes('text/html') && !accept.includes('text/markdown');

/** The links of `llms.txt` are relative to its folder in the repository: here they name this server. */
const withAddress = (text: string, address: string): string =>
  withServedLinks(text, INDEX)
    .replaceAll('](../', () => `](${address}/`)
    .replaceAll(/\]\((?=[a-z-]+(?:\/[a-z-]+)*\.md)/g, () => `](${address}/docs/`);

/** Links out of `docs/` lead to a specification that is served elsewhere, or name a file of the repository. */
const withServedLinks = (text: string, path: string): string =>
  text.replaceAll(/\[([^[\]]+)\]\((\.\.\/[^)#]*)(?:#[^)]*)?\)/g, (link, words: string, target: string) => {
    const file = posix.join('docs', posix.dirname(path), target);
    if (file.startsWith('docs/')) return link;
    if (file.startsWith('spec/')) return link.replace('/spec/', '/_sandbox/');
    return `${words} (\`${file}\` in the repository)`;
  });

const textAs = (type: string, body: string, headers: readonly string[] = []): ResponseData => ({
  status: 200,
  contentType: `${type}; charset=utf-8`,
  body,
  headers,
});
