/**
 * The router of the petstore API: a table of the specification's operations, and what all other requests under `/v1` get.
 * Through Express, a get would take 7 % more processor time (in turns, on Node 24).
 */
import { ApiError } from '../api/errors.ts';
import { otherMethodError, unknownPathError } from '../http/errors.ts';
import type { Request, RequestParts } from '../http/open-exchange.ts';
import { rejectUnreadable, unreadable } from '../http/query.ts';
import { methodsOf, type Route } from '../http/route.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { openToPages, preflight } from './cors.ts';
import { routesOf } from './described.ts';
import { createPet } from './operations/createPet.ts';
import { getPet } from './operations/getPet.ts';
import { listPets } from './operations/listPets.ts';
import { operationRoute, type ServeOptions } from './serve.ts';

export interface PetstoreOptions extends ServeOptions {
  /** The name of this server, if it has one. */
  readonly name: string | undefined;
  readonly sandboxes: Sandboxes;
}

/** Every operation that is built, by its name in the specification. */
export const OPERATIONS = { listPets, createPet, getPet };

/** A path, and what each method does there. */
interface RouterPath {
  /** Matches the path of a request; its groups are the parameters as sent, in the order of `names`. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly methods: ReadonlyMap<string, Route>;
  /** For all other methods. */
  readonly otherwise: Route;
}

/** Whether a request is one of the petstore API, whatever it asks for. */
export const isOfApi = (url: string): boolean => /^\/v1(?:[/?#]|$)/.test(url);

/** Makes the function that finds the route of everything under `/v1`. */
export function petstore(options: PetstoreOptions): (req: Request) => Route {
  const { authenticate, sandboxes } = options;
  const headersFor = openToPages();

  /** Finds the sandbox of a request that needs none. */
  const claim = (req: RequestParts): void => {
    try {
      authenticate(req);
    } catch {
      // It belongs to none.
    }
  };

  /** For what no operation serves: the key comes first. */
  const rejectWith = (error: (req: RequestParts) => ApiError): Route => ({
    open: (req) => {
      req.exchange.headers = headersFor(req);
      return authenticate(req);
    },
    run: (req) => {
      rejectUnreadable(req);
      throw error(req);
    },
  });

  /** A preflight has no key. An `OPTIONS` request with a key comes from a client. */
  const answered = (methods: string): Route => {
    const { run } = preflight(methods);
    return {
      run: async (req, res) => {
        if (req.exchange.request.authorization !== undefined) claim(req);
        return run(req, res, undefined);
      },
    };
  };

  const described = routesOf(OPERATIONS);
  const paths = [...new Set(described.map(({ path }) => path))].map((path): RouterPath => {
    const served = described.filter((each) => each.path === path);
    const methods = methodsOf(served);
    const allow = `${methods}, OPTIONS`;
    const routes = served.flatMap((each): (readonly [string, Route])[] => {
      const route = operationRoute(each, allow, options) as Route;
      const method = each.method.toUpperCase();
      return (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((name) => [name, route]);
    });
    return {
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/?]+)')}(?:\\?|$)`),
      names: path.match(/(?<=\{)\w+/g) ?? [],
      methods: new Map([...routes, ['OPTIONS', answered(methods)]]),
      otherwise: rejectWith(otherMethod(allow)),
    };
  });
  const orders = rejectWith(notDescribed);
  paths.push({
    pattern: /^\/v1\/store\/orders(?:\?|$)/,
    names: [],
    methods: new Map([
      ['GET', orders],
      ['HEAD', orders],
      ['OPTIONS', answered('GET, HEAD')],
    ]),
    otherwise: rejectWith(otherMethod('GET, HEAD, OPTIONS')),
  });
  // A page that requests an unknown path may read the 404.
  const preflighted = answered(methodsOf(described));
  const unknownOptions: Route = {
    run: async (req, res) => {
      if (req.headers['access-control-request-method'] !== undefined) return preflighted.run(req, res, undefined);
      req.exchange.headers = headersFor(req);
      claim(req);
      throw unknownPathError(req);
    },
  };
  const unknown: RouterPath = {
    pattern: /^/,
    names: [],
    methods: new Map([['OPTIONS', unknownOptions]]),
    otherwise: rejectWith(unknownPathError),
  };
  const undecodable = rejectWith(unreadable);
  // `authenticate` rejects it, without an operation to which the 404 would have to belong.
  const nowhere = rejectWith(unknownPathError);

  return (req) => {
    const { address } = req.exchange;
    if (address !== undefined && req.method !== 'OPTIONS' && !sandboxes.get(address)) return nowhere;
    const { pattern, names, methods, otherwise } = paths.find((path) => path.pattern.test(req.url)) ?? unknown;
    const params = names.length === 0 ? NO_PARAMS : paramsIn(req.url, pattern, names);
    if (!params) return undecodable;
    req.params = params;
    return methods.get(req.method) ?? otherwise;
  };
}

type Params = Readonly<Record<string, string>>;
const NO_PARAMS: Params = {};

/** The parameters of a path, decoded; `undefined` if one cannot be. */
function paramsIn(url: string, pattern: RegExp, names: readonly string[]): Params | undefined {
  const params: Record<string, string> = {};
  try {
    pattern.exec(url)?.forEach((text, at) => {
      if (at > 0) params[names[at - 1] as string] = text.includes('%') ? decodeURIComponent(text) : text;
    });
    return params;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const otherMethod = (allow: string) => (req: RequestParts) => otherMethodError(req, allow);

const notDescribed = () =>
  new ApiError(
    'not_specified',
    "the real service has GET /store/orders, but it isn't documented, so the sandbox doesn't serve it",
  );
