/** Sets the clocks of sandboxes, for the control API and the library. */
import type { Clock } from '../core/clock.ts';
import type { ClockRecord } from '../store/record.ts';
import type { Sandbox } from './sandbox.ts';
import { type ClockChange, durationOf, isFrozen, setClock, timeIn } from './sandbox-clock.ts';

/** A reading of a sandbox's clock; `now` in milliseconds since 1970. */
export interface ClockReading {
  readonly now: number;
  readonly frozen: boolean;
}

export class SandboxClocks {
  readonly #real: Clock;

  constructor(clock: Clock) {
    this.#real = clock;
  }

  read(sandbox: Sandbox): ClockReading {
    return { now: sandbox.now(), frozen: isFrozen(sandbox.record.clock) };
  }

  /** @throws {ApiError} `limit_reached` for a time before 1970 or after 9999, `storage_failed` */
  set(sandbox: Sandbox, request: ClockChange): Promise<ClockReading> {
    return this.#change(sandbox, (clock, real) => setClock(clock, real, request));
  }

  /**
   * @param by an ISO 8601 duration
   * @throws {ApiError} `invalid_request` for an invalid or negative duration, `limit_reached` for a result after 9999,
   * `storage_failed`
   */
  async advance(sandbox: Sandbox, by: string): Promise<ClockReading> {
    const later = await durationOf(by);
    return this.#change(sandbox, (clock, real) => setClock(clock, real, { now: later(timeIn(clock, real)) }));
  }

  /** Returns to real time. @throws {ApiError} `storage_failed` */
  reset(sandbox: Sandbox): Promise<ClockReading> {
    return this.#change(sandbox, () => null);
  }

  async #change(
    sandbox: Sandbox,
    change: (clock: ClockRecord | null, real: number) => ClockRecord | null,
  ): Promise<ClockReading> {
    const real = this.#real.now();
    await sandbox.update((record) => ({ ...record, clock: change(record.clock, real) }));
    // The reading at the moment of the change, so that the response matches the request.
    const { clock } = sandbox.record;
    return { now: timeIn(clock, real), frozen: isFrozen(clock) };
  }
}
