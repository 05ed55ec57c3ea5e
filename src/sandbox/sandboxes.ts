/** All sandboxes, by id and by key: their creation, changes and end. */

import { hashOf, newPair } from '../base/api/api-key.ts';
import { ApiError } from '../base/api/errors.ts';
import type { SandboxEvent } from '../base/api/sandbox-event.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { inSlices } from '../base/lane.ts';
import { didYouMean } from '../base/text.ts';
import { isoTime } from '../base/time.ts';
import { expiryOf, keyRecordOf, withKey } from './key-records.ts';
import { isActive, isOver, type Opened, Sandbox } from './sandbox.ts';
import type { Restart } from './store/entries.ts';
import { type Fixture, type FixtureShelf, INLINE, inlineFixture, type NewFixture } from './store/fixture.ts';
import { contentsOf } from './store/journal.ts';
import { type KeyRecord, NO_SETTINGS, type SandboxRecord } from './store/record.ts';
import { begun, forked, type State, sandboxNotFound } from './store/state.ts';
import type { Store } from './store/store.ts';

export interface SandboxesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly fixtures: FixtureShelf;
  readonly maxSandboxes: number;
  /** The name of the server, which ids and keys carry. */
  readonly name?: string | undefined;
  /** The default lifetime of a key, in seconds. */
  readonly keyTtlSeconds: number;
  /** The fixture of a sandbox that is created without one. */
  readonly fixture: string | NewFixture;
}

/** A sandbox to be made. `ttlSeconds` `null`: it never expires. */
interface NewSandbox {
  readonly label?: string | undefined;
  readonly fixture?: string | NewFixture | undefined;
  readonly ttlSeconds?: number | null | undefined;
}

/** A newly created key: `secret` is the key itself, which is shown only once. */
export interface Issued extends Opened {
  readonly secret: string;
  /** Stands for the key on the control API, and is shown only once as well. */
  readonly handle: string;
}

/** What a sandbox is reset to: its own fixture again, another, or a snapshot. */
export type ResetTo = 'again' | { readonly fixture: string | NewFixture } | { readonly snapshot: string };

export interface ResetOptions {
  /** Whether to clear the request log as well. */
  readonly requestLog?: boolean | undefined;
}

/** Follows the lifecycle of sandboxes. */
interface SandboxWatcher {
  /** A sandbox is about to be reset. @throws {ApiError} `storage_failed` */
  resetting(sandbox: Sandbox): Promise<void>;
  /** Clears the request log of a sandbox, after all exchanges that preceded the call. */
  clearRequests(sandbox: Sandbox): Promise<void>;
  /** A sandbox has ended, for any reason. */
  ended(sandbox: Sandbox): void;
  /** Something other than a request happened in a sandbox. */
  happened(sandbox: Sandbox, event: SandboxEvent): void;
}

/** The result of a sweep: how many sandboxes could not be ended, and the first error. The next sweep tries again. */
interface Swept {
  readonly failed: number;
  readonly error: unknown;
}

/** In milliseconds. */
const IDLE_BEFORE_EVICTION = 3_600_000;

export class Sandboxes {
  readonly #byId = new Map<string, Sandbox>();
  /** By the hash of each key that opens it. */
  readonly #byHash = new Map<string, Sandbox>();
  /** Sandboxes under construction: each is counted already, so that concurrent requests do not exceed the limit. */
  #making = 0;
  #sweeping: Promise<Swept> | undefined;
  #stopped = false;
  #watcher: SandboxWatcher | undefined;
  readonly #options: SandboxesOptions;

  /** Loads the stored sandboxes. Preconfigured sandboxes stay closed until `openPreconfigured` names their key again. */
  constructor(options: SandboxesOptions) {
    this.#options = options;
    // In order of creation, regardless of the store's order.
    const all = [...options.store.journals()].map((journal) => new Sandbox(journal, options.clock));
    for (const sandbox of all.sort((a, b) => a.record.createdAt - b.record.createdAt)) {
      const { preconfigured, keys } = sandbox.record;
      this.#add(sandbox, preconfigured ? keys.slice(1) : keys);
    }
  }

