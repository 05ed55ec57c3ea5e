/** The petstore API of `spec/openapi.yaml`: finds the file of each operation by name, and runs the same steps for all. */
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import { ApiError } from '../api/errors.ts';
import { type Awaitable, continued } from '../core/awaitable.ts';
import { unknownPathError } from '../http/errors.ts';
import { rejectUnreadable } from '../http/query.ts';
import type { Door } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { authenticator } from './authenticate.ts';
import { OPEN_TO_PAGES, respondToPreflight } from './cors.ts';
import { methodsOf, routesOf } from './described.ts';
import { DirectPath } from './direct-path.ts';
import { createPet } from './operations/createPet.ts';
import { getPet } from './operations/getPet.ts';
import { listPets } from './operations/listPets.ts';
import { type ServeOptions, serve } from './serve.ts';

export interface PetstoreOptions extends Omit<ServeOptions, 'open'> {
  readonly door: Door;
  readonly sandboxes: Sandboxes;
}

/** Every operation that is built, by its name in the specification. */
export const OPERATIONS = { listPets, createPet, getPet };

/**
 * Adds everything under `/v1`. The routes are added to the server's own router: a nested router would cost a request as
 * much as its operation.
 * @returns the same operations, for requests that need no router
 */
export function addPetstore(router: Router, { door, sandboxes, ...options }: PetstoreOptions): DirectPath {
  const authenticate = authenticator({ door, sandboxes, clock: options.clock });
  const open = (req: Request): Awaitable<Sandbox> =>
    continued(authenticate(req), (sandbox) => {
      rejectUnreadable(req);
      return sandbox;
    });

  /** Paths with another method, and paths without a description. */
  const reject =
    (error: (req: Request) => ApiError): RequestHandler =>
    async (req) => {
      req.exchange.headers = OPEN_TO_PAGES;
      await open(req);
      throw error(req);
    };

  const routes = routesOf(OPERATIONS);
  const direct = new DirectPath();
  for (const { path, served } of routes) {
    const methods = methodsOf(served);
    const allow = `${methods}, OPTIONS`;
    const route = router.route(path);
    for (const each of served) {
      const handler = serve(each, allow, { ...options, open });
      route[each.method](handler);
      direct.add(each.method, path, handler);
    }
    route.options(respondToPreflight(methods)).all(reject(otherMethod(allow)));
  }
  router
    .route('/v1/store/orders')
    .get(reject(notDescribed))
    .options(respondToPreflight('GET, HEAD'))
    .all(reject(otherMethod('GET, HEAD, OPTIONS')));
  // A page that requests an unknown path may read the 404.
  router.options('/v1{/*path}', respondToPreflight(methodsOf(routes.flatMap(({ served }) => served))));
  router.use('/v1', reject(unknownPathError));
  // Express decodes paths during routing, before our steps run: authentication still comes first.
  const keyFirst: ErrorRequestHandler = async (error, req, _res, next) => {
    if (error instanceof URIError) {
      req.exchange.headers = OPEN_TO_PAGES;
      await open(req);
    }
    next(error);
  };
  router.use('/v1', keyFirst);
  return direct;
}

const otherMethod = (allow: string) => (req: Request) =>
  new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are ${allow}`, ['Allow', allow]);

const notDescribed = () =>
  new ApiError(
    'not_specified',
    'GET /store/orders exists at the real service, but its API is not described, so the sandbox cannot stand in for it',
  );
