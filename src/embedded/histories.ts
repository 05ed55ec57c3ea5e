/** The histories of sandboxes whose every exchange this process answered itself. */
import type { Exchange } from '../exchange.ts';
import type { Histories, HistoryParts } from '../sandbox/backend.ts';
import { clearedEvent, type SandboxEvent } from '../sandbox/events.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export class EmbeddedHistories implements Histories {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  record(exchange: Exchange): void {
    this.#parts.journals.record(exchange);
  }

  settle(exchange: Exchange): void {
    const { journals, events } = this.#parts;
    journals.settle(exchange);
    events.wake(exchange.sandbox);
  }

  settled(id: string): Promise<void> {
    return this.#parts.judged(id);
  }

  refresh(): void {
    // It always is up to date.
  }

  adopt(sandbox: Sandbox, exchanges: readonly Exchange[], dropped: number): void {
    this.#parts.journals.restore(sandbox, exchanges, dropped);
  }

  async clear(sandbox: Sandbox): Promise<void> {
    const { journals, events, clock, sandboxes } = this.#parts;
    await this.settled(sandbox.id);
    // The sandbox may have been deleted meanwhile. Its journal is gone and must not be recreated.
    if (sandboxes().get(sandbox.id) !== sandbox) return;
    journals.clear(sandbox);
    events.tell(sandbox, clearedEvent(clock.now()));
  }

  tell(sandbox: Sandbox, event: SandboxEvent): void {
    void this.settled(sandbox.id).then(() => this.#parts.events.tell(sandbox, event));
  }
}
