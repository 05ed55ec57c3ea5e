/** Applies a fault to a request: delays it, and replaces, slows down or breaks its response. */
import { STATUS_CODES } from 'node:http';
import { ApiError, errorBody } from '../../base/api/errors.ts';
import { readQuery } from '../../base/api/parameters.ts';
import type { Clock } from '../../base/clock.ts';
import { type JsonObject, type JsonValue, parseJson, readDecimal, writeJson } from '../../base/int64.ts';
import { AbortController, type AbortSignal, sleep } from '../../base/real-globals.ts';
import { changesBody, effectOf, type Fault, replacesResponse } from '../../sandbox/faults.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Redact } from '../../traffic/redact.ts';
import { ClientGone, recordBody } from '../http/body.ts';
import type { Capacity } from '../http/capacity.ts';
import type { Request, Response } from '../http/open-exchange.ts';
import { type Body, charactersOfBody, errorResponse, type ResponseData } from '../http/response.ts';

interface InjectOptions {
  /** Returns the real time, for a `Retry-After` that is a date. */
  readonly clock: Clock;
  /** Aborted when the server stops: delays then end at once. */
  readonly stopping: AbortSignal;
  /** The methods of this path, for a 405. */
  readonly allow: string;
  readonly redact: Redact;
  readonly read: BodyReader;
  readonly capacity: Capacity;
}

/**
 * Serves a request under a fault. `operate` runs the rest of the operation, and throws if it rejects the request.
 * @throws {ClientGone} when the client disconnects during a delay
 */
export async function inject(
  req: Request,
  res: Response,
  fault: Fault,
  options: InjectOptions,
  operate: () => Promise<ResponseData>,
): Promise<ResponseData> {
  const { stopping, redact, read, capacity } = options;
  if (fault.when === 'before') {
    // Before the delay: the client may leave in it, and its request is validated all the same.
    await recordBody(req, read, capacity);
    await delay(req, res, fault, stopping);
    if (!replacesResponse(fault)) return paced(await operate(), fault, stopping);
    return broken(req, fault, paced(substitute(fault, options), fault, stopping), options);
  }
  const lost = await operate().catch((error: unknown) => injectedRejection(error, redact));
  await delay(req, res, fault, stopping);
  const data = paced(fault.status === undefined ? lost : substitute(fault, options), fault, stopping);
  return replacesResponse(fault) ? broken(req, fault, data, options) : data;
}

const paced = (data: ResponseData, { bytesPerSecond }: Fault, stopping: AbortSignal): ResponseData =>
  bytesPerSecond === undefined ? data : { ...data, pace: { bytesPerSecond, stopping } };

/** The response as the fault changes or breaks it. */
async function broken(
  { exchange }: Request,
  fault: Fault,
  data: ResponseData,
  { capacity }: InjectOptions,
): Promise<ResponseData> {
  exchange.injectedFault = effectOf(fault);
  const { body } = data;
  const changed = changesBody(fault)
    ? await capacity.inTurn(exchange.owner, () => altered(body, fault), charactersOfBody(body))
    : body;
  return { ...data, body: changed, ...(fault.connection !== undefined && { broken: fault.connection }) };
}

/** An Error body with the headers required for its status (RFC 9110, section 15). */
function substitute({ status = 503, retryAfter, retryAfterAs }: Fault, { allow, clock }: InjectOptions): ResponseData {
  const headers: string[] = [];
  if (status === 401) headers.push('WWW-Authenticate', 'Bearer error="invalid_token"');
  if (status === 405) headers.push('Allow', allow);
  if (status === 407) headers.push('Proxy-Authenticate', 'Bearer');
  if (status === 426) headers.push('Upgrade', 'TLS/1.2');
  if (retryAfter !== undefined) {
    // A date is written as IMF-fixdate (RFC 9110, section 5.6.7).
    const isDate = retryAfterAs === 'date';
    headers.push('Retry-After', isDate ? new Date(clock.now() + retryAfter * 1000).toUTCString() : String(retryAfter));
  }
  const name = STATUS_CODES[status];
  const message = `an injected fault, in place of the response of the operation: ${status}${name ? ` ${name}` : ''}`;
  return { status, headers, body: errorBody('injected_fault', message, status) };
}

/** A rejection is a response too and can be lost; internal errors, and errors that are always logged, are rethrown. */
function injectedRejection(error: unknown, redact: Redact): ResponseData {
  if (error instanceof ApiError && error.cause === undefined) return errorResponse(error, redact);
  throw error;
}

/** Only a timer: it ends when the client disconnects or the server stops. */
async function delay(req: Request, res: Response, fault: Fault, stopping: AbortSignal): Promise<void> {
  if (fault.delayMs === undefined || stopping.aborted) return;
  req.exchange.delayMs = fault.delayMs;
  const over = new AbortController();
  const end = (): void => over.abort();
  res.once('close', end);
  req.socket.once('end', end);
  stopping.addEventListener('abort', end);
  req.exchange.endDelay = end;
  const hasLeft = (): boolean => res.destroyed || req.socket.readableEnded;
  if (!hasLeft()) await sleep(fault.delayMs, over.signal).catch(() => undefined);
  res.off('close', end);
  req.socket.off('end', end);
  stopping.removeEventListener('abort', end);
  req.exchange.endDelay = undefined;
  if (!hasLeft()) return;
  req.exchange.injectedFault = effectOf(fault);
  throw new ClientGone();
}

