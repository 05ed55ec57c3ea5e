/** The router of the petstore API: a table of the specification's operations, and what all other requests under `/v1` get. */
import { ApiError } from '../api/errors.ts';
import { unknownPathError } from '../http/errors.ts';
import type { Request, RequestParts } from '../http/open-exchange.ts';
import { rejectUnreadable, unreadable } from '../http/query.ts';
import type { Route } from '../http/route.ts';
import type { Freshness } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { openToPages, preflight } from './cors.ts';
import { methodsOf, routesOf } from './described.ts';
import { createPet } from './operations/createPet.ts';
import { getPet } from './operations/getPet.ts';
import { listPets } from './operations/listPets.ts';
import { operationRoute, type ServeOptions } from './serve.ts';

export interface PetstoreOptions extends Omit<ServeOptions, 'open'> {
  /** The path of `--public-url`, which a proxy removes: `/a`, or nothing. Addresses in responses begin with it. */
  readonly subPath: string;
  readonly freshness: Freshness;
  readonly sandboxes: Sandboxes;
  /** Opens the sandbox of a request's key. */
  readonly authenticate: (req: RequestParts) => Promise<Sandbox>;
}

/** Every operation that is built, by its name in the specification. */
export const OPERATIONS = { listPets, createPet, getPet };

/** A path, and what each method does there. */
interface Path {
  /** Matches the path of a request; its groups are the parameters as sent. */
  readonly pattern: RegExp;
  readonly methods: ReadonlyMap<string, Route>;
  /** For all other methods. */
  readonly otherwise: Route;
}

/** Whether a request is one of the petstore API, whatever it asks for. */
export const isOfApi = (url: string): boolean => /^\/v1(?:[/?#]|$)/.test(url);

/** Makes the function that finds the route of everything under `/v1`. */
export function petstore({ authenticate, subPath, ...options }: PetstoreOptions): (req: Request) => Route {
  const open = async (req: RequestParts): Promise<Sandbox> => {
    const sandbox = await authenticate(req);
    rejectUnreadable(req);
    return sandbox;
  };

  /** For what no operation serves: the key comes first. */
  const rejectWith = (error: (req: RequestParts) => ApiError): Route => ({
    open: (req) => {
      req.exchange.headers = openToPages(req);
      return open(req);
    },
    run: async (req) => {
      throw error(req);
    },
  });

  /** A preflight has no key. An `OPTIONS` request with a key comes from a client. */
  const answered = (methods: string): Route => {
    const { run } = preflight(methods);
    return {
      run: async (req, res) => {
        if (req.exchange.request.authorization !== undefined) await authenticate(req).catch(() => undefined);
        return run(req, res, undefined);
      },
    };
  };

  const described = routesOf(OPERATIONS, subPath);
  const paths = described.map(({ path, served }): Path => {
    const methods = methodsOf(served);
    const allow = `${methods}, OPTIONS`;
    const routes = served.flatMap((each): (readonly [string, Route])[] => {
      const route = operationRoute(each, allow, { ...options, open }) as Route;
      const method = each.method.toUpperCase();
      return (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((name) => [name, route]);
    });
    return {
      pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/?]+)')}(?:\\?|$)`),
      methods: new Map([...routes, ['OPTIONS', answered(methods)]]),
      otherwise: rejectWith(otherMethod(allow)),
    };
  });
  const orders = rejectWith(notDescribed);
  paths.push({
    pattern: /^\/v1\/store\/orders(?:\?|$)/,
    methods: new Map([
      ['GET', orders],
      ['HEAD', orders],
      ['OPTIONS', answered('GET, HEAD')],
    ]),
    otherwise: rejectWith(otherMethod('GET, HEAD, OPTIONS')),
  });
  // A page that requests an unknown path may read the 404.
  const unknown: Path = {
    pattern: /^/,
    methods: new Map([['OPTIONS', answered(methodsOf(described.flatMap(({ served }) => served)))]]),
    otherwise: rejectWith(unknownPathError),
  };
  const undecodable = rejectWith(unreadable);

  return (req) => {
    const { pattern, methods, otherwise } = paths.find((path) => path.pattern.test(req.url)) ?? unknown;
    const params = decoded(pattern.exec(req.url)?.groups);
    if (!params) return undecodable;
    req.params = params;
    return methods.get(req.method) ?? otherwise;
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

const otherMethod = (allow: string) => (req: RequestParts) =>
  new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are ${allow}`, ['Allow', allow]);

const notDescribed = () =>
  new ApiError(
    'not_specified',
    "the real service has GET /store/orders, but it isn't documented, so the sandbox doesn't serve it",
  );
