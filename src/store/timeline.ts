/**
 * The log of one sandbox, and its state. A change is planned on the newest state, appended to the log, and only then
 * shown: readers never see what the log then rejects. Changes that come together share a write.
 */
import { ApiError } from '../api/errors.ts';
import { stopwatch } from '../core/clock.ts';
import { setImmediate } from '../core/real-globals.ts';
import { type MemoryAccount, NOTHING, type Weight, weightOfState } from './bounds.ts';
import { type Entry, entryText } from './entries.ts';
import { Pets, weightOfNewPets } from './pets.ts';
import { apply, type State, sandboxNotFound } from './state.ts';

/** The log of one sandbox. */
export interface EntryLog {
  /** Whether an append costs nothing, so that changes need not be gathered. */
  readonly isInMemory: boolean;
  /**
   * Appends lines (`entries.ts`), all or none.
   * @returns false if others appended first: nothing was written then
   * @throws {ApiError} `storage_failed`, `limit_reached`
   */
  append(texts: readonly string[]): boolean | Promise<boolean>;
  /** Takes over what others appended, if anybody else appends. @throws {ApiError} `storage_failed` */
  catchUp?(timeline: Timeline): Promise<void> | undefined;
  /** What was appended is shown now, and not acknowledged yet. @throws {ApiError} `storage_failed` */
  settle?(timeline: Timeline): Promise<void> | undefined;
  /** Removes all of it. @throws {ApiError} `storage_failed` */
  remove(timeline: Timeline): Promise<void> | undefined;
}

/** Decides on an entry; it is pure, because it may be called again. `undefined`: nothing changes. */
export type Planner<E extends Entry> = (state: State) => E | undefined;

/** The entry that a plan led to, and the state right after it. */
export interface Planned<E extends Entry> {
  readonly entry: E | undefined;
  readonly state: State;
}

/** What all timelines of a store share. */
export interface TimelineOptions {
  readonly account: MemoryAccount;
  /** Called with each new state that is shown; `undefined` once the sandbox has ended. */
  readonly onShown: (id: string, state: State | undefined) => void;
  /** Called with the bytes of memory of pets that are no longer used. */
  readonly onGivenUp: (bytes: number) => void;
}

interface WaitingChange {
  /** `undefined` ends the sandbox. */
  readonly plan: Planner<Entry> | undefined;
  readonly done: (planned: Planned<never>) => void;
  readonly failed: (error: unknown) => void;
}

/** What a batch leads to, until it is written. */
interface Round {
  readonly state: State;
  /** The lines to append; none where nothing is written. */
  readonly texts: readonly string[];
  readonly hasChanged: boolean;
  /** What to tell those who wait. */
  readonly outcomes: readonly (() => void)[];
}

/** Changes that share a write. */
const BATCH = 500;
/** How long a change competes with those of other servers, in milliseconds. */
const COMPETE_MS = 5_000;

export class Timeline {
  readonly id: string;
  readonly log: EntryLog;
  /** By a monotonic clock, in milliseconds. */
  usedAt = stopwatch();
  #state: State;
  /** What counts in the account: that of the newest planned state. */
  #weight: Weight;
  #hasEnded = false;
  #queue: WaitingChange[] = [];
  #isBusy = false;
  #writing: Promise<unknown> | undefined;
  /** Rolls back what is planned and not visible yet. */
  #rollback: (() => void) | undefined;
  readonly #options: TimelineOptions;

  /** @param weight as it counts in the account */
  constructor(state: State, log: EntryLog, weight: Weight, options: TimelineOptions) {
    this.id = state.record.id;
    this.log = log;
    this.#state = state;
    this.#weight = weight;
    this.#options = options;
  }

  /** As it is shown. */
  get state(): State {
    return this.#state;
  }

  get weight(): Weight {
    return this.#weight;
  }

  /** Whether changes are under way. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Resolves when the write under way is answered; `undefined` if there is none. */
  get writing(): Promise<unknown> | undefined {
    return this.#writing;
  }

  /**
   * Makes a change; resolves once it is shown.
   * @throws {ApiError} `not_found` once the sandbox has ended, `storage_failed`, `limit_reached`, and what `plan` throws
   */
  add<E extends Entry>(plan: Planner<E>): Promise<Planned<E>> {
    return this.#enqueue(plan) as Promise<Planned<E>>;
  }

  /** Ends the sandbox, after all changes before. @throws {ApiError} `storage_failed`: nothing was changed */
  async end(): Promise<void> {
    await this.#enqueue(undefined);
  }

  /** Rolls back what is planned and not visible yet: others were first. */
  rollback(): void {
    this.#rollback?.();
  }

  /** Others changed the sandbox: it is as they left it. */
  take(next: State): void {
    this.rollback();
    this.#count(next);
    this.#show(next);
  }

