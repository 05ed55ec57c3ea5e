/** Sets the clocks of sandboxes: for the controls, and for those who embed the server. */
import type { Clock } from '../clock.ts';
import type { ClockRecord } from '../store/record.ts';
import type { Sandbox } from './sandbox.ts';
import { type ClockAsk, durationOf, isFrozen, setClock, timeIn } from './sandbox-clock.ts';
import type { Sandboxes } from './sandboxes.ts';

/** What a sandbox's clock shows; `now` in milliseconds since 1970. */
export interface ClockReading {
  readonly now: number;
  readonly frozen: boolean;
}

export class SandboxClocks {
  readonly #sandboxes: Sandboxes;
  readonly #real: Clock;

  constructor({ sandboxes, clock }: { sandboxes: Sandboxes; clock: Clock }) {
    this.#sandboxes = sandboxes;
    this.#real = clock;
  }

  read(sandbox: Sandbox): ClockReading {
    return { now: sandbox.now(), frozen: isFrozen(sandbox.record.clock) };
  }

  /** @throws {ApiError} `limit_reached` for a time before 1970 or after 9999, `storage_failed` */
  set(sandbox: Sandbox, ask: ClockAsk): Promise<ClockReading> {
    return this.#change(sandbox, (clock, real) => setClock(clock, real, ask));
  }

  /**
   * @param by an ISO 8601 duration
   * @throws {ApiError} `invalid_request` for what is no duration or goes back, `limit_reached` for what leads beyond 9999,
   *   `storage_failed`
   */
  async advance(sandbox: Sandbox, by: string): Promise<ClockReading> {
    const later = await durationOf(by);
    return this.#change(sandbox, (clock, real) => setClock(clock, real, { now: later(timeIn(clock, real)) }));
  }

  /** Back to real time. @throws {ApiError} `storage_failed` */
  reset(sandbox: Sandbox): Promise<ClockReading> {
    return this.#change(sandbox, () => null);
  }

  async #change(
    sandbox: Sandbox,
    change: (clock: ClockRecord | null, real: number) => ClockRecord | null,
  ): Promise<ClockReading> {
    const real = this.#real.now();
    await this.#sandboxes.change(sandbox, (record) => ({ ...record, clock: change(record.clock, real) }));
    // As it was at the moment of the change, so that the answer says what was asked for.
    const { clock } = sandbox.record;
    return { now: timeIn(clock, real), frozen: isFrozen(clock) };
  }
}
