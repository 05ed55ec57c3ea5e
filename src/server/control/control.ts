/** The type of a control: an operation of the specification, and its implementation. */

import type { Clock } from '../../base/clock.ts';
import type { MemoryPlan } from '../../base/memory.ts';
import type { AbortSignal } from '../../base/real-globals.ts';
import type { Settings } from '../../base/settings/settings.ts';
import type { ClientOptions } from '../../client/client.ts';
import type { Fixtures } from '../../sandbox/fixtures.ts';
import { newFixture } from '../../sandbox/new-fixture.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { SignInCodes } from '../../sandbox/sign-in-codes.ts';
import type { NewFixture } from '../../sandbox/store/fixture.ts';
import type { KeyRecord } from '../../sandbox/store/record.ts';
import type { Store } from '../../sandbox/store/store.ts';
import type { Events } from '../../traffic/events.ts';
import { redactedJson } from '../../traffic/redact.ts';
import type { RequestLog } from '../../traffic/request-log.ts';
import type { RequestLogs } from '../../traffic/request-logs.ts';
import type { Unanswered } from '../../traffic/unanswered.ts';
import type { Unmatched } from '../../traffic/unmatched-requests.ts';
import type { Documents } from '../../verdict/documents/documents.ts';
import type { DrillRuns } from '../../verdict/drills/runs.ts';
import { FORMATS, type FormatName, inFormat } from '../../verdict/report/formats/formats.ts';
import type { Results } from '../../verdict/report/results.ts';
import type { ValidatorService } from '../../verdict/validator/validator.ts';
import { type BodyLimits, rejection } from '../http/body.ts';
import type { Capacity } from '../http/capacity.ts';
import type { ErrorOptions } from '../http/errors.ts';
import type { RequestParts } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import type { ControlRequest, Input } from './parse.ts';
import type { RequestFigures } from './request-figures.ts';

/** The parts of the server that controls use. */
export interface ControlContext extends ErrorOptions {
  readonly settings: Settings;
  readonly memory: MemoryPlan;
  readonly adminToken: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly fixtures: Fixtures;
  readonly sandboxes: Sandboxes;
  readonly signInCodes: SignInCodes;
  readonly drills: DrillRuns;
  readonly requestLogs: RequestLogs;
  readonly unanswered: Unanswered;
  readonly events: Events;
  readonly unmatched: Unmatched;
  /** Whether every key may see unmatched requests: only if the server is used by one person. */
  readonly unmatchedForKeys: boolean;
  readonly figures: RequestFigures;
  readonly validator: ValidatorService;
  readonly documents: Documents;
  readonly capacity: Capacity;
  /** Aborted when shutdown starts. */
  readonly stopping: AbortSignal;
  /** Milliseconds between keep-alive comments; a reader that has received nothing for two intervals is disconnected. */
  readonly heartbeatMs: number;
  /** Base address of this server as the client sees it, without a path: `http://127.0.0.1:4020`. */
  readonly addressFor: (req: RequestParts) => string;
}

/** One call of a control. */
export interface ControlCall extends Input {
  readonly req: ControlRequest;
  /** Runs work when its turn comes, see `Capacity`. */
  inTurn<T>(work: () => T | Promise<T>, size?: number, goesOn?: boolean): Promise<T>;
  /** Whether the request carried the admin token. */
  readonly admin: boolean;
  /** The sandbox to act on. @throws {ApiError} if the request names none; never for a control that needs a key */
  sandbox(): Sandbox;
  /** The request's key, if any; the admin has none. */
  readonly key: KeyRecord | undefined;
  /** Calls the control API as a part of this request, instead of `fetch`. */
  readonly send: NonNullable<ClientOptions['fetch']>;
}

export type Control = (call: ControlCall) => Promise<ResponseData> | ResponseData;

/** The controls of one resource, by operation name. */
export type Controls = Readonly<Record<string, Control>>;

/** A sandbox with its request log, all of it validated. */
export interface Validated {
  readonly sandbox: Sandbox;
  readonly requestLog: RequestLog;
}

/** The sandbox of a call with its request log, once all earlier exchanges are validated. */
export async function validatedOf(call: ControlCall, { requestLogs }: ControlContext): Promise<Validated> {
  const sandbox = call.sandbox();
  await requestLogs.whenValidated(sandbox.id);
  return { sandbox, requestLog: requestLogs.of(sandbox) };
}

/** Data as results in the requested format. Redacted once, as data: no format can then contain a secret. */
export async function rendered<T>(
  { query }: ControlCall,
  data: T,
  resultsOf: (data: T) => Results,
  { redact }: ControlContext,
): Promise<ResponseData> {
  const results = resultsOf(JSON.parse(redactedJson(data, redact)) as T);
  const format = (query['format'] ?? 'json') as FormatName;
  const body = await inFormat(format, results, { listed: ['accepted', 'skipped'], full: true });
  return { status: 200, contentType: FORMATS[format].mediaType, body };
}

/** A response with a JSON body. The caller must serialize `bigint` members. */
export const json = (status: number, value: unknown): ResponseData => ({ status, body: JSON.stringify(value) });

/** 204. */
export const done: ResponseData = { status: 204, body: '' };

/** The body of a control that parses it by itself. @param wanted in words @throws {ApiError} if there is none */
export async function ownBody(req: ControlRequest, limits: BodyLimits, wanted: string): Promise<Buffer> {
  const bytes = await req.readBody(limits);
  if (bytes !== undefined) return bytes;
  throw rejection(req, 'invalid_request', [{ location: 'body', message: `is missing; send ${wanted}` }]);
}

/** Characters of a pet, roughly. */
export const A_PET = 80;

/** Runs `use` with the fixture of the body, `undefined` if it gives none: large ones when their turn comes. */
export async function withGivenFixture<T>(
  { body, inline, inTurn }: ControlCall,
  use: (fixture: string | NewFixture | undefined) => Promise<T>,
): Promise<T> {
  if (inline === undefined) return use(body['fixture'] as string | undefined);
  const fixture = await newFixture(inline, inTurn);
  return inTurn(() => use(fixture), fixture.pets.length * A_PET);
}
