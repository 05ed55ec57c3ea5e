/**
 * Serves the documentation: as pages in a browser, and as Markdown for coding agents and other programs that have only
 * the server's address. Both have the same address, so that links between pages lead on in either form.
 */
import { extname, join, posix } from 'node:path';
import { type Request, type Response, Router } from 'express';
import { unknownPathError } from '../http/errors.ts';
import { respond } from '../http/response.ts';
import { readServed } from './pages.ts';
import { rejectMethod } from './static.ts';

interface DocumentationOptions {
  /** The folder with `llms.txt` and the pages. */
  readonly directory: string;
  /** The server's address, as this request's client sees it. */
  readonly addressFor: (req: Request) => string;
}

/** `guides/faults.md`: no other file of the folder is served, and no path leads out of it. */
const FILE = /^(?:[a-z-]{1,40}\/){0,2}[a-z-]{1,40}\.(?:md|png)$/;
const INDEX = 'llms.txt';

/** `/llms.txt`, and `/docs/` with its pages and pictures. */
export function documentation({ directory, addressFor }: DocumentationOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const read = (req: Request, path: string): Promise<Buffer> =>
    readServed(join(directory, path), () => unknownPathError(req));
  router
    .route('/llms.txt')
    .get(async (req, res) => {
      const text = (await read(req, INDEX)).toString();
      sendText(req, res, 'text/plain', withAddress(text, addressFor(req)));
    })
    .all(rejectMethod);
  router
    .route('/docs')
    .get((req, res) => respond(req, res, { status: 308, body: '', headers: ['Location', 'docs/'] }))
    .all(rejectMethod);
  router
    .route('/docs/{*path}')
    .get(async (req, res) => {
      const path = [req.params['path'] ?? INDEX].flat().join('/');
      if (path !== INDEX && !FILE.test(path)) throw unknownPathError(req);
      const bytes = await read(req, path);
      if (extname(path) === '.png') {
        respond(req, res, { status: 200, contentType: 'image/png', body: [bytes] });
        return;
      }
      const text = withServedLinks(bytes.toString(), path);
      if (!isBrowser(req)) return sendText(req, res, 'text/markdown', text, VARY);
      const { pageOf } = await import('./markdown.ts');
      sendText(req, res, 'text/html', pageOf(text, path), VARY);
    })
    .all(rejectMethod);
  return router;
}

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

const sendText = (req: Request, res: Response, type: string, body: string, headers: readonly string[] = []): void =>
  respond(req, res, { status: 200, contentType: `${type}; charset=utf-8`, body, headers });
