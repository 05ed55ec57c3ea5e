/** Serves the documentation as Markdown, for coding agents that have only the server's address. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Request, type Response, Router } from 'express';
import { unknownPathError } from '../http/errors.ts';
import { respond } from '../http/response.ts';
import { rejectMethod } from './static.ts';

interface DocumentationOptions {
  /** The folder with `llms.txt` and the pages. */
  readonly directory: string;
  /** The server's address, as this request's client sees it. */
  readonly addressFor: (req: Request) => string;
}

/** `concepts.md`, `guides/faults.md`: no other file of the folder is served, and no path leads out of it. */
const PAGE = /^(?:[a-z-]{1,40}\/)?[a-z-]{1,40}\.md$/;

/** `/llms.txt` and `/docs/<page>.md`, also in a folder. */
export function documentation({ directory, addressFor }: DocumentationOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/llms.txt')
    .get(async (req, res) => {
      const text = await readDocument(req, join(directory, 'llms.txt'));
      sendText(req, res, 'text/plain', withAddress(text, addressFor(req)));
    })
    .all(rejectMethod);
  router
    .route('/docs/*page')
    .get(async (req, res) => {
      const page = [req.params['page']].flat().join('/');
      if (!PAGE.test(page)) throw unknownPathError(req);
      sendText(req, res, 'text/markdown', await readDocument(req, join(directory, page)));
    })
    .all(rejectMethod);
  return router;
}

/** @throws {ApiError} `not_found` if there is no such page */
async function readDocument(req: Request, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw unknownPathError(req);
    throw error;
  });
}

/** The links of `llms.txt` are relative to its folder in the repository: here they name this server. */
const withAddress = (text: string, address: string): string =>
  text
    .replaceAll('](../spec/', () => `](${address}/_sandbox/`)
    .replaceAll(/\]\((?=[a-z-/]+\.md)/g, () => `](${address}/docs/`);

const sendText = (req: Request, res: Response, type: string, body: string): void =>
  respond(req, res, { status: 200, contentType: `${type}; charset=utf-8`, body });
