/**
 * The request lifecycle of one operation: authentication, removal, faults, parsing, the operation, its response.
 * What is the same for all requests is computed when the handler is made.
 */
import type { Request, Response } from 'express';
import { ApiError } from '../api/errors.ts';
import { type Awaitable, continued } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import { type BodyLimits, ClientGone, readBody } from '../http/body.ts';
import { LIGHT } from '../http/heavy-lane.ts';
import { type ResponseData, respond } from '../http/response.ts';
import type { Redact } from '../requests/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { OPEN_TO_PAGES } from './cors.ts';
import type { Served } from './described.ts';
import type { Handler } from './direct-path.ts';
import { faultAskedFor, mayAskForFault } from './fault-header.ts';
import { type BodyReader, readOnce, ruledFault } from './fault-rules.ts';
import { inject } from './inject.ts';

export interface ServeOptions {
  /** The first steps of every request: authentication, then a decodable address. */
  readonly open: (req: Request) => Awaitable<Sandbox>;
  readonly clock: Clock;
  readonly limits: BodyLimits;
  /** Redacts secrets in error messages. */
  readonly redact: Redact;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Makes the handler of an operation. @param allow the methods of its path */
export function serve(served: Served, allow: string, options: ServeOptions): Handler {
  const { open, clock, limits, redact, stopping } = options;
  const { name, removedAt, operation } = served;
  const headers = [...OPEN_TO_PAGES, ...served.headers];
  const run = runner(served, limits);
  const hasBody = operation.reads.includes('body');
  const runUnderFaults = async (req: Request, res: Response, sandbox: Sandbox): Promise<void> => {
    const read = readOnce(() => readBody(req, limits));
    const fault = faultAskedFor(req) ?? (await ruledFault(req, sandbox, name, hasBody ? read : undefined));
    if (fault === undefined) return respond(req, res, await run(req, sandbox, read));
    await inject(req, res, fault, { clock, stopping, allow, redact, read }, async () => run(req, sandbox, read));
  };
  const operate = (req: Request, res: Response, sandbox: Sandbox): Awaitable<void> => {
    if (sandbox.now() >= removedAt) throw removed(served);
    if (sandbox.faults.rules.length > 0 || mayAskForFault(req)) return runUnderFaults(req, res, sandbox);
    return continued(run(req, sandbox), (data) => respond(req, res, data));
  };
  return (req, res) => {
    req.exchange.operation = name;
    req.exchange.headers = headers;
    return continued(admitted(req, open), (sandbox) => operate(req, res, sandbox));
  };
}

/** Opens the sandbox of a request, when the validator has room for the exchange: a rejection is validated too. */
function admitted(req: Request, open: ServeOptions['open']): Awaitable<Sandbox> {
  const { exchange } = req;
  const room = (): Awaitable<void> => exchange.belongTo(exchange.sandbox ?? '');
  const rejected = (error: unknown): Awaitable<never> =>
    continued(room(), () => {
      throw error;
    });
  let opened: Awaitable<Sandbox>;
  try {
    opened = open(req);
  } catch (error) {
    return rejected(error);
  }
  if (opened instanceof Promise) return opened.then((sandbox) => continued(room(), () => sandbox), rejected);
  const sandbox = opened;
  return continued(room(), () => sandbox);
}

/** Parses a request and runs its operation. @param read supplies the body where a fault rule may have read it */
type Run = (req: Request, sandbox: Sandbox, read?: BodyReader) => Awaitable<ResponseData>;

function runner({ status, operation }: Served, limits: BodyLimits): Run {
  const operated = (req: Request, sandbox: Sandbox, bytes?: Buffer): Awaitable<ResponseData> => {
    const input = operation.parse(req, bytes);
    req.exchange.accept();
    if ('operate' in operation)
      return continued(operation.operate(sandbox, input, req.exchange), (body) => ({ status, body }));
    return continued(sandbox.addPets(operation.plan(input)), (added) => {
      req.exchange.changes = { created: added.map(({ id }) => id) };
      return { status, body: operation.body(added) };
    });
  };
  if (!operation.reads.includes('body')) return (req, sandbox) => operated(req, sandbox);
  return async (req, sandbox, read) => {
    const bytes = await (read ? read() : readBody(req, limits));
    if (bytes === undefined || bytes.length <= LIGHT) return operated(req, sandbox, bytes);
    return req.exchange.inTurnWithBody(bytes.length, () => {
      if (req.socket.destroyed) throw new ClientGone();
      return operated(req, sandbox, bytes);
    });
  };
}

function removed({ name, removedAt, operation: { successor } }: Served): ApiError {
  const since = `${name} was removed on ${new Date(removedAt).toISOString().slice(0, 10)}`;
  return new ApiError('operation_removed', successor ? `${since}; ${successor.advice}` : since);
}
