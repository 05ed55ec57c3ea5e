/** The type of a control: an operation of the specification, and its implementation. */
import type { Request, Response } from 'express';
import type { ClientOptions } from '../client/client.ts';
import type { Clock } from '../core/clock.ts';
import { type BodyLimits, readBody, rejection } from '../http/body.ts';
import { ROUND } from '../http/heavy-lane.ts';
import type { ResponseData } from '../http/response.ts';
import type { Door } from '../sandbox/backend.ts';
import { newFixture } from '../sandbox/new-fixture.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { NewFixture } from '../store/fixture.ts';
import type { KeyRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Input } from './parse.ts';

/** Context available to every control. */
export interface ControlContext {
  readonly door: Door;
  readonly sandboxes: Sandboxes;
  readonly store: Store;
  readonly clock: Clock;
  /** Base address of this server as the client sees it, without a path: `http://127.0.0.1:4020`. */
  readonly addressFor: (req: Request) => string;
}

/** One call of a control. */
export interface Call extends Input {
  readonly req: Request;
  readonly res: Response;
  /** Whether the request carried the admin token. */
  readonly admin: boolean;
  /** The sandbox to act on. @throws {ApiError} if the request names none; never for a control that needs a key */
  sandbox(): Sandbox;
  /** The request's key, if any; the admin has none. */
  readonly key: KeyRecord | undefined;
  /** Calls the control API as a part of this request, in place of `fetch`. */
  readonly send: NonNullable<ClientOptions['fetch']>;
}

/** `undefined`: the control writes the response itself. */
export type Control = (call: Call) => Promise<ResponseData | undefined> | ResponseData | undefined;

/** The controls of one resource, by operation name. */
export type Controls = Readonly<Record<string, Control>>;

/** A response with a JSON body. The caller must serialize `bigint` members. */
export const json = (status: number, value: unknown): ResponseData => ({ status, body: JSON.stringify(value) });

/** 204. */
export const done: ResponseData = { status: 204, body: '' };

/** The body of a control that parses it by itself. @param wanted in words @throws {ApiError} if there is none */
export async function ownBody(req: Request, limits: BodyLimits, wanted: string): Promise<Buffer> {
  const bytes = await readBody(req, limits);
  if (bytes !== undefined) return bytes;
  throw rejection(req, 'invalid_request', [{ location: 'body', message: `is missing; send ${wanted}` }]);
}

/** Characters of a pet, roughly. */
export const A_PET = 80;

/** Runs `use` with the fixture of the body, `undefined` if it gives none: large ones when their turn comes. */
export async function withGivenFixture<T>(
  { body, inline, req }: Call,
  use: (fixture: string | NewFixture | undefined) => Promise<T>,
): Promise<T> {
  if (inline === undefined) return use(body['fixture'] as string | undefined);
  const fixture = await newFixture(inline, (work) => req.exchange.inTurn(ROUND, work));
  return req.exchange.inTurn(fixture.pets.length * A_PET, () => use(fixture));
}
