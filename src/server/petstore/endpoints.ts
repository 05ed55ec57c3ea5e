/** The routes of the petstore API: the specification's operations, and what all other requests under `/v1` get. */
import { ApiError } from '../../base/api/errors.ts';
import { basePath } from '../../base/generated/facts.ts';
import { openToPages, preflight } from '../http/cors.ts';
import { otherMethodError, unknownPathError } from '../http/errors.ts';
import type { RequestParts } from '../http/open-exchange.ts';
import { type Endpoint, methodsOf, pathInExpress, type Respond } from '../http/response.ts';
import { rejectUnreadable, unreadable } from '../http/well-formed.ts';
import { routesOf } from './described.ts';
import { createPet } from './operations/createPet.ts';
import { getPet } from './operations/getPet.ts';
import { listPets } from './operations/listPets.ts';
import { respondToOperation, type ServeOptions } from './serve.ts';

/** Every operation that is built, by its name in the specification. */
export const OPERATIONS = { listPets, createPet, getPet };

interface PetstoreApi {
  readonly endpoints: readonly Endpoint[];
  /** For a path that is none of theirs. */
  readonly respondToUnknown: Respond;
  /** For a path with a parameter that cannot be decoded. */
  readonly respondToUnreadable: Respond;
}

export function petstoreApi(options: ServeOptions): PetstoreApi {
  const { authenticate, capacity } = options;
  const headersFor = openToPages();

  /** For what no operation serves: the key comes first. */
  const rejectWith =
    (error: (req: RequestParts) => ApiError): Respond =>
    async (req) => {
      req.exchange.headers = headersFor(req);
      await capacity.opened(authenticate, req);
      rejectUnreadable(req);
      throw error(req);
    };

  /** A preflight has no key. An `OPTIONS` request with a key comes from a client. */
  const claim = (req: RequestParts): void => {
    if (req.exchange.request.authorization === undefined) return;
    try {
      authenticate(req);
    } catch {
      // It belongs to no sandbox.
    }
  };
  const preflightFor =
    (methods: string): Respond =>
    (req) => {
      claim(req);
      req.exchange.headers = headersFor(req);
      return preflight(req, methods);
    };

  /** All methods of a path. */
  const pathWith = (path: string, served: readonly Omit<Endpoint, 'path'>[]): readonly Endpoint[] => {
    const methods = methodsOf(served);
    const reject = rejectWith((req) => otherMethodError(req, `${methods}, OPTIONS`));
    const others = [
      { method: 'options', respond: preflightFor(methods) },
      { method: 'all', respond: reject },
    ] as const;
    return [...served, ...others].map((each) => ({ ...each, path: pathInExpress(path) }));
  };

  const described = routesOf(OPERATIONS);
  const paths = [...new Set(described.map(({ path }) => path))];
  const rejectUnknown = rejectWith(unknownPathError);
  const preflightOfAny = preflightFor(methodsOf(described));
  return {
    endpoints: [
      ...paths.flatMap((path) => {
        const here = described.filter((each) => each.path === path);
        const allow = `${methodsOf(here)}, OPTIONS`;
        return pathWith(
          path,
          here.map((each) => ({ method: each.method, respond: respondToOperation(each, allow, options) })),
        );
      }),
      ...pathWith(`${basePath}/store/orders`, [{ method: 'get', respond: rejectWith(notDescribed) }]),
    ],
    // A page that requests an unknown path may read the 404.
    respondToUnknown: (req, res) => {
      if (req.method !== 'OPTIONS') return rejectUnknown(req, res);
      if (req.headers['access-control-request-method'] !== undefined) return preflightOfAny(req, res);
      req.exchange.headers = headersFor(req);
      claim(req);
      throw unknownPathError(req);
    },
    respondToUnreadable: rejectWith(unreadable),
  };
}

const notDescribed = () =>
  new ApiError(
    'not_specified',
    "the real service has GET /store/orders, but it isn't documented, so the sandbox doesn't serve it",
  );
