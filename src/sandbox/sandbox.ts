/** One isolated sandbox, opened by its keys. */
import { type Clock, stopwatch } from '../base/clock.ts';
import { type FaultedRequest, newRule, type Rules, takeNext, withoutRule, withRule } from './fault-turns.ts';
import type { Fault } from './faults.ts';
import { type ClockChange, type ClockReading, durationOf, isFrozen, setClock, timeIn } from './sandbox-clock.ts';
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
  readonly faults: SandboxFaults;
  readonly clock: SandboxClock;
  /** What it holds, and how that changes. */
  readonly journal: Journal;

  constructor(journal: Journal, clock: Clock) {
    this.id = journal.id;
    this.journal = journal;
    this.lastUsedAt = clock.now();
    this.faults = new SandboxFaults(this, clock);
    this.clock = new SandboxClock(this, clock);
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
    return this.clock.read().now;
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

/**
 * The fault rules of a sandbox. A turn is written before it is used, so that no two requests use the same one, and a kill
 * gives none back.
 */
class SandboxFaults {
  readonly #sandbox: Sandbox;
  readonly #clock: Clock;

  /** @param clock real time, for rate limiters */
  constructor(sandbox: Sandbox, clock: Clock) {
    this.#sandbox = sandbox;
    this.#clock = clock;
  }

  /** In the order in which they are tried. */
  get rules(): Rules {
    return this.#sandbox.record.faults;
  }

  /**
   * The fault for this request: the first rule that matches and is due acts, and is counted. A request that no rule
   * counts costs no write. @throws {ApiError} `storage_failed`
   */
  async next(request: FaultedRequest): Promise<Fault | undefined> {
    const now = this.#clock.now();
    if (takeNext(this.rules, request, now).rules === this.rules) return undefined;
    let taken: Fault | undefined;
    await this.#sandbox.journal.update(({ faults }) => {
      const turn = takeNext(faults, request, now);
      taken = turn.fault;
      return { faults: turn.rules };
    });
    return taken;
  }

  /** @throws {ApiError} `limit_reached`, `storage_failed` */
  async add(ask: NewFault): Promise<FaultRecord> {
    const rule = newRule(ask);
    await this.#sandbox.journal.update(({ faults }) => ({ faults: withRule(faults, rule) }));
    return rule;
  }

  /** @throws {ApiError} `not_found`, `storage_failed` */
  async remove(id: string): Promise<void> {
    await this.#sandbox.journal.update(({ faults }) => ({ faults: withoutRule(faults, id) }));
  }

  /** @throws {ApiError} `storage_failed` */
  async clear(): Promise<void> {
    await this.#sandbox.journal.update({ faults: [] });
  }
}

/** Each change returns the reading at its moment, so that the response matches the request. */
class SandboxClock {
  readonly #sandbox: Sandbox;
  readonly #real: Clock;

  constructor(sandbox: Sandbox, real: Clock) {
    this.#sandbox = sandbox;
    this.#real = real;
  }

  read(real = this.#real.now()): ClockReading {
    const { clock } = this.#sandbox.record;
    return { now: timeIn(clock, real), frozen: isFrozen(clock) };
  }

  /** @throws {ApiError} `limit_reached` for a time before 1970 or after 9999, `storage_failed` */
  set(request: ClockChange): Promise<ClockReading> {
    return this.#change((clock, real) => setClock(clock, real, request));
  }

  /**
   * @param by an ISO 8601 duration
   * @throws {ApiError} `invalid_request` for an invalid or negative duration, `limit_reached` for a result after 9999,
   * `storage_failed`
   */
  async advance(by: string): Promise<ClockReading> {
    const later = await durationOf(by);
    return this.#change((clock, real) => setClock(clock, real, { now: later(timeIn(clock, real)) }));
  }

  /** Returns to real time. @throws {ApiError} `storage_failed` */
  reset(): Promise<ClockReading> {
    return this.#change(() => null);
  }

  async #change(changed: (clock: ClockRecord | null, real: number) => ClockRecord | null): Promise<ClockReading> {
    const real = this.#real.now();
    await this.#sandbox.journal.update(({ clock }) => ({ clock: changed(clock, real) }));
    return this.read(real);
  }
}
