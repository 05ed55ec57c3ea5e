/**
 * Serves the documentation, as `scripts/build-pages.mjs` rendered it: as pages in a browser, and as Markdown for coding
 * agents and other programs that have only the server's address. Both have the same address, so that links between
 * pages lead on in either form.
 */
import { access } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { unknownPathError } from '../http/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import type { Endpoint, ResponseData } from '../http/response.ts';
import { pageAt, readPage, readServed } from './pages.ts';

interface DocumentationOptions {
  /** The folder with the rendered pages: each as `name.md` and as `name.md.html`. */
  readonly directory: string;
  /** The folder with their pictures. */
  readonly pictures: string;
  /** The server's address, as this request's client sees it. */
  readonly addressFor: (req: Request) => string;
}

/** `guides/faults.md`: no other file of the folders is served, and no path leads out of them. */
const FILE = /^(?:[a-z-]{1,40}\/){0,2}[a-z-]{1,40}\.(?:md|png|svg|webp)$/;
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** `/llms.txt`, and `/docs/` with its pages, its pictures and the index of their search. */
export function documentationPages({ directory, pictures, addressFor }: DocumentationOptions): readonly Endpoint[] {
  const textAs = async (
    req: Request,
    type: string,
    file: string,
    headers: readonly string[] = [],
  ): Promise<ResponseData> => {
    const text = await readServed(join(directory, file), () => unknownPathError(req));
    const body = text.toString().replaceAll(USUAL_ADDRESS, () => addressFor(req));
    return { status: 200, contentType: `${type}; charset=utf-8`, body, headers };
  };

  /** @param path that the browser asked for, from which its links lead on */
  const framed = async (req: Request, path: string, file: string): Promise<ResponseData> => {
    const page = await readPage(join(directory, `${file}.html`), 'docs');
    const body = String(page.body)
      .replaceAll('{{root}}', '../'.repeat(path.split('/').length))
      .replaceAll(USUAL_ADDRESS, () => addressFor(req).replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
    return { ...page, body, headers: [...VARY, ...(page.headers ?? [])] };
  };

  const isPage = (path: string): Promise<boolean> =>
    access(join(directory, FILE.test(path) ? `${path}.html` : 'none')).then(
      () => true,
      () => false,
    );

  /**
   * The name of a page without its ending leads to the page; a browser gets any other unknown name as a page that says so.
   * @param path below `docs/`; empty for the front page, in whose place a program gets the list of all pages
   */
  const page = async (req: Request, path: string): Promise<ResponseData> => {
    const contentType = PICTURES[extname(path)];
    if (contentType !== undefined && FILE.test(path)) {
      const picture = await readServed(join(pictures, path), () => unknownPathError(req));
      return { status: 200, contentType, body: [picture] };
    }
    if (path === '')
      return isBrowser(req) ? framed(req, '', 'index.md') : textAs(req, 'text/markdown', 'list.txt', VARY);
    if (await isPage(path)) return isBrowser(req) ? framed(req, path, path) : textAs(req, 'text/markdown', path, VARY);
    if (await isPage(`${path}.md`))
      return { status: 308, body: '', headers: ['Location', `${path}.md`.replace(/^.*\//, '')] };
    const error = unknownPathError(req);
    if (!isBrowser(req)) throw error;
    return { ...(await framed(req, path, 'no-page')), status: error.status };
  };

  return [
    pageAt('/llms.txt', (req) => textAs(req, 'text/plain', 'llms.txt')),
    pageAt('/docs', async () => TO_DOCS),
    pageAt('/docs/search.json', (req) => textAs(req, 'application/json', 'search.json')),
    pageAt('/docs/{*path}', (req) => page(req, [req.params['path'] ?? []].flat().join('/'))),
  ];
}

/** The address in the pages; a reader gets that of the server. */
const USUAL_ADDRESS = 'http://127.0.0.1:4020';
const TO_DOCS: ResponseData = { status: 308, body: '', headers: ['Location', 'docs/'] };
const VARY = ['Vary', 'Accept'];

/** Agents that can render HTML name Markdown as well. */
const isBrowser = ({ headers: { accept = '' } }: Request): boolean =>
  accept.includes('text/html') && !accept.includes('text/markdown');
