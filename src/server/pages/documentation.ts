/**
 * Serves the documentation: as pages in a browser, and as Markdown for coding agents and other programs that have only
 * the server's address. Both have the same address, so that links between pages lead on in either form.
 */
import { extname, join, posix } from 'node:path';
import { inSlices } from '../../base/lane.ts';
import { version } from '../../base/shipped.ts';
import { unknownPathError } from '../http/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import type { Endpoint, ResponseData } from '../http/response.ts';
import { pageAt, readPage, readServed } from './pages.ts';

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
/** Pages that code hosts expect next to the README. */
const AT_ROOT: Readonly<Record<string, string>> = {
  'project/changelog.md': '../CHANGELOG.md',
  'project/security.md': '../SECURITY.md',
};
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** `/llms.txt`, and `/docs/` with its pages, its pictures and the index of their search. */
export function documentationPages({ directory, dashboard, addressFor }: DocumentationOptions): readonly Endpoint[] {
  const read = (req: Request, path: string): Promise<Buffer> =>
    readServed(join(directory, AT_ROOT[path] ?? path), () => unknownPathError(req));

  const markdownOf = async (req: Request, path: string): Promise<string> => {
    const text = (await read(req, path)).toString();
    return withServedLinks(path in AT_ROOT ? withLinksFromRoot(text) : text, path);
  };

  const indexText = async (req: Request): Promise<string> =>
    withServedLinks((await read(req, INDEX)).toString(), INDEX);

  const withAddressOf = (req: Request, text: string): string => text.replaceAll(USUAL_ADDRESS, () => addressFor(req));

  const index = async (req: Request): Promise<ResponseData> =>
    textAs('text/plain', withAddress(withAddressOf(req, await indexText(req)), addressFor(req)));

  /** A page in its frame. */
  const framed = async (req: Request, path: string, markdown: string): Promise<ResponseData> => {
    const { pageOf } = await import('./site.ts');
    const frame = await readPage(dashboard, 'docs');
    const site = {
      ...{ frame: String(frame.body), version, address: addressFor(req), referenceOf },
      index: await indexText(req),
    };
    return {
      ...frame,
      body: await pageOf({ path, markdown }, site),
      headers: [...VARY, ...(frame.headers ?? [])],
    };
  };

  /** @param path below `docs/`; empty for the front page, in whose place a program gets the list of all pages */
  const page = async (req: Request, path: string): Promise<ResponseData> => {
    if (path === '' && !isBrowser(req)) return textAs('text/markdown', withAddressOf(req, await indexText(req)), VARY);
    const file = path === '' ? FRONT : path;
    if (!FILE.test(file)) return notFound(req, path);
    const contentType = PICTURES[extname(file)];
    if (contentType !== undefined) return { status: 200, contentType, body: [await read(req, file)] };
    const markdown = await markdownOf(req, file).catch(() => undefined);
    if (markdown === undefined) return notFound(req, path);
    const text = withAddressOf(req, markdown);
    return isBrowser(req) ? framed(req, file, text) : textAs('text/markdown', text, VARY);
  };

  /** The name of a page without its ending leads to the page; a browser gets any other unknown name as a page that says so. */
  const notFound = async (req: Request, path: string): Promise<ResponseData> => {
    const name = `${path}.md`;
    if (FILE.test(name) && (await markdownOf(req, name).catch(() => undefined)) !== undefined)
      return { status: 308, body: '', headers: ['Location', name.replace(/^.*\//, '')] };
    const error = unknownPathError(req);
    if (!isBrowser(req)) throw error;
    return { ...(await framed(req, path, NO_SUCH_PAGE)), status: error.status };
  };

  /** Each is made once. */
  const references = new Map<string, Promise<string>>();
  const makeReference = async (file: string, group: string | undefined): Promise<string> => {
    const reference = await import('./reference.ts');
    return (await inSlices(reference.referenceOf(file, group))).replaceAll(USUAL_ADDRESS, '{{address}}');
  };
  const referenceOf = (file: string, group?: string): Promise<string> => {
    const name = `${file} ${group}`;
    const made = references.get(name) ?? makeReference(file, group);
    references.set(name, made);
    return made;
  };

  /** All pages are read and split for it, so it is made once. */
  let searchIndex: Promise<string> | undefined;
  const makeSearchIndex = async (req: Request): Promise<string> => {
    const { pathsIn, searchIndexOf } = await import('./site.ts');
    const listed = await indexText(req);
    const paths = pathsIn(listed);
    const pages = await Promise.all(paths.map(async (path) => ({ path, markdown: await markdownOf(req, path) })));
    return JSON.stringify(searchIndexOf(pages, listed));
  };

  const search = async (req: Request): Promise<ResponseData> => {
    searchIndex ??= makeSearchIndex(req).catch((error: unknown) => {
      searchIndex = undefined;
      throw error;
    });
    return textAs('application/json', withAddressOf(req, await searchIndex));
  };

  return [
    pageAt('/llms.txt', index),
    pageAt('/docs', async () => TO_DOCS),
    pageAt('/docs/search.json', search),
    pageAt('/docs/{*path}', (req) => page(req, [req.params['path'] ?? []].flat().join('/'))),
  ];
}

/** The address in the pages; a reader gets that of the server. */
const USUAL_ADDRESS = 'http://127.0.0.1:4020';
const TO_DOCS: ResponseData = { status: 308, body: '', headers: ['Location', 'docs/'] };
const VARY = ['Vary', 'Accept'];
/** The front page, which a browser gets at `/docs/`. */
const FRONT = 'index.md';

/** Agents that can render HTML name Markdown as well. */
const isBrowser = ({ headers: { accept = '' } }: Request): boolean =>
  accept.includes('text/html') && !accept.includes('text/markdown');

const NO_SUCH_PAGE = `# No such page

Nothing is at this address. Search, or choose a page from the list.
`;

/** A file of the repository's root, as if it were in a folder of `docs/`. */
const withLinksFromRoot = (text: string): string =>
  text.replaceAll('](docs/', '](../').replaceAll(/\]\((?=[\w./-]+\.(?:md|yaml)\b)(?!\.\.)/g, '](../../');

/** The links of `llms.txt` are relative to its folder in the repository: here they name this server. */
const withAddress = (text: string, address: string): string =>
  text
    .replaceAll('](../', () => `](${address}/`)
    .replaceAll(/\]\((?=[a-z-]+(?:\/[a-z-]+)*\.md)/g, () => `](${address}/docs/`);

/** Links out of `docs/` lead to a specification that is served elsewhere, or name a file of the repository. */
const withServedLinks = (text: string, path: string): string =>
  text.replaceAll(/\[([^[\]]+)\]\((\.\.\/[^)#]*)(?:#[^)]*)?\)/g, (link, words: string, target: string) => {
    const file = posix.join('docs', posix.dirname(path), target);
    if (file.startsWith('docs/')) return link;
    const served = Object.keys(AT_ROOT).find((name) => posix.join('docs', AT_ROOT[name] as string) === file);
    if (served !== undefined) return link.replace(target, posix.relative(posix.dirname(path), served));
    if (file.startsWith('spec/')) return link.replace('/spec/', '/_sandbox/');
    return `${words} (\`${file}\` in the repository)`;
  });

const textAs = (type: string, body: string, headers: readonly string[] = []): ResponseData => ({
  status: 200,
  contentType: `${type}; charset=utf-8`,
  body,
  headers,
});