  /** It ended, or this process forgets it. */
  drop(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#rollback?.();
    this.#options.account.count(this.#weight, NOTHING);
    this.#options.onGivenUp(this.#weight.pets);
    this.#weight = NOTHING;
    this.#options.onShown(this.id, undefined);
  }

  #enqueue(plan: WaitingChange['plan']): Promise<Planned<never>> {
    return new Promise((done, failed) => {
      this.#queue.push({ plan, done, failed });
      if (this.#isBusy) return;
      this.#isBusy = true;
      // Changes of the same turn of the event loop share a write. An end shares none: thousands may come together.
      if (this.log.isInMemory || plan === undefined) void this.#run();
      else setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const end = this.#queue.findIndex(({ plan }) => plan === undefined);
      const batch = this.#queue.splice(0, end === 0 ? 1 : Math.min(BATCH, end < 0 ? BATCH : end));
      if (end === 0) await this.#remove(batch[0] as WaitingChange);
      else await this.#write(batch);
    }
    this.#isBusy = false;
  }

  async #remove({ done, failed }: WaitingChange): Promise<void> {
    try {
      if (!this.#hasEnded) await this.log.remove(this);
      this.drop();
      done({ entry: undefined, state: this.#state } as Planned<never>);
    } catch (error) {
      failed(error);
    }
  }

  async #write(batch: readonly WaitingChange[]): Promise<void> {
    const until = stopwatch() + COMPETE_MS;
    try {
      for (;;) {
        if (this.#hasEnded) throw sandboxNotFound(this.id);
        const round = this.#plan(batch);
        if (await this.#append(round)) {
          for (const outcome of round.outcomes) outcome();
          return;
        }
        if (stopwatch() > until) {
          const why = 'other servers changed the sandbox too often, so nothing happened; try again';
          throw new ApiError('storage_failed', why);
        }
      }
    } catch (error) {
      this.#rollback?.();
      for (const { failed } of batch) failed(error);
    }
  }

  /** Plans a batch on the shown state. */
  #plan(batch: readonly WaitingChange[]): Round {
    const { account } = this.#options;
    const weight = this.#weight;
    let state = this.#state;
    const undo = Pets.mark(allPetsOf(state));
    this.#rollback = () => {
      this.#rollback = undefined;
      undo();
      account.count(this.#weight, weight);
      this.#weight = weight;
    };
    const texts: string[] = [];
    const outcomes: (() => void)[] = [];
    for (const { plan, done, failed } of batch) {
      try {
        const entry = plan?.(state);
        if (entry) {
          state = this.#planned(state, entry);
          if (!this.log.isInMemory) texts.push(entryText(entry));
        }
        const result = { entry, state } as Planned<never>;
        outcomes.push(() => done(result));
      } catch (error) {
        outcomes.push(() => failed(error));
      }
    }
    return { state, texts, outcomes, hasChanged: state !== this.#state };
  }

  /** The next planned state, which counts in the account. @throws {ApiError} `limit_reached`, and what `apply` throws */
  #planned(state: State, entry: Entry): State {
    const { account } = this.#options;
    const before = this.#weight;
    if ('pets' in entry) {
      const after = { ...before, pets: before.pets + weightOfNewPets(entry.pets) };
      // First, so that no pet that there is no memory for is appended.
      account.change(before, after);
      this.#weight = after;
      const next = apply(state, entry);
      if (!next.own.goesOnFrom(state.own)) this.#count(next);
      return next;
    }
    const next = apply(state, entry);
    const after = weightOfState(next);
    account.change(before, after);
    this.#weight = after;
    return next;
  }

  #count(state: State): void {
    const weight = weightOfState(state);
    this.#options.account.count(this.#weight, weight);
    this.#weight = weight;
  }

  /** Writes what is planned, and shows it. @returns false if others were first: then it is to be planned again */
  async #append({ state, texts, hasChanged }: Round): Promise<boolean> {
    const rollback = this.#rollback;
    if (texts.length > 0) {
      const appending = this.log.append(texts);
      const isNewest = appending instanceof Promise ? await this.#answered(appending) : appending;
      // What was taken back while the write was under way arrives as the entries of others do.
      if (!isNewest || this.#rollback !== rollback) {
        this.#rollback?.();
        await this.log.catchUp?.(this);
        return isNewest;
      }
    }
    this.#rollback = undefined;
    this.#show(state);
    const settled = hasChanged ? this.log.settle?.(this) : undefined;
    if (settled) await settled;
    return true;
  }

  async #answered(appending: Promise<boolean>): Promise<boolean> {
    this.#writing = appending.catch(() => undefined);
    try {
      return await appending;
    } finally {
      this.#writing = undefined;
    }
  }

  #show(next: State): void {
    if (next === this.#state) return;
    this.#state = next;
    this.#options.onShown(this.id, next);
  }
}

const allPetsOf = ({ own, snapshots }: State): Pets[] =>
  snapshots.size === 0 ? [own] : [own, ...Array.from(snapshots.values(), (snapshot) => snapshot.own)];
