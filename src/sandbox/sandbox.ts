/** One isolated sandbox, opened by its keys. */
import { type Clock, stopwatch } from '../base/clock.ts';
import { type FaultedRequest, newRule, takeNext, withoutRule, withRule } from './fault-turns.ts';
import type { Fault } from './faults.ts';
import { type ClockChange, type ClockReading, changedClock, durationOf, isFrozen, timeIn } from './sandbox-clock.ts';
import type { Journal } from './store/journal.ts';
import type { ClockRecord, FaultRecord, KeyRecord, NewFault, SandboxRecord } from './store/record.ts';

export class Sandbox {
  readonly id: string;
  /** When it was created, or loaded at a start, by the stopwatch. */
  readonly openedMs = stopwatch();
  /** By the system clock, in milliseconds since 1970. Lost on a restart. */
  lastUsedAt: number;
  /** The same by the stopwatch: much happens in one millisecond of the system clock. */
  lastUsedMs = this.openedMs;
  /** What it holds, and how that changes. */
  readonly journal: Journal;
  /** Real time. */
  readonly #clock: Clock;

  constructor(journal: Journal, clock: Clock) {
    this.id = journal.id;
    this.journal = journal;
    this.lastUsedAt = clock.now();
    this.#clock = clock;
  }

  /** @param at by the system clock @param ms by the stopwatch */
  use(at: number, ms = stopwatch()): void {
    this.lastUsedAt = at;
    this.lastUsedMs = ms;
  }

  /** Its record, as last written. */
  get record(): SandboxRecord {
    return this.journal.state.record;
  }

  /** The time in this sandbox, in milliseconds since 1970. */
  now(): number {
    return this.readClock().now;
  }

  readClock(real = this.#clock.now()): ClockReading {
    const { clock } = this.record;
    return { now: timeIn(clock, real), frozen: isFrozen(clock) };
  }

  /** @throws {ApiError} `limit_reached` for a time before 1970 or after 9999, `storage_failed` */
  setClock(request: ClockChange): Promise<ClockReading> {
    return this.#changeClock((clock, real) => changedClock(clock, real, request));
  }

  /**
   * @param by an ISO 8601 duration
   * @throws {ApiError} `invalid_request` for an invalid or negative duration, `limit_reached` for a result after 9999,
   * `storage_failed`
   */
  async advanceClock(by: string): Promise<ClockReading> {
    const later = await durationOf(by);
    return this.#changeClock((clock, real) => changedClock(clock, real, { now: later(timeIn(clock, real)) }));
  }

  /** Returns to real time. @throws {ApiError} `storage_failed` */
  resetClock(): Promise<ClockReading> {
    return this.#changeClock(() => null);
  }

  /** The reading is that of the moment of the change, so that the response matches the request. */
  async #changeClock(changed: (clock: ClockRecord | null, real: number) => ClockRecord | null): Promise<ClockReading> {
    const real = this.#clock.now();
    await this.journal.update(({ clock }) => ({ clock: changed(clock, real) }));
    return this.readClock(real);
  }

  /**
   * The fault for this request: the first rule that matches and is due acts, and is counted. That is written before it is
   * used, so that no two requests use the same turn, and a kill gives none back. A request that no rule counts costs no
   * write. @throws {ApiError} `storage_failed`
   */
  async nextFault(request: FaultedRequest): Promise<Fault | undefined> {
    const now = this.#clock.now();
    const { faults } = this.record;
    if (takeNext(faults, request, now).rules === faults) return undefined;
    let taken: Fault | undefined;
    await this.journal.update((newest) => {
      const turn = takeNext(newest.faults, request, now);
      taken = turn.fault;
      return { faults: turn.rules };
    });
    return taken;
  }

  /** @throws {ApiError} `limit_reached`, `storage_failed` */
  async addFault(ask: NewFault): Promise<FaultRecord> {
    const rule = newRule(ask);
    await this.journal.update(({ faults }) => ({ faults: withRule(faults, rule) }));
    return rule;
  }

  /** @throws {ApiError} `not_found`, `storage_failed` */
  async removeFault(id: string): Promise<void> {
    await this.journal.update(({ faults }) => ({ faults: withoutRule(faults, id) }));
  }
}

/** A key's sandbox and the key's record. */
export interface Opened {
  readonly sandbox: Sandbox;
  readonly key: KeyRecord;
}

/** True if no key opens the sandbox any more. `now` in milliseconds since 1970. */
export const isOver = ({ record }: Sandbox, now: number): boolean =>
  !record.preconfigured && !record.keys.some((key) => isActive(key, now));

/** True while the key opens its sandbox, at a real time in milliseconds since 1970. */
export const isActive = (key: KeyRecord, now: number): boolean => key.revokedAt === null && !isExpired(key, now);

/** `expiresAt` is the first moment after the lifetime. */
const isExpired = ({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