  /** Names who follows all sandboxes from now on. */
  watch(watcher: SandboxWatcher): void {
    this.#watcher = watcher;
  }

  get size(): number {
    return this.#byId.size;
  }

  all(): IterableIterator<Sandbox> {
    return this.#byId.values();
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  /** False after it has ended, for callers with a stale reference. */
  has(sandbox: Sandbox): boolean {
    return this.#byId.get(sandbox.id) === sandbox;
  }

  /** Looks up a key by its hash, expired and revoked ones included. */
  open(hash: string): Opened | undefined {
    const sandbox = this.#byHash.get(hash);
    const key = sandbox?.record.keys.find((each) => each.hash === hash);
    return sandbox && key && { sandbox, key };
  }

  /**
   * Creates a sandbox and its key.
   * @throws {ApiError} `limit_reached`, `not_found` (no such fixture), `storage_failed`
   */
  async create(request: NewSandbox): Promise<Issued> {
    const fixture = await this.#fixtureOf(request.fixture ?? this.#options.fixture);
    return this.#make((record) => begun(record, fixture), request);
  }

  /** Creates a sandbox with a state that was saved, here or elsewhere. @throws {ApiError} as `create` */
  async restore(state: State, request: Omit<NewSandbox, 'fixture'>): Promise<Issued> {
    const { account } = this.#options.store;
    for (const point of [state, ...state.snapshots.values()]) account.rejectBeyondPets(contentsOf(point).count);
    const { clock, faults, drill, drillResults } = state.record;
    return this.#make((record) => ({ ...state, record: { ...record, clock, faults, drill, drillResults } }), request);
  }

  /** Creates a sandbox as a copy of another, which does not live longer. @throws {ApiError} as `create` */
  async fork(of: Sandbox, request: Omit<NewSandbox, 'fixture'>): Promise<Issued> {
    if (!this.has(of)) throw sandboxNotFound(of.id);
    return this.#make((record) => forked(record, of.journal.state), request, { latest: of.record.expiresAt });
  }

  /** The sandbox of a key from the settings: its previous one, or a new one. */
  async openPreconfigured(secret: string): Promise<Sandbox> {
    const hash = hashOf(secret);
    for (const sandbox of this.all()) {
      const key = sandbox.record.preconfigured ? sandbox.record.keys.find((each) => each.hash === hash) : undefined;
      if (!key) continue;
      this.#byHash.set(hash, sandbox);
      return sandbox;
    }
    const fixture = await this.#fixtureOf(this.#options.fixture);
    const about = { ttlSeconds: null };
    return (await this.#make((record) => begun(record, fixture), about, { preconfigured: secret })).sandbox;
  }

  /** Adds a key to the sandbox; it never outlives the requesting key. @throws {ApiError} `limit_reached` at 100 */
  async share(
    sandbox: Sandbox,
    by: { readonly expiresAt: number | null },
    request: { label?: string | undefined; ttlSeconds?: number | undefined },
  ): Promise<Issued> {
    const { handle, secret } = newPair(this.#options.name);
    const key = keyRecordOf(secret, { label: request.label ?? null, ...this.#times(request.ttlSeconds, by.expiresAt) });
    const before = sandbox.record.keys;
    await sandbox.journal.update(({ keys }) => ({ keys: withKey(keys, key) }));
    // The sandbox may have ended while the key was written.
    if (!this.has(sandbox)) throw sandboxNotFound(sandbox.id);
    for (const { hash } of before) if (!this.open(hash)) this.#byHash.delete(hash);
    this.#byHash.set(key.hash, sandbox);
    const data = { at: isoTime(key.createdAt), action: 'shared', id: key.id } as const;
    this.#watcher?.happened(sandbox, { event: 'key', data });
    return { sandbox, key, secret, handle };
  }

  /** @throws {ApiError} `not_found`; `conflict` for a preconfigured key, which only the settings can remove */
  async revoke(sandbox: Sandbox, keyId: string): Promise<void> {
    const now = this.#options.clock.now();
    const key = sandbox.record.keys.find((each) => each.id === keyId && isActive(each, now));
    if (!key) throw new ApiError('not_found', `this sandbox has no active key ${keyId}; GET /_sandbox/keys lists them`);
    if (sandbox.record.preconfigured && key.expiresAt === null && key === sandbox.record.keys[0]) {
      throw new ApiError('conflict', 'a preconfigured key cannot be revoked; take it out of the settings instead');
    }
    await sandbox.journal.update(({ keys }) => ({
      keys: keys.map((each) => (each.id === keyId ? { ...each, revokedAt: now } : each)),
    }));
    this.#watcher?.happened(sandbox, { event: 'key', data: { at: isoTime(now), action: 'revoked', id: keyId } });
  }

  /**
   * Ends a sandbox with its data and its keys.
   * @throws {ApiError} `storage_failed`: nothing was changed
   */
  end(sandbox: Sandbox): void {
    if (!this.has(sandbox)) return;
    this.#options.store.remove(sandbox.id);
    this.#byId.delete(sandbox.id);
    for (const { hash } of sandbox.record.keys) this.#byHash.delete(hash);
    this.#watcher?.ended(sandbox);
  }

  /**
   * Resets a sandbox; the drill under way ends, and its result is kept.
   * @throws {ApiError} `not_found`, `limit_reached`, `storage_failed`
   */
  async reset(sandbox: Sandbox, to: ResetTo, options?: ResetOptions): Promise<void> {
    await this.#restart(sandbox, await this.#restartOf(to), options);
  }

  /**
   * Resets every sandbox that exists at the call, yielding to the event loop in between. A failure does not prevent the
   * other resets; sandboxes that end meanwhile are skipped.
   * @returns the number of sandboxes that were reset
   * @throws {ApiError} `storage_failed` if some were not, with the number that were
   */
  async resetAll(to: ResetTo, options?: ResetOptions): Promise<number> {
    return inSlices<number>(this.#restartAll(await this.#restartOf(to), options));
  }

  async *#restartAll(to: Restart, options: ResetOptions | undefined): AsyncGenerator<void, number> {
    const errors: unknown[] = [];
    let done = 0;
    for (const sandbox of [...this.all()]) {
      yield;
      if (!this.has(sandbox)) continue;
      try {
        await this.#restart(sandbox, to, options);
        done += 1;
      } catch (error) {
        if (this.has(sandbox)) errors.push(error);
      }
    }
    if (errors.length === 0) return done;
    throw new ApiError(
      'storage_failed',
      `${done} of ${done + errors.length} sandboxes were reset and stay so; the other ${errors.length} failed and are as they were; send the request again to reset those too`,
      [],
      { cause: errors[0] },
    );
  }

  async #restart(sandbox: Sandbox, restart: Restart, { requestLog = false }: ResetOptions = {}): Promise<void> {
    const { clock } = this.#options;
    // A fixture that cannot be read is rejected before any change.
    const to = restart === 'again' ? { seed: await this.#reread(sandbox.journal.state.seed) } : restart;
    await this.#watcher?.resetting(sandbox);
    await sandbox.journal.change(() => ({ reset: to }));
    const shown = 'seed' in to ? { fixture: to.seed.name } : to;
    this.#watcher?.happened(sandbox, { event: 'reset', data: { at: isoTime(clock.now()), to: shown } });
    if (requestLog) await this.#watcher?.clearRequests(sandbox);
  }

  /** The seed is resolved once, for all sandboxes that are reset to it. */
  async #restartOf(to: ResetTo): Promise<Restart> {
    if (to === 'again' || 'snapshot' in to) return to;
    return { seed: await this.#reread(await this.#fixtureOf(to.fixture)) };
  }

  /** A reset reads the file of a fixture again. @throws {ApiError} `conflict` if it cannot be used as it is now */
  async #reread(seed: Fixture): Promise<Fixture> {
    return seed.isInline ? seed : this.#options.fixtures.reload(seed.name);
  }

  /**
   * What a sandbox is created from or reset to.
   * @throws {ApiError} `not_found` for the name of no fixture, `limit_reached` for too many pets
   */
  async #fixtureOf(fixture: string | NewFixture): Promise<Fixture> {
    if (typeof fixture !== 'string') {
      this.#options.store.account.rejectBeyondPets(fixture.pets.length);
      return inlineFixture(fixture);
    }
    if (this.#options.fixtures.has(fixture)) return this.#options.fixtures.load(fixture);
    if (fixture === INLINE) {
      const why = `${fixture} is not the name of a fixture: a reset without a fixture goes back to it, or send its pets again`;
      throw new ApiError('not_found', why);
    }
    const meant = didYouMean(
      fixture,
      this.#options.fixtures.list().map(({ name }) => name),
    );
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw new ApiError('not_found', `no fixture named ${fixture}${hint}; GET /_sandbox/fixtures lists them`);
  }

  /**
   * Ends sandboxes that no key opens any more. No key outlives its sandbox. One sweep runs at a time: concurrent calls
   * await the running one.
   */
  sweep(): Promise<Swept> {
    this.#sweeping ??= inSlices<Swept>(this.#sweep()).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Stops sweeping. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sweeping;
  }

  /** Yields to the event loop: thousands may expire at the same moment. Never rejects: one failure blocks no others. */
  async *#sweep(): AsyncGenerator<void, Swept> {
    const errors: unknown[] = [];
    const { clock } = this.#options;
    for (const sandbox of [...this.all()]) {
      yield;
      if (this.#stopped) break;
      if (!this.has(sandbox) || !isOver(sandbox, clock.now())) continue;
      try {
        this.end(sandbox);
      } catch (error) {
        errors.push(error);
      }
    }
    return { failed: errors.length, error: errors[0] };
  }

  /** Adds a sandbox with these keys. */
  #add(sandbox: Sandbox, keys: readonly KeyRecord[]): void {
    this.#byId.set(sandbox.id, sandbox);
    for (const { hash } of keys) this.#byHash.set(hash, sandbox);
  }

  /**
   * @param latest the latest expiry @param preconfigured its key, if the settings name it
   * @throws {ApiError} `limit_reached`, `storage_failed`
   */
  async #make(
    stateOf: (record: SandboxRecord) => State,
    { label, ttlSeconds }: Omit<NewSandbox, 'fixture'>,
    { latest = null, preconfigured }: { readonly latest?: number | null; readonly preconfigured?: string } = {},
  ): Promise<Issued> {
    const { name, store, clock } = this.#options;
    const { handle, secret } = preconfigured === undefined ? newPair(name) : { handle: '', secret: preconfigured };
    const about = {
      label: label ?? null,
      ...this.#times(ttlSeconds, latest),
      preconfigured: preconfigured !== undefined,
    };
    const key = keyRecordOf(secret, about);
    const id = newId('sbx', name);
    const record: SandboxRecord = { ...NO_SETTINGS, ...about, id, keys: [key], drill: null, drillResults: [] };
    this.#makeRoom();
    this.#making += 1;
    try {
      const sandbox = new Sandbox(await store.create(stateOf(record)), clock);
      this.#add(sandbox, sandbox.record.keys);
      return { sandbox, key, secret, handle };
    } finally {
      this.#making -= 1;
    }
  }

  /** At the limit, one sandbox makes room: one that is over, or the one idle for longest, unused for an hour and not preconfigured. */
  #makeRoom(): void {
    const { maxSandboxes, clock } = this.#options;
    if (this.size + this.#making < maxSandboxes) return;
    const now = clock.now();
    const idle = [...this.all()].filter(
      (each) => !each.record.preconfigured && (isOver(each, now) || now - each.lastUsedAt >= IDLE_BEFORE_EVICTION),
    );
    const [first] = idle;
    if (first === undefined) {
      const why = `the server holds ${maxSandboxes} sandboxes and all are in use; end one with DELETE /_sandbox`;
      throw new ApiError('limit_reached', why);
    }
    const over = idle.find((each) => isOver(each, now));
    this.end(over ?? idle.reduce((idlest, each) => (each.lastUsedAt < idlest.lastUsedAt ? each : idlest)));
  }

  /** The current time, and the expiry of something created now. */
  #times(ttlSeconds: number | null | undefined, latest: number | null) {
    const createdAt = this.#options.clock.now();
    const ttl = ttlSeconds === undefined ? this.#options.keyTtlSeconds : ttlSeconds;
    return { createdAt, expiresAt: expiryOf(createdAt, ttl, latest) };
  }
}
