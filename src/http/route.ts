/** How requests are served: everything returns its response as data, which `http/send.ts` sends. */
import type { Request, RequestParts, Response } from './open-exchange.ts';
import type { ResponseData } from './response.ts';

/** How a request of the petstore API is served, once it is known what it asks for. */
export interface Route<Opened = unknown> {
  /**
   * Finds whose request it is, and notes that in the exchange. `undefined`: it makes no difference.
   * @throws {ApiError} `unauthorized`, `forbidden`, `invalid_request`, `storage_failed`
   */
  open?(req: RequestParts): Opened;
  /** @returns a promise only where it waits */
  run(req: Request, res: Response, opened: Opened): ResponseData | Promise<ResponseData>;
}

/** A route of the Express application: a control, or a page. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In Express's notation: `/_sandbox/keys/:keyId`. */
  readonly path: string;
  respond(req: Request): Promise<ResponseData>;
}

/** The methods of a path, as `Allow` lists them, without OPTIONS. */
export function methodsOf(all: readonly { readonly method: string }[]): string {
  const methods = new Set(all.map(({ method }) => method.toUpperCase()));
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
