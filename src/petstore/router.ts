/** The router of the petstore API: a table of the specification's operations, and what all other requests under `/v1` get. */
import type { Request } from 'express';
import { ApiError } from '../api/errors.ts';
import { unknownPathError } from '../http/errors.ts';
import { rejectUnreadable, unreadable } from '../http/query.ts';
import type { Freshness } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { openToPages, preflight } from './cors.ts';
import { methodsOf, routesOf } from './described.ts';
import { createPet } from './operations/createPet.ts';
import { getPet } from './operations/getPet.ts';
import { listPets } from './operations/listPets.ts';
import { type Handler, type ServeOptions, serve } from './serve.ts';

export interface PetstoreOptions extends Omit<ServeOptions, 'open'> {
  readonly freshness: Freshness;
  readonly sandboxes: Sandboxes;
  /** Opens the sandbox of a request's key. */
  readonly authenticate: (req: Request) => Promise<Sandbox>;
}

/** Every operation that is built, by its name in the specification. */
export const OPERATIONS = { listPets, createPet, getPet };

/** A path, and what each method does there. */
interface Route {
  /** Matches the path of a request; its groups are the parameters as sent. */
  readonly pattern: RegExp;
  readonly handlers: ReadonlyMap<string, Handler>;
  /** For all other methods. */
  readonly otherwise: Handler;
}

/** Whether a request is one of the petstore API, whatever it asks for. */
export const isOfApi = (url: string): boolean => /^\/v1(?:[/?#]|$)/.test(url);

/** Makes the handler of everything under `/v1`. */
export function petstore({ authenticate, ...options }: PetstoreOptions): Handler {
  /** Opens the sandbox of a request once the validator has room for the exchange: a rejection is validated, too. */
  const open = async (req: Request): Promise<Sandbox> => {
    const { exchange } = req;
    try {
      const sandbox = await authenticate(req);
      rejectUnreadable(req);
      return sandbox;
    } finally {
      const room = exchange.belongTo(exchange.sandbox ?? '');
      if (room) await room;
    }
  };

  /** For what no operation serves: the key comes first. */
  const reject =
    (error: (req: Request) => ApiError): Handler =>
    async (req) => {
      req.exchange.headers = openToPages(req);
      await open(req);
      throw error(req);
    };

  const described = routesOf(OPERATIONS);
  const routes = described.map(({ path, served }): Route => {
    const methods = methodsOf(served);
    const allow = `${methods}, OPTIONS`;
    const handlers = served.flatMap((each) => {
      const handler = serve(each, allow, { ...options, open });
      const method = each.method.toUpperCase();
      return (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((name) => [name, handler] as const);
    });
    return {
      pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/?]+)')}(?:\\?|$)`),
      handlers: new Map([...handlers, ['OPTIONS', preflight(methods)]]),
      otherwise: reject(otherMethod(allow)),
    };
  });
  const orders = reject(notDescribed);
  routes.push({
    pattern: /^\/v1\/store\/orders(?:\?|$)/,
    handlers: new Map([
      ['GET', orders],
      ['HEAD', orders],
      ['OPTIONS', preflight('GET, HEAD')],
    ]),
    otherwise: reject(otherMethod('GET, HEAD, OPTIONS')),
  });
  // A page that requests an unknown path may read the 404.
  const unknown: Route = {
    pattern: /^/,
    handlers: new Map([['OPTIONS', preflight(methodsOf(described.flatMap(({ served }) => served)))]]),
    otherwise: reject(unknownPathError),
  };
  const undecodable = reject(unreadable);

  return (req, res) => {
    const { pattern, handlers, otherwise } = routes.find((route) => route.pattern.test(req.url)) ?? unknown;
    const params = decoded(pattern.exec(req.url)?.groups);
    if (!params) return undecodable(req, res);
    req.params = params;
    return (handlers.get(req.method) ?? otherwise)(req, res);
  };
}

/** The parameters of a path, decoded; `undefined` if one cannot be. */
function decoded(groups: Record<string, string> = {}): Record<string, string> | undefined {
  try {
    for (const [name, text] of Object.entries(groups)) if (text.includes('%')) groups[name] = decodeURIComponent(text);
    return groups;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const otherMethod = (allow: string) => (req: Request) =>
  new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are ${allow}`, ['Allow', allow]);

const notDescribed = () =>
  new ApiError(
    'not_specified',
    'GET /store/orders exists at the real service, but its API is not described, so the sandbox cannot stand in for it',
  );
