/**
 * The request lifecycle of one operation: authentication, removal, faults, parsing, the operation.
 * What is the same for all requests is computed when the route is made.
 */

import { ApiError } from '../../base/api/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { AbortSignal } from '../../base/real-globals.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Redact } from '../../traffic/redact.ts';
import { type BodyLimits, ClientGone, readBody } from '../http/body.ts';
import { type Capacity, LONG } from '../http/capacity.ts';
import { openToPages } from '../http/cors.ts';
import { accept, type Request, type RequestParts, type Response } from '../http/open-exchange.ts';
import type { Body, Respond, ResponseData } from '../http/response.ts';
import { rejectUnreadable } from '../http/well-formed.ts';
import type { Served } from './described.ts';
import { faultAskedFor, mayAskForFault } from './fault-header.ts';
import { type BodyReader, inject, readOnce, ruledFault } from './inject.ts';

export interface ServeOptions {
  /** Opens the sandbox of a request's key. */
  readonly authenticate: (req: RequestParts) => Sandbox;
  readonly clock: Clock;
  readonly limits: BodyLimits;
  readonly capacity: Capacity;
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** How an operation is served. @param allow the methods of its path */
export function respondToOperation(served: Served, allow: string, options: ServeOptions): Respond {
  const { authenticate, clock, limits, capacity, redact, stopping } = options;
  const { name, removedAt } = served;
  const run = runner(served, options);
  const headersFor = openToPages(served.headers);
  const open = (req: RequestParts): Sandbox => {
    req.exchange.operation = name;
    req.exchange.headers = headersFor(req);
    return authenticate(req);
  };
  const runWithFault = async (req: Request, res: Response, sandbox: Sandbox): Promise<ResponseData> => {
    const read = readOnce(() => readBody(req, limits, capacity));
    const asked = mayAskForFault(req) ? faultAskedFor(req) : undefined;
    const fault = asked ?? (await ruledFault(req, sandbox, name));
    if (fault === undefined) return run(req, sandbox, read);
    return inject(req, res, fault, { clock, stopping, allow, redact, read, capacity }, async () =>
      run(req, sandbox, read),
    );
  };
  const respond = (req: Request, res: Response, sandbox: Sandbox): ResponseData | Promise<ResponseData> => {
    rejectUnreadable(req);
    if (sandbox.now() >= removedAt) throw removedError(served);
    const mayFail = sandbox.record.faults.length > 0 || mayAskForFault(req);
    return mayFail ? runWithFault(req, res, sandbox) : run(req, sandbox);
  };
  return (req, res) => {
    const sandbox = capacity.opened(open, req);
    return sandbox instanceof Promise ? sandbox.then((each) => respond(req, res, each)) : respond(req, res, sandbox);
  };
}

/** Parses a request and runs its operation. @param read supplies the body where a fault rule may have read it */
type RunOperation = (req: Request, sandbox: Sandbox, read?: BodyReader) => ResponseData | Promise<ResponseData>;

function runner({ status, operation }: Served, { limits, capacity }: ServeOptions): RunOperation {
  const responseOf = (body: Body): ResponseData => ({ status, body });
  const operated = (req: Request, sandbox: Sandbox, bytes?: Buffer): ResponseData | Promise<ResponseData> => {
    const input = operation.parse(req, bytes);
    const { exchange } = req;
    accept(exchange);
    if ('operate' in operation) {
      const body = operation.operate(sandbox.journal, input, { exchange, capacity });
      return body instanceof Promise ? body.then(responseOf) : responseOf(body);
    }
    return sandbox.journal.addPets(operation.newPets(input)).then((added) => {
      exchange.changes = { created: added.map(({ id }) => id) };
      return responseOf(operation.body(added));
    });
  };
  if (!operation.reads.includes('body')) return (req, sandbox) => operated(req, sandbox);
  return async (req, sandbox, read) => {
    const bytes = await (read ? read() : readBody(req, limits, capacity));
    if (bytes === undefined || bytes.length <= LONG) return operated(req, sandbox, bytes);
    return capacity.inTurnWithBody(req.exchange, bytes.length, () => {
      if (req.socket.destroyed) throw new ClientGone();
      return operated(req, sandbox, bytes);
    });
  };
}

function removedError({ name, removedAt, operation: { successor } }: Served): ApiError {
  const since = `${name} was removed on ${new Date(removedAt).toISOString().slice(0, 10)}`;
  return new ApiError('operation_removed', successor ? `${since}; ${successor.advice}` : since);
}
