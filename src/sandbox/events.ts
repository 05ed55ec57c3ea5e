/** Notifies the listeners of a sandbox. Without listeners it costs nothing. */
import { isoTime } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { UnclaimedRequest } from './unclaimed.ts';

const MAX_LISTENERS = 256;
const MAX_LISTENERS_OF_ONE = 8;

/** Events other than exchanges; `unclaimed` concerns the whole server. */
export type SandboxEvent =
  | { readonly event: 'reset'; readonly data: { readonly at: string; readonly to: object } }
  | { readonly event: 'cleared'; readonly data: { readonly at: string } }
  | { readonly event: 'unclaimed'; readonly data: UnclaimedRequest }
  | { readonly event: 'drill'; readonly data: { readonly at: string; readonly drill: string | null } }
  | {
      readonly event: 'key';
      readonly data: { readonly at: string; readonly action: 'shared' | 'revoked'; readonly id: string };
    };

export interface Listener {
  /** Whether it may receive requests that belong to no sandbox. */
  readonly seesUnclaimed: boolean;
  /** Exchanges were added to the journal or settled. */
  wake(): void;
  tell(event: SandboxEvent): void;
  /** The stream ends. */
  end(): void;
}

export class Events {
  readonly #bySandbox = new Map<string, Set<Listener>>();
  #count = 0;
  #closed = false;
  #heard: (sandbox: string, isListening: boolean) => void = () => undefined;

  /** Has a function called when the first listener of a sandbox comes, and when the last one leaves. */
  onListening(heard: (sandbox: string, isListening: boolean) => void): void {
    this.#heard = heard;
  }

  /**
   * @returns a function that removes the listener
   * @throws {ApiError} `limit_reached`, `stopping`
   */
  listen({ id }: { readonly id: string }, listener: Listener): () => void {
    const listeners = this.#bySandbox.get(id) ?? new Set();
    if (this.#closed) throw new ApiError('stopping', 'the server is stopping');
    if (listeners.size >= MAX_LISTENERS_OF_ONE) throw full(`a sandbox has ${MAX_LISTENERS_OF_ONE}`);
    if (this.#count >= MAX_LISTENERS) throw full(`the server has ${MAX_LISTENERS}`);
    listeners.add(listener);
    this.#bySandbox.set(id, listeners);
    if (listeners.size === 1) this.#heard(id, true);
    this.#count += 1;
    return () => {
      if (!listeners.delete(listener)) return;
      this.#count -= 1;
      if (listeners.size > 0) return;
      this.#bySandbox.delete(id);
      this.#heard(id, false);
    };
  }

  /** An exchange of a sandbox is settled. */
  wake(sandbox: string | undefined): void {
    if (this.#count === 0 || sandbox === undefined) return;
    for (const listener of this.#bySandbox.get(sandbox) ?? []) listener.wake();
  }

  tell({ id }: { readonly id: string }, event: SandboxEvent): void {
    for (const listener of this.#bySandbox.get(id) ?? []) listener.tell(event);
  }

  /** A request arrived that belongs to no sandbox. */
  tellUnclaimed(request: UnclaimedRequest): void {
    if (this.#count === 0) return;
    const event: SandboxEvent = { event: 'unclaimed', data: request };
    for (const listeners of this.#bySandbox.values()) {
      for (const listener of [...listeners]) if (listener.seesUnclaimed) listener.tell(event);
    }
  }

  /** The sandbox was deleted. */
  end({ id }: { readonly id: string }): void {
    for (const listener of [...(this.#bySandbox.get(id) ?? [])]) listener.end();
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#bySandbox.keys()]) this.end({ id });
  }
}

const full = (who: string): ApiError => new ApiError('limit_reached', `${who} event streams at most; close one first`);

/** The sandbox was reset. @param at real time in milliseconds since 1970 @param to `{ fixture }` or `{ snapshot }` */
export const resetEvent = (at: number, to: object): SandboxEvent => ({ event: 'reset', data: { at: isoTime(at), to } });

/** The journal was cleared. */
export const clearedEvent = (at: number): SandboxEvent => ({ event: 'cleared', data: { at: isoTime(at) } });

/** A drill was started; `null` after its end. */
export const drillEvent = (at: number, drill: string | null): SandboxEvent => ({
  event: 'drill',
  data: { at: isoTime(at), drill },
});

/** A key was created or revoked. */
export const keyEvent = (at: number, action: 'shared' | 'revoked', id: string): SandboxEvent => ({
  event: 'key',
  data: { at: isoTime(at), action, id },
});
