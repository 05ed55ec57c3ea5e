/** A family of sandboxes in Valkey, as this process has it: brought up to date before anything is read. */
import { stopwatch } from '../../core/clock.ts';
import type { ValkeyClient } from './client.ts';
import { headKey, logKey } from './keys.ts';
import type { Plans } from './plans.ts';
import { type Follow, Replica } from './replica.ts';
import { ENTER, type Script } from './scripts.ts';
import { type Sent, Writer, type Written, type WrittenChange } from './writer.ts';

/** What Valkey replies to `ENTER`. */
type Entered = readonly [epoch: string, version: number, number: number, entries?: readonly string[]];

/** Where a replica was when Valkey was asked. */
interface Position {
  readonly replica: Replica;
  readonly epoch: string;
  readonly version: number;
}

const positionOf = (replica: Replica): Position => ({ replica, epoch: replica.epoch, version: replica.version });

export class Family implements Written {
  readonly id: string;
  /** By a monotonic clock, in milliseconds. */
  usedAt = stopwatch();
  #replica: Replica | undefined;
  #loading: Promise<void> | undefined;
  readonly #valkey: ValkeyClient;
  readonly #follow: Follow;
  readonly #onGone: (family: Family) => void;
  readonly #keys: readonly [head: string, log: string];
  readonly #writer: Writer;

  constructor(id: string, valkey: ValkeyClient, follow: Follow, onGone: (family: Family) => void) {
    this.id = id;
    this.#valkey = valkey;
    this.#follow = follow;
    this.#onGone = onGone;
    this.#keys = [headKey(id), logKey(id)];
    this.#writer = new Writer(this);
  }

  /** What this process has of it; undefined before it was entered, and after it ended. */
  get replica(): Replica | undefined {
    return this.#replica;
  }

  /** Starts with a state that was just written. */
  begin(plans: Plans): void {
    this.#replica = plans.replica;
    plans.commit();
  }

  /**
   * Brings it up to date. @param numbers how many numbers of the sandbox's request log to take
   * @returns the last of them @throws {ApiError} `storage_failed`
   */
  async enter(sandbox: string, numbers: number): Promise<number> {
    this.usedAt = stopwatch();
    // Otherwise Valkey would send back what is being written.
    if (this.#writer.writing) await this.#writer.writing;
    const replica = this.#replica;
    if (!replica) {
      await this.load();
      return numbers === 0 || !this.#replica ? 0 : this.enter(sandbox, numbers);
    }
    const asked = positionOf(replica);
    const reply = await this.#ask(sandbox, numbers, replica);
    await this.#take(reply, asked);
    return reply?.[2] ?? 0;
  }

  /** Makes a change. @throws {ApiError} `storage_failed`, `not_found`, and what the change throws */
  change<T>(change: WrittenChange<T>): Promise<T> {
    return this.#writer.add(change);
  }

  /** Whether changes are under way. */
  get isBusy(): boolean {
    return this.#writer.isBusy;
  }

  /**
   * Runs a script that changes the family if `replica` is the newest. @returns 1; 0 if it is not, -1 if there is none
   * @throws {ApiError} `storage_failed`
   */
  async run(script: Script, replica: Replica, { keys = [], args = [] }: Sent): Promise<unknown> {
    const { epoch, version } = replica;
    const reply = await this.#valkey.change(script, [...this.#keys, ...keys], [epoch, version, ...args]);
    if (reply === -1) this.end();
    return reply;
  }

  /** Writes a list under a name of its own. */
  async writeDraft(
    key: string,
    entries: readonly string[],
    { page, seconds }: { page: number; seconds: number },
  ): Promise<void> {
    for (let at = 0; at < entries.length; at += page) {
      await this.#valkey.call('RPUSH', key, ...entries.slice(at, at + page));
      await this.#valkey.call('EXPIRE', key, seconds);
    }
  }

  #ask(sandbox: string, numbers: number, { epoch, version }: Replica) {
    return this.#valkey.run(ENTER, this.#keys, [sandbox, numbers, epoch, version]) as Promise<Entered | null>;
  }

  /** Takes over what a reply brought. */
  #take(reply: Entered | null, asked: Position): Promise<void> | undefined {
    if (!reply) return this.end();
    const [epoch, version, , entries = []] = reply;
    const present = this.#replica;
    if (present?.epoch !== epoch) return this.load();
    if (present === asked.replica) {
      // A log that was rewritten meanwhile is sent from its beginning.
      const first = asked.epoch === epoch ? asked.version : 0;
      const fresh = entries.slice(present.version - first);
      if (fresh.length > 0) {
        this.#writer.takeBack();
        present.apply(fresh);
      }
    }
    return present.version < version ? this.catchUp(present) : undefined;
  }

  /** Takes over everything new. */
  async catchUp(replica: Replica): Promise<void> {
    const asked = positionOf(replica);
    await this.#take(await this.#ask('', 0, replica), asked);
  }

  /** Reads the whole log. */
  load(): Promise<void> {
    this.#loading ??= this.#loadAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadAll(): Promise<void> {
    let replica = new Replica('', () => undefined);
    for (;;) {
      const reply = await this.#ask('', 0, replica);
      if (!reply) {
        this.end();
        return;
      }
      const [epoch, version, , entries = []] = reply;
      if (epoch !== replica.epoch) replica = new Replica(epoch, (...told) => this.#tell(replica, ...told));
      replica.apply(entries);
      if (replica.version >= version) return this.#show(replica);
    }
  }

  #tell(replica: Replica, ...told: Parameters<Follow>): void {
    if (replica === this.#replica) this.#follow(...told);
  }

  #show(replica: Replica): void {
    const before = this.#replica;
    this.#writer.takeBack();
    this.#replica = replica;
    replica.begunWith = replica.characters;
    for (const id of replica.states.keys()) this.#follow(id, replica.present(id));
    for (const id of before?.states.keys() ?? []) if (!replica.states.has(id)) this.#follow(id, undefined);
  }

  /** It is gone from Valkey. */
  end(): undefined {
    this.#writer.takeBack();
    const before = this.#replica;
    this.#replica = undefined;
    for (const id of before?.states.keys() ?? []) this.#follow(id, undefined);
    this.#onGone(this);
  }
}
