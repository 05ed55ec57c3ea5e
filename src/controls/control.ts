/** What a control is: a name from the document, and what it does. */
import type { Request, Response } from 'express';
import type { Clock } from '../clock.ts';
import type { Answer } from '../http/answer.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { KeyRecord } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Input } from './parse.ts';

/** What every control may use. */
export interface ControlContext {
  readonly sandboxes: Sandboxes;
  readonly store: Store;
  readonly clock: Clock;
  /** Base address of this server as the client knows it, without a path: `http://127.0.0.1:4020`. */
  readonly addressFor: (req: Request) => string;
}

/** One call of a control. */
export interface Call extends Input {
  readonly req: Request;
  readonly res: Response;
  /** Whether the admin token came with it. */
  readonly admin: boolean;
  /** The sandbox to act on. @throws {ApiError} where the request names none; never for a control that needs a key */
  sandbox(): Sandbox;
  /** The key that came, where one did; the admin has none. */
  readonly key: KeyRecord | undefined;
}

/** `undefined`: the control has answered by itself, or still does. */
export type Control = (call: Call) => Promise<Answer | undefined> | Answer | undefined;

/** The controls of one noun, by the name of their operation. */
export type Controls = Readonly<Record<string, Control>>;

/** An answer with a JSON body. `bigint` members must be written as text by the caller. */
export const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });

/** 204. */
export const done: Answer = { status: 204, body: '' };
