/** Notifies the listeners of a sandbox. Without listeners it costs nothing. */
import { ApiError } from '../base/api/errors.ts';
import type { SandboxEvent } from '../base/api/sandbox-event.ts';
import { clearTimeout, setTimeout } from '../base/real-globals.ts';
import { type Redact, redactedJson } from './redact.ts';
import { MAX_REQUESTS, type UnmatchedRequest } from './unmatched-requests.ts';

const MAX_LISTENERS = 256;
const MAX_LISTENERS_OF_ONE = 8;

export interface Listener {
  /** Whether it may receive requests that belong to no sandbox. */
  readonly seesUnmatched: boolean;
  /** Exchanges were added to the request log or settled. */
  wake(): void;
  notify(event: SandboxEvent): void;
  /** @param text events of requests that belong to no sandbox, as they are sent */
  notifyUnmatched(text: string): void;
  /** The stream ends. */
  end(): void;
}

export class Events {
  readonly #bySandbox = new Map<string, Set<Listener>>();
  #count = 0;
  #closed = false;
  readonly #redact: Redact;
  #unmatched: UnmatchedRequest[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /**
   * @returns a function that removes the listener
   * @throws {ApiError} `limit_reached`, `shutting_down`
   */
  listen({ id }: { readonly id: string }, listener: Listener): () => void {
    const listeners = this.#bySandbox.get(id) ?? new Set();
    if (this.#closed) throw new ApiError('shutting_down', 'the server is stopping');
    if (listeners.size >= MAX_LISTENERS_OF_ONE) throw full(`a sandbox has ${MAX_LISTENERS_OF_ONE}`);
    if (this.#count >= MAX_LISTENERS) throw full(`the server has ${MAX_LISTENERS}`);
    listeners.add(listener);
    this.#bySandbox.set(id, listeners);
    this.#count += 1;
    return () => {
      if (!listeners.delete(listener)) return;
      this.#count -= 1;
      if (listeners.size === 0) this.#bySandbox.delete(id);
    };
  }

  /** An exchange of a sandbox is settled. */
  wake(sandbox: string | undefined): void {
    if (this.#count === 0 || sandbox === undefined) return;
    for (const listener of this.#bySandbox.get(sandbox) ?? []) listener.wake();
  }

  notify({ id }: { readonly id: string }, event: SandboxEvent): void {
    for (const listener of this.#bySandbox.get(id) ?? []) listener.notify(event);
  }

  /** A request arrived that belongs to no sandbox. */
  notifyUnmatched(request: UnmatchedRequest): void {
    if (this.#count === 0) return;
    this.#unmatched.push(request);
    if (this.#unmatched.length > MAX_REQUESTS) this.#unmatched.shift();
    this.#timer ??= setTimeout(() => this.#notifyUnmatched(), GATHER_MS).unref();
  }

  /** Anybody can send such requests, and each is for everybody: the text is made once, and sent together with others. */
  #notifyUnmatched(): void {
    const text = this.#unmatched.map((data) => eventText({ event: 'unmatched', data }, this.#redact)).join('');
    this.#unmatched = [];
    this.#timer = undefined;
    for (const listeners of this.#bySandbox.values()) {
      for (const listener of [...listeners]) if (listener.seesUnmatched) listener.notifyUnmatched(text);
    }
  }

  /** The sandbox was deleted. */
  end({ id }: { readonly id: string }): void {
    for (const listener of [...(this.#bySandbox.get(id) ?? [])]) listener.end();
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const id of [...this.#bySandbox.keys()]) this.end({ id });
  }
}

/** How long requests that belong to no sandbox are gathered. */
const GATHER_MS = 50;

/** An event as text of an event stream (HTML, section 9.2.5). */
export const eventText = ({ event, data }: SandboxEvent, redact: Redact): string =>
  `event: ${event}\ndata: ${redactedJson(data, redact)}\n\n`;

const full = (who: string): ApiError => new ApiError('limit_reached', `${who} event streams at most; close one first`);
