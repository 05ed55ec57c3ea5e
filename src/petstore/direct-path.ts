/**
 * Finds the handler of a common request without the router, whose search costs as much as the operation: method and
 * path match an operation exactly. The router has the same handlers and serves all other requests: HEAD, an encoded
 * path, a method that is not allowed.
 */
import type { Request, Response } from 'express';
import type { Awaitable } from '../core/awaitable.ts';

/** Serves an operation. Throws or rejects with errors for `respondToErrors`. */
export type Handler = (req: Request, res: Response) => Awaitable<void>;

export class DirectPath {
  readonly #routes: { readonly method: string; readonly path: RegExp; readonly handler: Handler }[] = [];

  /** @param path in Express's notation: `/v1/pets/:petId` */
  add(method: string, path: string, handler: Handler): void {
    // Values with other characters may be encoded; the router decodes them.
    const pattern = path.replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)');
    this.#routes.push({ method: method.toUpperCase(), path: new RegExp(`^${pattern}(?:\\?|$)`), handler });
  }

  /** `undefined` for a request that needs the router; otherwise sets the path parameters as the router does. */
  find(req: Request): Handler | undefined {
    for (const { method, path, handler } of this.#routes) {
      if (method !== req.method) continue;
      const match = path.exec(req.url);
      if (!match) continue;
      req.params = match.groups ?? {};
      return handler;
    }
    return undefined;
  }
}
