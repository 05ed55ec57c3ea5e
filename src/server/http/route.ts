/** How requests are served: everything returns its response as data, which `server/http/send.ts` sends. */
import type { Request, Response } from './open-exchange.ts';
import type { ResponseData } from './response.ts';

/** A route of the Express application: an operation of either API, or a page. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete' | 'options' | 'all';
  /** In Express's notation: `/_sandbox/keys/:keyId`. */
  readonly path: string;
  readonly respond: Respond;
}

/** @returns a promise only where something waits */
export type Respond = (req: Request, res: Response) => ResponseData | Promise<ResponseData>;

/** A path of a specification in Express's notation. */
export const pathInExpress = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The methods of a path, as `Allow` lists them, without OPTIONS. */
export function methodsOf(all: readonly { readonly method: string }[]): string {
  const methods = new Set(all.map(({ method }) => method.toUpperCase()));
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
