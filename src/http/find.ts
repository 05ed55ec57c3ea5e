/**
 * Express's router finds what serves a request. Express sees the method and the path, and not the connection: running what
 * it found, and sending the result, are steps of `server/app.ts`.
 */
import { type RequestHandler, Router } from 'express';
import { ApiError } from '../api/errors.ts';
import type { RequestParts } from './open-exchange.ts';
import { unreadable } from './query.ts';

/** The parameters of a path, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

/** What a router gives its handlers as the response: a handler hands over what it found. */
interface FoundResponse {
  found(what: unknown): void;
}

/** A router in which paths differ by case and by a slash at their end. */
export const exactRouter = (): Router => Router({ caseSensitive: true, strict: true });

/** A handler of a router that `find` asks. */
export const leadsTo =
  (what: (params: PathParameters) => unknown): RequestHandler<PathParameters> =>
  (req, res) =>
    (res as unknown as FoundResponse).found(what(req.params));

/** The handler of all other methods of a path. @throws {ApiError} `method_not_allowed` */
export const onlyMethods =
  (allow: string): RequestHandler =>
  ({ method }) => {
    const why = `${method} is not possible here; the methods are ${allow}`;
    throw new ApiError('method_not_allowed', why, ['Allow', allow]);
  };

/**
 * Asks a router. Resolves with what a handler found; `undefined` for a path that the router does not have.
 * @throws {ApiError} `method_not_allowed`; `invalid_request` for a path that cannot be decoded
 */
export const find = <What>(router: Router, req: RequestParts, path: string): Promise<What | undefined> =>
  new Promise((done, failed) => {
    const request = { method: req.method, url: path };
    const finding: FoundResponse = { found: (what) => done(what as What) };
    const end = (thrown?: unknown): void => {
      if (thrown instanceof URIError) failed(unreadable(req));
      else if (thrown) failed(thrown);
      else done(undefined);
    };
    router(request as Parameters<Router>[0], finding as unknown as Parameters<Router>[1], end);
  });
