/**
 * Serves the documentation: as pages in a browser, and as Markdown for coding agents and other programs that have only
 * the server's address. Both have the same address, so that links between pages lead on in either form.
 */
import { extname, join, posix } from 'node:path';
import type { Router } from 'express';
import { version } from '../core/shipped.ts';
import { inSlices } from '../core/turns.ts';
import { compressing } from '../http/compress.ts';
import { unknownPathError } from '../http/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import { readPage, readServed, servePage } from './pages.ts';

interface DocumentationOptions {
  /** The folder with `llms.txt` and the pages. */
  readonly directory: string;
  /** The folder with the frame of the pages. */
  readonly dashboard: string;
  /** The server's address, as this request's client sees it. */
  readonly addressFor: (req: Request) => string;
}

/** `guides/faults.md`: no other file of the folder is served, and no path leads out of it. */
const FILE = /^(?:[a-z-]{1,40}\/){0,2}[a-z-]{1,40}\.(?:md|png|svg|webp)$/;
const INDEX = 'llms.txt';
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Gives a router `/llms.txt`, and `/docs/` with its pages, its pictures and the index of their search. */
export function serveDocumentation(router: Router, { directory, dashboard, addressFor }: DocumentationOptions): void {
  const read = (req: Request, path: string): Promise<Buffer> =>
    readServed(join(directory, path), () => unknownPathError(req));

  const withAddressOf = (req: Request, text: string): string => text.replaceAll(USUAL_ADDRESS, () => addressFor(req));

  const textOf = async (req: Request, path: string): Promise<string> =>
    withAddressOf(req, (await read(req, path)).toString());

  const index = async (req: Request): Promise<ResponseData> =>
    textAs('text/plain', withAddress(await textOf(req, INDEX), addressFor(req)));

  const page = async (req: Request, path: string): Promise<ResponseData> => {
    if (path !== INDEX && !FILE.test(path)) throw unknownPathError(req);
    const contentType = PICTURES[extname(path)];
    if (contentType !== undefined) return { status: 200, contentType, body: [await read(req, path)] };
    const markdown = withServedLinks(await textOf(req, path), path);
    if (!isBrowser(req)) return textAs('text/markdown', markdown, VARY);
    const { pageOf } = await import('./site.ts');
    const frame = await readPage(dashboard, 'docs');
    const site = {
      ...{ frame: String(frame.body), version, address: addressFor(req), referenceOf },
      index: (await read(req, INDEX)).toString(),
    };
    return {
      ...frame,
      body: await pageOf({ path, markdown }, site),
      headers: [...VARY, ...(frame.headers ?? [])],
    };
  };

  /** Each is made once. */
  const references = new Map<string, Promise<string>>();
  const makeReference = async (file: string): Promise<string> => {
    const reference = await import('./reference.ts');
    return (await inSlices(reference.referenceOf(file))).replaceAll(USUAL_ADDRESS, '{{address}}');
  };
  const referenceOf = (file: string): Promise<string> => {
    const made = references.get(file) ?? makeReference(file);
    references.set(file, made);
    return made;
  };

  /** All pages are read and split for it, so it is made once. */
  let searchIndex: Promise<string> | undefined;
  const makeSearchIndex = async (req: Request): Promise<string> => {
    const { pathsIn, searchIndexOf } = await import('./site.ts');
    const paths = pathsIn((await read(req, INDEX)).toString());
    const pages = await Promise.all(
      paths.map(async (path) => ({ path, markdown: (await read(req, path)).toString() })),
    );
    return JSON.stringify(searchIndexOf(pages));
  };

  const search = async (req: Request): Promise<ResponseData> => {
    searchIndex ??= makeSearchIndex(req).catch((error: unknown) => {
      searchIndex = undefined;
      throw error;
    });
    return textAs('application/json', withAddressOf(req, await searchIndex));
  };

  const compressed = compressing();
  servePage(router, '/llms.txt', () => async (req) => compressed(req, await index(req)));
  servePage(router, '/docs', () => async () => TO_DOCS);
  servePage(router, '/docs/search.json', () => async (req) => compressed(req, await search(req)));
  servePage(
    router,
    '/docs/{*path}',
    ({ path }) =>
      async (req) =>
        compressed(req, await page(req, path === undefined ? INDEX : [path].flat().join('/'))),
  );
}

/** The address in the pages; a reader gets that of the server. */
const USUAL_ADDRESS = 'http://127.0.0.1:4020';
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
