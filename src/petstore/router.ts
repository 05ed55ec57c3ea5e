/** The interface, as `spec/openapi.yaml` lists it: each operation finds its file by name, and takes the same steps. */
import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { type Answer, answer } from '../http/answer.ts';
import { type BodyLimits, ClientGone, readBody } from '../http/body.ts';
import { unknownPathError } from '../http/errors.ts';
import { LIGHT } from '../http/heavy-lane.ts';
import { refuseUnreadable } from '../http/query.ts';
import type { Redact } from '../sandbox/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { authenticator } from './authenticate.ts';
import { answerPreflight, OPEN_TO_PAGES } from './cors.ts';
import { methodsOf, routesOf, type Served } from './described.ts';
import { faultAskedFor } from './fault-header.ts';
import { inject } from './inject.ts';
import { createPet } from './operations/createPet.ts';
import { getPet } from './operations/getPet.ts';
import { listPets } from './operations/listPets.ts';

export interface PetstoreOptions {
  readonly sandboxes: Sandboxes;
  readonly clock: Clock;
  readonly limits: BodyLimits;
  /** Takes secrets out of the messages of errors. */
  readonly redact: Redact;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Every operation that is built, by its name in the specification. */
const OPERATIONS = { listPets, createPet, getPet };

/**
 * Adds everything under `/v1`. The routes go straight onto the server's own router: one more router in between would
 * cost a request as much as its operation.
 */
export function addPetstore(router: Router, { sandboxes, clock, limits, redact, stopping }: PetstoreOptions): void {
  const authenticate = authenticator({ sandboxes, clock });
  /** The first steps of every request, whatever it asks for: the key, then an address that can be read. */
  const open = (req: Request): Sandbox => {
    const sandbox = authenticate(req);
    refuseUnreadable(req);
    return sandbox;
  };

  const serve = (served: Served, allow: string): RequestHandler => {
    const { name, status, removedAt, operation } = served;
    const headers = [...OPEN_TO_PAGES, ...served.headers];
    const operated = async (req: Request, sandbox: Sandbox, bytes?: Buffer): Promise<Answer> => {
      const input = operation.parse(req, bytes);
      req.exchange.accept();
      return { status, body: await operation.operate(sandbox, input, req.exchange) };
    };
    const withBody = async (req: Request, sandbox: Sandbox): Promise<Answer> => {
      const bytes = await readBody(req, limits);
      if (bytes === undefined || bytes.length <= LIGHT) return operated(req, sandbox, bytes);
      return req.exchange.inTurnWithBody(bytes.length, () => {
        if (req.socket.destroyed) throw new ClientGone();
        return operated(req, sandbox, bytes);
      });
    };
    const run = operation.reads.includes('body') ? withBody : operated;
    return async (req: Request, res: Response) => {
      const { exchange } = req;
      exchange.operation = name;
      exchange.headers = headers;
      let sandbox: Sandbox;
      try {
        sandbox = open(req);
      } finally {
        const room = exchange.belongTo(exchange.sandbox ?? '');
        if (room) await room;
      }
      if (sandbox.now() >= removedAt) throw removed(served);
      const fault = faultAskedFor(req) ?? sandbox.faults.next(name);
      if (fault) await inject(req, res, fault, { limits, stopping, allow, redact }, () => run(req, sandbox));
      else answer(req, res, await run(req, sandbox));
    };
  };

  /** What is there, but not for this method, or not described. */
  const refuse =
    (error: (req: Request) => ApiError): RequestHandler =>
    (req) => {
      req.exchange.headers = OPEN_TO_PAGES;
      open(req);
      throw error(req);
    };

  const routes = routesOf(OPERATIONS);
  for (const { path, served } of routes) {
    const methods = methodsOf(served);
    const allow = `${methods}, OPTIONS`;
    const route = router.route(path);
    for (const each of served) route[each.method](serve(each, allow));
    route.options(answerPreflight(methods)).all(refuse(otherMethod(allow)));
  }
  router
    .route('/v1/store/orders')
    .get(refuse(notDescribed))
    .options(answerPreflight('GET, HEAD'))
    .all(refuse(otherMethod('GET, HEAD, OPTIONS')));
  // A page that asks for a path that is none may read the 404.
  router.options('/v1{/*path}', answerPreflight(methodsOf(routes.flatMap(({ served }) => served))));
  router.use('/v1', refuse(unknownPathError));
  // Express decodes paths while it looks for the route, before any step of ours: the key still comes first.
  const keyFirst: ErrorRequestHandler = (error, req, _res, next) => {
    if (error instanceof URIError) {
      req.exchange.headers = OPEN_TO_PAGES;
      open(req);
    }
    next(error);
  };
  router.use('/v1', keyFirst);
}

function removed({ name, removedAt, operation: { successor } }: Served): ApiError {
  const since = `${name} was removed on ${new Date(removedAt).toISOString().slice(0, 10)}`;
  return new ApiError('operation_removed', successor ? `${since}; ${successor.advice}` : since);
}

const otherMethod = (allow: string) => (req: Request) =>
  new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are ${allow}`, ['Allow', allow]);

const notDescribed = () =>
  new ApiError(
    'not_described',
    'GET /store/orders exists at the real service, but its interface is not described, so the sandbox cannot stand in for it',
  );
