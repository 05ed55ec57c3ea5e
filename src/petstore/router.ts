/** The interface: one route an operation, each the same steps in the same order. */
import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express';
import type { Clock } from '../clock.ts';
import { removalOfGetPet } from '../document.ts';
import { ApiError } from '../errors.ts';
import { type Answer, answer } from '../http/answer.ts';
import { type BodyLimits, ClientGone, readBody } from '../http/body.ts';
import { unknownPathError } from '../http/errors.ts';
import { LIGHT } from '../http/heavy-lane.ts';
import { refuseUnreadable } from '../http/query.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { authenticator } from './authenticate.ts';
import { answerPreflight, OPEN_TO_PAGES } from './cors.ts';
import { faultAskedFor } from './fault-header.ts';
import { inject } from './inject.ts';
import { createPet, getPet, listPets, type Turns } from './operations.ts';
import { parseCreatePet, parseListPets, parsePetId } from './parse.ts';

export interface PetstoreOptions {
  readonly sandboxes: Sandboxes;
  readonly clock: Clock;
  readonly limits: BodyLimits;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** One operation of the document: how its request is parsed, and what it does. */
interface Operation<Input> {
  readonly name: string;
  readonly status: number;
  /** The methods of its path. */
  readonly allow: string;
  /** Headers of every answer of this operation, errors included. */
  readonly headers?: readonly string[];
  /** When the operation is removed, in milliseconds since 1970, by the sandbox's clock. */
  readonly removedAt?: number;
  readonly hasBody?: boolean;
  /** @param bytes of the body, where the operation has one and it was sent */
  parse(req: Request, bytes?: Buffer): Input;
  operate(sandbox: Sandbox, input: Input, turns: Turns): Promise<string>;
}

/** RFC 8594 and RFC 8288: when `getPet` goes, and what replaces it. */
const SUNSET = ['Sunset', new Date(removalOfGetPet).toUTCString(), 'Link', '</v1/pets>; rel="successor-version"'];
const ON_PETS = 'GET, HEAD, POST, OPTIONS';
const ON_A_PET = 'GET, HEAD, OPTIONS';
const GET_PET = { name: 'getPet', status: 200, allow: ON_A_PET, headers: SUNSET, removedAt: removalOfGetPet };

/**
 * Adds everything under `/v1`. The routes go straight onto the server's own router: one more router in between would
 * cost a request as much as its operation.
 */
export function addPetstore(router: Router, { sandboxes, clock, limits, stopping }: PetstoreOptions): void {
  const authenticate = authenticator({ sandboxes, clock });
  /** The first steps of every request, whatever it asks for: the key, then an address that can be read. */
  const open = (req: Request): Sandbox => {
    const sandbox = authenticate(req);
    refuseUnreadable(req);
    return sandbox;
  };

  const serve = <Input>(operation: Operation<Input>): RequestHandler => {
    const { name, status, allow, removedAt = Infinity, hasBody = false, parse, operate } = operation;
    const headers = [...OPEN_TO_PAGES, ...(operation.headers ?? [])];
    const operated = async (req: Request, sandbox: Sandbox, bytes?: Buffer): Promise<Answer> => {
      const input = parse(req, bytes);
      req.exchange.accept();
      return { status, body: await operate(sandbox, input, req.exchange) };
    };
    const withBody = async (req: Request, sandbox: Sandbox): Promise<Answer> => {
      const bytes = await readBody(req, limits);
      if (bytes === undefined || bytes.length <= LIGHT) return operated(req, sandbox, bytes);
      return req.exchange.inTurnWithBody(bytes.length, () => {
        if (req.socket.destroyed) throw new ClientGone();
        return operated(req, sandbox, bytes);
      });
    };
    const run = hasBody ? withBody : operated;
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
      refuseRemoved(sandbox, removedAt);
      const fault = faultAskedFor(req) ?? sandbox.faults.next(name);
      if (fault) await inject(req, res, fault, { limits, stopping, allow }, () => run(req, sandbox));
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

  router
    .route('/v1/pets/:petId')
    .get(serve({ ...GET_PET, parse: parsePetId, operate: getPet }))
    .options(answerPreflight)
    .all(refuse(otherMethod(ON_A_PET)));
  router
    .route('/v1/pets')
    .get(serve({ name: 'listPets', status: 200, allow: ON_PETS, parse: parseListPets, operate: listPets }))
    .post(
      serve({
        name: 'createPet',
        status: 201,
        allow: ON_PETS,
        hasBody: true,
        parse: parseCreatePet,
        operate: createPet,
      }),
    )
    .options(answerPreflight)
    .all(refuse(otherMethod(ON_PETS)));
  router
    .route('/v1/store/orders')
    .get(refuse(notDescribed))
    .options(answerPreflight)
    .all(refuse(otherMethod('GET, HEAD, OPTIONS')));
  router.options('/v1{/*path}', answerPreflight);
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

function refuseRemoved(sandbox: Sandbox, removedAt: number): void {
  if (sandbox.now() < removedAt) return;
  throw new ApiError(
    'operation_removed',
    `getPet was removed on ${new Date(removedAt).toISOString().slice(0, 10)}; use GET /v1/pets with the status filter`,
  );
}

const otherMethod = (allow: string) => (req: Request) =>
  new ApiError('method_not_allowed', `${req.method} is not possible here; the methods are ${allow}`, ['Allow', allow]);

const notDescribed = () =>
  new ApiError(
    'not_described',
    'GET /store/orders exists at the real service, but its interface is not described, so the sandbox cannot stand in for it',
  );
