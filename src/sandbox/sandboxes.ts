/** The lifecycle of all sandboxes of a server: creation, changes and end, including families of forks. */

import type { Clock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { keyEvent, resetEvent, type SandboxEvent } from '../requests/events.ts';
import type { FixtureShelf } from '../store/fixture.ts';
import { type NewFixture, nameOf, OWN_FIXTURE, type Seed } from '../store/own-fixture.ts';
import type { KeyRecord, SandboxRecord } from '../store/record.ts';
import type { SavedSeeds, SavedState } from '../store/saved.ts';
import type { Restart, SnapshotInfo, Store } from '../store/store.ts';
import type { OpenSandboxes } from './backend.ts';
import type { Issued, Opened } from './doors.ts';
import { Founding, type FoundingOptions, type NewSandbox } from './founding.ts';
import { endOf, keyRecordOf, withKey } from './key-records.ts';
import { hashOf, newKey } from './keys.ts';
import { Registry } from './registry.ts';
import { gone, isActive, Sandbox } from './sandbox.ts';
import { type Swept, sweep } from './sweep.ts';
import type { Start } from './trail.ts';

/** The maximum depth of forks of forks. */
const MAX_FORK_DEPTH = 20;

export interface SandboxesOptions extends FoundingOptions {
  readonly fixtures: FixtureShelf;
  /** The default lifetime of a key, in seconds. */
  readonly keyTtlSeconds: number;
  /** The fixture of a sandbox that is created without one. */
  readonly fixture: string | NewFixture;
}

/** Follows the lifecycle of sandboxes. */
interface SandboxWatcher {
  /** A sandbox has ended, for any reason. */
  ended(sandbox: Sandbox): void;
  /** Something other than a request happened in a sandbox. */
  happened(sandbox: Sandbox, event: SandboxEvent): void;
}

export class Sandboxes implements OpenSandboxes {
  readonly fixtures: FixtureChoice;
  readonly #registry = new Registry();
  readonly #founding: Founding;
  #sweeping: Promise<Swept> | undefined;
  #stopped = false;
  #watcher: SandboxWatcher | undefined;
  readonly #options: SandboxesOptions;

  /** Loads the stored sandboxes. Preconfigured sandboxes stay closed until `openPreconfigured` names their key again. */
  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.fixtures = new FixtureChoice(options);
    this.#founding = new Founding(this.#registry, (sandbox) => this.end(sandbox), options);
    // In order of creation, regardless of the store's order: see `sweep`.
    for (const record of [...options.store.records()].sort((a, b) => a.createdAt - b.createdAt)) {
      const sandbox = new Sandbox(record, options);
      this.#registry.add(sandbox);
      this.#registry.doors.addKept(sandbox);
    }
  }

  /** Names who follows all sandboxes from now on. */
  watch(watcher: SandboxWatcher): void {
    this.#watcher = watcher;
  }

  get size(): number {
    return this.#registry.size;
  }

  all(): IterableIterator<Sandbox> {
    return this.#registry.all();
  }

  get(id: string): Sandbox | undefined {
    return this.#registry.get(id);
  }

  take(record: SandboxRecord, start: Start): void {
    const known = this.get(record.id);
    const before = known?.record.keys ?? [];
    const sandbox = known ?? new Sandbox(record, this.#options);
    sandbox.follow(record, start);
    if (!known) this.#registry.add(sandbox);
    if (before !== record.keys) this.#registry.doors.replace(before, sandbox);
  }

  drop(id: string): void {
    const sandbox = this.get(id);
    if (!sandbox) return;
    this.#registry.shut(sandbox);
    this.#watcher?.ended(sandbox);
  }

  /** Looks up a key by its hash, expired and revoked ones included. */
  open(hash: string): Opened | undefined {
    return this.#registry.open(hash);
  }

  /**
   * Creates a sandbox and its key.
   * @throws {ApiError} `limit_reached`, `not_found` (no such fixture), `storage_failed`
   */
  async create(request: NewSandbox): Promise<Issued> {
    const about = {
      label: request.label ?? null,
      ...this.#times(request.ttlSeconds, null),
      preconfigured: false,
      forkOf: null,
    };
    return this.fixtures.provide(request.fixture ?? this.#options.fixture, (fixture) =>
      this.#founding.found({ fixture }, about, newKey()),
    );
  }

  /** Creates a sandbox from saved data, which must be valid. @throws {ApiError} as `create` */
  async restore(
    saved: SavedState,
    seeds: SavedSeeds,
    { label, ttlSeconds }: Omit<NewSandbox, 'fixture'>,
  ): Promise<Issued> {
    const about = { label: label ?? null, ...this.#times(ttlSeconds, null), preconfigured: false, forkOf: null };
    return this.#founding.found({ saved, seeds }, about, newKey());
  }

  /** Creates a sandbox as a copy of another, which ends with its origin. @throws {ApiError} as `create` */
  async fork(of: Sandbox, request: { label?: string | undefined; ttlSeconds?: number | undefined }): Promise<Issued> {
    this.#rejectTooDeep(of);
    const times = this.#times(request.ttlSeconds, of.record.expiresAt);
    const about = { label: request.label ?? null, ...times, preconfigured: false, forkOf: of.id };
    await of.faults.flush();
    return this.#founding.found({ copyOf: of.id }, about, newKey());
  }

  /** The sandbox of a key from the settings: its previous one, or a new one. */
  async openPreconfigured(secret: string): Promise<Sandbox> {
    const hash = hashOf(secret);
    for (const sandbox of this.all()) {
      const key = sandbox.record.preconfigured ? sandbox.record.keys.find((each) => each.hash === hash) : undefined;
      if (!key) continue;
      this.#registry.doors.add(sandbox, key);
      return sandbox;
    }
    const about = { label: null, ...this.#times(null, null), preconfigured: true, forkOf: null };
    const { sandbox } = await this.fixtures.provide(this.#options.fixture, (fixture) =>
      this.#founding.found({ fixture }, about, secret),
    );
    return sandbox;
  }

  /** Adds a key to the sandbox; it never outlives the requesting key. @throws {ApiError} `limit_reached` at 100 */
  async share(
    sandbox: Sandbox,
    by: { readonly expiresAt: number | null },
    request: { label?: string | undefined; ttlSeconds?: number | undefined },
  ): Promise<Issued> {
    const secret = newKey();
    const key = keyRecordOf(secret, { label: request.label ?? null, ...this.#times(request.ttlSeconds, by.expiresAt) });
    const forgotten = await addKey(sandbox, key, (...change) => this.change(...change));
    // The sandbox may have ended while the key was written: its key must not be registered.
    if (!this.#registry.has(sandbox)) throw gone(sandbox.id);
    if (forgotten) this.#registry.doors.forget(forgotten);
    // Its record may have changed since, by another server.
    const present = sandbox.record.keys.find(({ id }) => id === key.id);
    if (present) this.#registry.doors.add(sandbox, present);
    this.#watcher?.happened(sandbox, keyEvent(key.createdAt, 'shared', key.id));
    return { sandbox, key, secret };
  }

  /** @throws {ApiError} `not_found`; `conflict` for a preconfigured key, which only the settings can remove */
  async revoke(sandbox: Sandbox, keyId: string): Promise<void> {
    const now = await revokeKey(sandbox, keyId, this.#options.clock, (...change) => this.change(...change));
    this.#watcher?.happened(sandbox, keyEvent(now, 'revoked', keyId));
  }

  /**
   * Ends a sandbox with its data, its keys and all its descendants: all or nothing.
   * @throws {ApiError} `storage_failed`: nothing was changed
   */
  async end(sandbox: Sandbox): Promise<void> {
    if (!this.#registry.has(sandbox)) return;
    const family = this.#registry.familyOf(sandbox);
    // Closed before any await: no request sees half of a family, and it makes room for only one other.
    const reopen = family.map((member) => this.#registry.shut(member));
    try {
      await this.#options.store.remove(sandbox.id);
    } catch (error) {
      for (const open of reopen) open();
      throw error;
    }
    for (const member of family) this.#watcher?.ended(member);
  }

  /** Resets to a fixture, again to its own, or to a snapshot. @throws {ApiError} `not_found`, `storage_failed` */
  async reset(sandbox: Sandbox, to: Restart): Promise<void> {
    const { store, clock } = this.#options;
    const shown = to === 'again' ? { fixture: store.fixtureOf(sandbox.id) } : shownRestart(to);
    // Its own fixture may be the file of another server.
    const isOwn = (to === 'again' && store.isShared) || ('fixture' in shown && shown.fixture === OWN_FIXTURE);
    if ('fixture' in shown) await this.fixtures.load(shown.fixture, { isOwn });
    await sandbox.takeOver(() => store.reset(sandbox.id, to));
    this.#watcher?.happened(sandbox, resetEvent(clock.now(), shown));
  }

  /** Stores the present state. @throws {ApiError} `conflict` if the name is taken, `limit_reached` at 50 */
  async saveSnapshot(sandbox: Sandbox, name: string): Promise<SnapshotInfo> {
    await sandbox.faults.flush();
    return this.#options.store.saveSnapshot(sandbox.id, name, this.#options.clock.now());
  }

  /** Changes a sandbox's record: its clock, faults, keys. @throws {ApiError} `storage_failed` */
  async change(sandbox: Sandbox, change: (record: SandboxRecord) => SandboxRecord): Promise<void> {
    await sandbox.update(change);
    this.#registry.doors.renew(sandbox);
  }

  /**
   * Ends sandboxes that no key opens any more, and forks without their origin. No key outlives its sandbox. One sweep
   * runs at a time: concurrent calls await the running one.
   */
  sweep(): Promise<Swept> {
    const { places, clock } = this.#options;
    this.#sweeping ??= sweep({
      prepare: places && (() => places.expired()),
      // Youngest first: an expired family ends fork by fork, not all in the turn of its origin.
      all: () => [...this.all()].reverse(),
      isOver: (sandbox) => this.#registry.has(sandbox) && this.#registry.isOver(sandbox, clock.now()),
      end: (sandbox) => this.end(sandbox),
      isStopped: () => this.#stopped,
    }).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Stops sweeping, and writes pending counts of faults. */
  async flush(): Promise<void> {
    this.#stopped = true;
    await this.#sweeping;
    await Promise.all([...this.all()].map((sandbox) => sandbox.faults.flush()));
  }

  #rejectTooDeep(of: Sandbox): void {
    if (this.#registry.depthOf(of, MAX_FORK_DEPTH) < MAX_FORK_DEPTH) return;
    throw new ApiError(
      'limit_reached',
      `forks of forks go ${MAX_FORK_DEPTH} deep at most; fork a sandbox that this one descends from`,
    );
  }

  /** The current time, and the expiry of something created now. */
  #times(ttlSeconds: number | null | undefined, latest: number | null) {
    const createdAt = this.#options.clock.now();
    const ttl = ttlSeconds === undefined ? this.#options.keyTtlSeconds : ttlSeconds;
    return { createdAt, expiresAt: endOf(createdAt, ttl, latest) };
  }
}

/** The fixture that a sandbox is created from or reset to: one of the shelf by its name, or one of its own. */
class FixtureChoice {
  readonly #shelf: FixtureShelf;
  readonly #store: Store;

  constructor({ fixtures, store }: { readonly fixtures: FixtureShelf; readonly store: Store }) {
    this.#shelf = fixtures;
    this.#store = store;
  }

  /**
   * Makes a fixture available to `use`, which creates or resets sandboxes from it. An own one is stored for them.
   * @throws {ApiError} `not_found`, `limit_reached`, `storage_failed`, and what `use` throws
   */
  async provide<T>(fixture: string | NewFixture, use: (seed: Seed) => Promise<T>): Promise<T> {
    if (typeof fixture !== 'string') return this.#store.withFixture(fixture, use);
    this.#rejectUnknown(fixture);
    return use(fixture);
  }

  /** Loads a fixture by its name as shown: an unreadable one is rejected before any change. @throws {ApiError} */
  async load(name: string, { isOwn }: { readonly isOwn: boolean }): Promise<void> {
    if (isOwn) return;
    this.#rejectUnknown(name);
    if (!this.#shelf.get(name)) await this.#shelf.load(name);
  }

  /** @throws {ApiError} `not_found`, listing the existing fixtures */
  #rejectUnknown(name: string): void {
    if (this.#shelf.has(name)) return;
    if (name === OWN_FIXTURE) {
      const why = `${name} is not the name of a fixture: a reset without a fixture goes back to it, or send its pets again`;
      throw new ApiError('not_found', why);
    }
    throw new ApiError('not_found', `no fixture named ${name}; GET /_sandbox/fixtures lists them`);
  }
}

/** A restart in the words of its event. */
const shownRestart = (to: Exclude<Restart, 'again'>): { fixture: string } | { snapshot: string } =>
  'fixture' in to ? { fixture: nameOf(to.fixture) } : to;

/** Writes a change of the record of a sandbox. */
type Write = (sandbox: Sandbox, change: (record: Sandbox['record']) => Sandbox['record']) => Promise<void>;

/** @returns the key that was forgotten for it, if one was @throws {ApiError} `limit_reached`, `storage_failed` */
async function addKey(sandbox: Sandbox, key: KeyRecord, write: Write): Promise<KeyRecord | undefined> {
  let forgotten: KeyRecord | undefined;
  await write(sandbox, (record) => {
    const next = withKey(record.keys, key);
    forgotten = next.forgotten;
    return { ...record, keys: next.keys };
  });
  return forgotten;
}

/**
 * @returns the time of the revocation
 * @throws {ApiError} `not_found`; `conflict` for a preconfigured key, which only the settings can remove; `storage_failed`
 */
async function revokeKey(sandbox: Sandbox, keyId: string, clock: Clock, write: Write): Promise<number> {
  const now = clock.now();
  const key = sandbox.record.keys.find((each) => each.id === keyId && isActive(each, now));
  if (!key) throw new ApiError('not_found', `this sandbox has no active key ${keyId}; GET /_sandbox/keys lists them`);
  if (sandbox.record.preconfigured && key.expiresAt === null && key === sandbox.record.keys[0]) {
    throw new ApiError('conflict', 'a preconfigured key cannot be revoked; take it out of the settings instead');
  }
  await write(sandbox, (record) => ({
    ...record,
    keys: record.keys.map((each) => (each.id === keyId ? { ...each, revokedAt: now } : each)),
  }));
  return now;
}