/**
 * Changes that a fault makes to a response's body: allowed ones, as in a later version of the service (`vary`), or
 * forbidden ones (`corrupt`). A body is one flat object, or an array of flat objects.
 */
type Members = readonly (readonly [name: string, value: JsonValue])[];

/** Values that are not in the specification. */
const NEW_STATUS = 'reserved';
const NEW_CODE = 'quota_spent';
const NEW_MEMBER = ['sandboxNewMember', 'added by a fault'] as const;

/** The changed body, in chunks if the original was in chunks. */
export function altered(body: Body, { vary = [], corrupt }: Pick<Fault, 'vary' | 'corrupt'>): Body {
  const pieces = typeof body === 'string' ? responsePieces(body) : body.flatMap(objectsIn);
  const between = vary.includes('space') ? ' \n ' : '';
  let isFirst = true;
  const changed = pieces.map((piece) => {
    if (!piece.startsWith('{')) return `${between}${piece}${between}`;
    const members = varied(membersOf(piece), vary, isFirst);
    const text = writtenMembers(isFirst ? corrupted(members, corrupt) : members, between);
    isFirst = false;
    return text;
  });
  if (corrupt !== undefined && (isFirst || corrupt === 'json')) breakOff(changed, corrupt);
  return typeof body === 'string' ? changed.join('') : changed;
}

/** Splits a body into `[`, object, `,`, object, `]`; or one object. */
function responsePieces(text: string): readonly string[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [text];
  const objects = value.flatMap((each, i) => [
    ...(i === 0 ? [] : [',']),
    writtenMembers(Object.entries(each as JsonObject), ''),
  ]);
  return ['[', ...objects, ']'];
}

/** A chunk of a long list may contain several objects separated by commas. */
function objectsIn(piece: string | Buffer): readonly string[] {
  const text = piece.toString();
  return text.startsWith('{') ? responsePieces(`[${text}]`).slice(1, -1) : [text];
}

const membersOf = (text: string): Members => Object.entries(parseJson(text) as JsonObject);

function varied(members: Members, vary: NonNullable<Fault['vary']>, isFirst: boolean): Members {
  const isError = members.some(([name]) => name === 'code');
  let all = members;
  if (vary.includes('status') && isFirst && !isError) all = withValue(all, 'status', NEW_STATUS);
  if (vary.includes('code') && isError) all = withValue(all, 'code', NEW_CODE);
  if (vary.includes('field')) all = [...all, NEW_MEMBER];
  return vary.includes('order') ? all.toReversed() : all;
}

const withValue = (members: Members, name: string, value: string): Members => [
  ...members.filter((member) => member[0] !== name),
  [name, value],
];

/** Corrupts one object: changes the type of its first integer, or removes its first member. */
function corrupted(members: Members, corrupt: Fault['corrupt']): Members {
  if (corrupt === 'required') return members.slice(1);
  if (corrupt !== 'type') return members;
  const at = members.findIndex(([, value]) => typeof value === 'bigint');
  return members.map(([name, value], i) => [name, i === at ? String(value) : value]);
}

/**
 * Corrupts the whole body: invalid JSON lacks its last character. A list without objects gets one with the requested
 * flaw.
 */
function breakOff(pieces: string[], corrupt: NonNullable<Fault['corrupt']>): void {
  const last = (pieces.at(-1) as string).trimEnd();
  if (corrupt === 'json') pieces[pieces.length - 1] = last.slice(0, -1);
  else pieces.splice(0, pieces.length, corrupt === 'type' ? '{}' : '[{}]');
}

const writtenMembers = (members: Members, between: string): string =>
  `{${members.map(([name, value]) => `${between}${JSON.stringify(name)}${between}:${between}${writeJson(value)}`).join(',')}${between}}`;

// Selects the fault of a sandbox's rules for a request. None of this runs while a sandbox has no rules.

/** Reads the body once: every call returns the same bytes, or throws the same error. */
export type BodyReader = () => Promise<Buffer | undefined>;

/** Makes a reader that several steps can call. */
export function readOnce(read: BodyReader): BodyReader {
  let reading: Promise<Buffer | undefined> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** The fault of the first rule that matches and triggers. @throws {ApiError} `storage_failed` */
export async function ruledFault(req: Request, sandbox: Sandbox, operation: string): Promise<Fault | undefined> {
  // It is no use of the operation: nothing counts it.
  if (req.method === 'HEAD') return undefined;
  const { petId } = req.params;
  return sandbox.nextFault({
    operation,
    petId: typeof petId === 'string' ? readDecimal(petId)?.toString() : undefined,
    query: readQuery(req.exchange.request.target),
  });
}
