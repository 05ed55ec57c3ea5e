/** How a request is served, once it is known what it asks for. */
import type { Request, RequestParts, Response } from './open-exchange.ts';
import type { ResponseData } from './response.ts';

export interface Route<Opened = unknown> {
  /**
   * Finds whose request it is, and notes that in the exchange. `undefined`: it makes no difference.
   * @throws {ApiError} `unauthorized`, `forbidden`, `invalid_request`, `storage_failed`
   */
  open?(req: RequestParts): Promise<Opened>;
  run(req: Request, res: Response, opened: Opened): Promise<ResponseData>;
}

/** What a page leads to: it needs no credential. */
export type PageHandler = (req: Request) => Promise<ResponseData>;
