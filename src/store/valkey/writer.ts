/** Writes changes of a family, one batch after another: planned on the newest state, confirmed, and then shown. */
import { stopwatch } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { gone } from '../entries.ts';
import { draftKey } from './keys.ts';
import { Plans } from './plans.ts';
import type { Replica } from './replica.ts';
import { APPEND, COMPACT, PAGE, type Script } from './scripts.ts';
import { asApiError } from './valkey-errors.ts';

/** A change: a function of the newest state. It may be called again, and throws before it changes anything. */
export type WrittenChange<T> = (plans: Plans) => T;

/** A change needs something that is not in memory, such as a fixture. */
export class Missing extends Error {
  readonly load: () => Promise<unknown>;

  constructor(load: () => Promise<unknown>) {
    super('not in memory');
    this.load = load;
  }
}

interface Waiting {
  readonly change: WrittenChange<unknown>;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
}

/** Changes that share a write. */
const BATCH = 500;
/** How long a change competes with those of other servers, in milliseconds. */
const COMPETE_MS = 5_000;
/** A log is rewritten when it is so much larger than its pets, and has doubled since it was read or rewritten. */
const LONG = { times: 3, characters: 64 * 1024 };
const DRAFT = { page: PAGE, seconds: 60 };

/** The family, as a writer needs it. */
export interface Written {
  readonly id: string;
  /** The newest state that this process knows; undefined before it was loaded, and after the family ended. */
  readonly replica: Replica | undefined;
  load(): Promise<void>;
  catchUp(replica: Replica): Promise<void>;
  run(script: Script, replica: Replica, sent: Sent): Promise<unknown>;
  writeDraft(key: string, entries: readonly string[], how: { page: number; seconds: number }): Promise<void>;
}

/** What a script gets beside the keys and the version of a family. */
export interface Sent {
  readonly keys?: readonly string[];
  readonly args?: readonly string[];
}

const nothing = (): void => undefined;

export class Writer {
  #queue: Waiting[] = [];
  #isWriting = false;
  #writing: Promise<void> | undefined;
  #planned: Plans | undefined;
  readonly #family: Written;

  constructor(family: Written) {
    this.#family = family;
  }

  get isBusy(): boolean {
    return this.#isWriting;
  }

  /** Resolves when the write under way is answered; `undefined` if there is none. */
  get writing(): Promise<void> | undefined {
    return this.#writing;
  }

  add<T>(change: WrittenChange<T>): Promise<T> {
    return new Promise<T>((done, failed) => {
      this.#queue.push({ change, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Another server was first: what is planned is taken back, and planned again. */
  takeBack(): void {
    this.#planned?.takeBack();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // Changes of the same turn of the event loop share a write.
    await new Promise((done) => setImmediate(done));
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, BATCH);
      try {
        await this.#writeBatch(batch);
      } catch (error) {
        this.takeBack();
        for (const { failed } of batch) failed(error);
      }
      this.#planned = undefined;
      this.#writing = undefined;
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const until = stopwatch() + COMPETE_MS;
    for (;;) {
      if (!this.#family.replica) await this.#family.load();
      const { replica } = this.#family;
      if (!replica) throw gone(this.#family.id);
      const plans = new Plans(replica);
      this.#planned = plans;
      const outcomes = await this.#plan(batch, plans);
      if (outcomes && (await this.#confirm(plans))) {
        for (const outcome of outcomes) outcome();
        void this.#compact(replica);
        return;
      }
      if (stopwatch() > until) throw asApiError(new Error('other servers changed the sandbox too often'));
    }
  }

  /** @returns what to tell those who wait; undefined if something had to be loaded first */
  async #plan(batch: readonly Waiting[], plans: Plans): Promise<(() => void)[] | undefined> {
    const outcomes: (() => void)[] = [];
    for (const { change, done, failed } of batch) {
      try {
        const value = change(plans) as never;
        outcomes.push(() => done(value));
      } catch (error) {
        if (error instanceof Missing) {
          plans.takeBack();
          await error.load();
          return undefined;
        }
        outcomes.push(() => failed(error));
      }
    }
    return outcomes;
  }

  /** Writes plans if they are of the newest state. */
  #confirm(plans: Plans): Promise<boolean> {
    const confirmed = this.#send(plans);
    this.#writing = confirmed.then(nothing, nothing);
    return confirmed;
  }

  async #send(plans: Plans): Promise<boolean> {
    const { replica, entries } = plans;
    if (entries.length === 0) {
      plans.commit();
      return true;
    }
    const reply = await this.#family.run(APPEND, replica, { args: entries });
    if (reply === -1) throw gone(this.#family.id);
    if (reply === 0) {
      plans.takeBack();
      await this.#family.catchUp(replica);
      return false;
    }
    // What was taken back while the write was under way arrives as the entries of others do.
    if (plans.isTakenBack) await this.#family.catchUp(replica);
    else plans.commit();
    return true;
  }

  /** Rewrites a log most of which no longer counts. If another server changes it meanwhile, it stays. */
  async #compact(replica: Replica): Promise<void> {
    const { characters, bytes, begunWith } = replica;
    if (characters < Math.max(LONG.times * bytes + LONG.characters, 2 * begunWith)) return;
    const { epoch } = replica;
    // Not tried again before the log has grown by as much.
    replica.begunWith = characters;
    const draft = draftKey(this.#family.id, newId('brn'));
    const all = replica.compacted();
    const asOf = { epoch, version: replica.version } as Replica;
    try {
      await this.#family.writeDraft(draft, all, DRAFT);
      const reply = await this.#family.run(COMPACT, asOf, { keys: [draft], args: [String(all.length)] });
      if (reply === 1 && replica.epoch === epoch) replica.renumber(String(Number(epoch) + 1), all);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
