/**
 * The request lifecycle of one operation: authentication, removal, faults, parsing, the operation.
 * What is the same for all requests is computed when the handler is made.
 */

import type { Request, Response } from 'express';
import { ApiError } from '../api/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { AbortSignal } from '../core/real-globals.ts';
import { type BodyLimits, ClientGone, readBody } from '../http/body.ts';
import { LIGHT } from '../http/cpu-queue.ts';
import type { ResponseData } from '../http/response.ts';
import type { Redact } from '../requests/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { openToPages } from './cors.ts';
import type { Served } from './described.ts';
import { faultAskedFor, mayAskForFault } from './fault-header.ts';
import { type BodyReader, readOnce, ruledFault } from './fault-rules.ts';
import { inject } from './inject.ts';

/** The response to a request; `undefined` if a fault broke it. Rejects with errors for `respondToErrors`. */
export type Handler = (req: Request, res: Response) => Promise<ResponseData | undefined>;

export interface ServeOptions {
  /** The first steps of every request: authentication, a decodable address, and room at the validator. */
  readonly open: (req: Request) => Promise<Sandbox>;
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
  const run = runner(served, limits);
  const hasBody = operation.reads.includes('body');
  return async (req, res) => {
    req.exchange.operation = name;
    req.exchange.headers = [...openToPages(req), ...served.headers];
    const sandbox = await open(req);
    if (sandbox.now() >= removedAt) throw removed(served);
    if (sandbox.faults.rules.length === 0 && !mayAskForFault(req)) return await run(req, sandbox);
    const read = readOnce(() => readBody(req, limits));
    const fault = faultAskedFor(req) ?? (await ruledFault(req, sandbox, name, hasBody ? read : undefined));
    if (fault === undefined) return run(req, sandbox, read);
    return inject(req, res, fault, { clock, stopping, allow, redact, read }, () => run(req, sandbox, read));
  };
}

/** Parses a request and runs its operation. @param read supplies the body where a fault rule may have read it */
type Run = (req: Request, sandbox: Sandbox, read?: BodyReader) => Promise<ResponseData>;

function runner({ status, operation }: Served, limits: BodyLimits): Run {
  const operated = async (req: Request, sandbox: Sandbox, bytes?: Buffer): Promise<ResponseData> => {
    const input = operation.parse(req, bytes);
    req.exchange.accept();
    if ('operate' in operation) return { status, body: await operation.operate(sandbox, input, req.exchange) };
    const added = await sandbox.addPets(operation.newPets(input));
    req.exchange.changes = { created: added.map(({ id }) => id) };
    return { status, body: operation.body(added) };
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
