/** All sandboxes of a server: how they begin, change and end, families of forks included. */
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { KeyRecord, SandboxRecord } from '../store/record.ts';
import type { SnapshotInfo, Store } from '../store/store.ts';
import type { FixtureShelf } from '../store/world.ts';
import type { Issued, Opened } from './doors.ts';
import { keyEvent, resetEvent, type SandboxEvent } from './events.ts';
import { Founding } from './founding.ts';
import { endOf, keyRecordOf, withKey } from './key-records.ts';
import { hashOf, newKey } from './keys.ts';
import { Registry } from './registry.ts';
import { gone, isActive, Sandbox } from './sandbox.ts';
import { type Swept, sweep } from './sweep.ts';

/** How many forks may descend from each other in a row. */
const MAX_FORK_DEPTH = 20;

export interface SandboxesOptions {
  readonly store: Store;
  readonly fixtures: FixtureShelf;
  readonly clock: Clock;
  readonly maxSandboxes: number;
  /** How long a key lasts when nothing is asked for, in seconds. */
  readonly keyTtlSeconds: number;
  /** The fixture of a sandbox that asks for none. */
  readonly fixture: string;
  /** Told when a sandbox is gone, whatever the reason. */
  readonly onEnd?: (sandbox: Sandbox) => void;
  /** Told what happens to a sandbox beside requests. */
  readonly onEvent?: (sandbox: Sandbox, event: SandboxEvent) => void;
}

export class Sandboxes {
  readonly #registry = new Registry();
  readonly #founding: Founding;
  #sweeping: Promise<Swept> | undefined;
  #stopped = false;
  readonly #options: SandboxesOptions;

  /** Takes up what the store kept. Fixed sandboxes stay shut until `openFixed` names their key again. */
  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#founding = new Founding(this.#registry, (sandbox) => this.end(sandbox), options);
    // In the order in which they were made, whatever order the store has: see `sweep`.
    for (const record of [...options.store.records()].sort((a, b) => a.createdAt - b.createdAt)) {
      const sandbox = new Sandbox(record, options);
      this.#registry.add(sandbox);
      this.#registry.doors.addKept(sandbox);
    }
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

  /** What a key's hash leads to: also keys that expired or were revoked, as long as their sandbox is there. */
  open(hash: string): Opened | undefined {
    return this.#registry.open(hash);
  }

  /**
   * A new sandbox and its key.
   *
   * @param ask `ttlSeconds` `null`: never expires
   * @throws {ApiError} `limit_reached`, `not_found` (no such fixture), `storage_failed`
   */
  async create(ask: {
    label?: string | undefined;
    fixture?: string | undefined;
    ttlSeconds?: number | null | undefined;
  }): Promise<Issued> {
    const fixture = ask.fixture ?? this.#options.fixture;
    this.refuseUnknownFixture(fixture);
    const about = { label: ask.label ?? null, ...this.#times(ask.ttlSeconds, null), fixed: false, forkOf: null };
    return this.#founding.found({ fixture }, about, newKey());
  }

  /** A new sandbox that starts as a copy of another, and ends with it. @throws {ApiError} as `create` */
  async fork(of: Sandbox, ask: { label?: string | undefined; ttlSeconds?: number | undefined }): Promise<Issued> {
    this.#refuseTooDeep(of);
    const times = this.#times(ask.ttlSeconds, of.record.expiresAt);
    const about = { label: ask.label ?? null, ...times, fixed: false, forkOf: of.id };
    await of.faults.flush();
    return this.#founding.found({ copyOf: of.id }, about, newKey());
  }

  /** The sandbox of a key from the settings: the one it had before, or a new one. */
  async openFixed(secret: string): Promise<Sandbox> {
    const hash = hashOf(secret);
    for (const sandbox of this.all()) {
      const key = sandbox.record.fixed ? sandbox.record.keys.find((each) => each.hash === hash) : undefined;
      if (!key) continue;
      this.#registry.doors.add(sandbox, key);
      return sandbox;
    }
    const about = { label: null, ...this.#times(null, null), fixed: true, forkOf: null };
    const { sandbox } = await this.#founding.found({ fixture: this.#options.fixture }, about, secret);
    return sandbox;
  }

  /** A further key to the same sandbox, never outliving the one that asks. @throws {ApiError} `limit_reached` at 100 */
  async share(
    sandbox: Sandbox,
    by: { readonly expiresAt: number | null },
    ask: { label?: string | undefined; ttlSeconds?: number | undefined },
  ): Promise<Issued> {
    const secret = newKey();
    const key = keyRecordOf(secret, { label: ask.label ?? null, ...this.#times(ask.ttlSeconds, by.expiresAt) });
    let forgotten: KeyRecord | undefined;
    await this.change(sandbox, (record) => {
      const next = withKey(record.keys, key);
      forgotten = next.forgotten;
      return { ...record, keys: next.keys };
    });
    // It may have ended while the key was written: such a key must not stay in a door without a house.
    if (!this.#registry.has(sandbox)) throw gone(sandbox.id);
    if (forgotten) this.#registry.doors.forget(forgotten);
    this.#registry.doors.add(sandbox, key);
    this.#options.onEvent?.(sandbox, keyEvent(key.createdAt, 'shared', key.id));
    return { sandbox, key, secret };
  }

  /** @throws {ApiError} `not_found`; `conflict` for a fixed key, which only the settings can take away */
  async revoke(sandbox: Sandbox, keyId: string): Promise<void> {
    const now = this.#options.clock.now();
    const key = sandbox.record.keys.find((each) => each.id === keyId && isActive(each, now));
    if (!key) throw new ApiError('not_found', `this sandbox has no active key ${keyId}; GET /_sandbox/keys lists them`);
    if (sandbox.record.fixed && key.expiresAt === null && key === sandbox.record.keys[0]) {
      throw new ApiError('conflict', 'a fixed key cannot be revoked; take it out of the settings instead');
    }
    await this.change(sandbox, (record) => ({
      ...record,
      keys: record.keys.map((each) => (each.id === keyId ? { ...each, revokedAt: now } : each)),
    }));
    this.#options.onEvent?.(sandbox, keyEvent(now, 'revoked', keyId));
  }

  /**
   * Ends a sandbox, its data, its keys and everything that descends from it: all of it or nothing.
   *
   * @throws {ApiError} `storage_failed`: everything is as it was
   */
  async end(sandbox: Sandbox): Promise<void> {
    if (!this.#registry.has(sandbox)) return;
    const family = this.#registry.familyOf(sandbox);
    // Shut before anything waits: nobody finds half a family, and it makes room for one other only.
    const reopen = family.map((member) => this.#registry.shut(member));
    try {
      await this.#options.store.remove(sandbox.id);
    } catch (error) {
      for (const open of reopen) open();
      throw error;
    }
    for (const member of family) this.#options.onEnd?.(member);
  }

  /** Back to a fixture, by default its own, or to a snapshot. @throws {ApiError} `not_found`, `storage_failed` */
  async reset(sandbox: Sandbox, to: { fixture: string } | { snapshot: string }): Promise<void> {
    if ('fixture' in to) {
      this.refuseUnknownFixture(to.fixture);
      // A fixture whose file cannot be read any more is refused before anything happened, not after.
      if (!this.#options.fixtures.get(to.fixture)) await this.#options.fixtures.load(to.fixture);
    }
    await sandbox.takeOver(() => this.#options.store.reset(sandbox.id, to));
    this.#options.onEvent?.(sandbox, resetEvent(this.#options.clock.now(), to));
  }

  /** Names the present state of a sandbox. @throws {ApiError} `conflict` when the name is taken, `limit_reached` at 50 */
  async saveSnapshot(sandbox: Sandbox, name: string): Promise<SnapshotInfo> {
    await sandbox.faults.flush();
    return this.#options.store.saveSnapshot(sandbox.id, name, this.#options.clock.now());
  }

  /** Changes what is kept of a sandbox beside its pets: its clock, faults, keys. @throws {ApiError} `storage_failed` */
  async change(sandbox: Sandbox, change: (record: SandboxRecord) => SandboxRecord): Promise<void> {
    sandbox.record = await this.#options.store.update(sandbox.id, change);
    this.#registry.doors.renew(sandbox);
  }

  /**
   * Ends what no key opens any more, and forks without their origin. No key outlives its sandbox's time. One sweep runs
   * at a time: who asks for another meanwhile waits for that one.
   */
  sweep(): Promise<Swept> {
    this.#sweeping ??= sweep({
      // The youngest first: a family that expired goes fork by fork, instead of all in the turn of its origin.
      all: [...this.all()].reverse(),
      isOver: (sandbox) => this.#registry.has(sandbox) && this.#registry.isOver(sandbox, this.#options.clock.now()),
      end: (sandbox) => this.end(sandbox),
      isStopped: () => this.#stopped,
    }).finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Stops sweeping, and writes down what is written behind: how far the faults have come. */
  async flush(): Promise<void> {
    this.#stopped = true;
    await this.#sweeping;
    await Promise.all([...this.all()].map((sandbox) => sandbox.faults.flush()));
  }

  /** @throws {ApiError} `not_found`, naming those there are */
  refuseUnknownFixture(name: string): void {
    if (this.#options.fixtures.has(name)) return;
    throw new ApiError('not_found', `no fixture named ${name}; GET /_sandbox/fixtures lists them`);
  }

  #refuseTooDeep(of: Sandbox): void {
    if (this.#registry.depthOf(of, MAX_FORK_DEPTH) < MAX_FORK_DEPTH) return;
    throw new ApiError(
      'limit_reached',
      `forks of forks go ${MAX_FORK_DEPTH} deep at most; fork a sandbox that this one descends from`,
    );
  }

  /** Now, and when what is made now ends. */
  #times(ttlSeconds: number | null | undefined, latest: number | null) {
    const createdAt = this.#options.clock.now();
    const ttl = ttlSeconds === undefined ? this.#options.keyTtlSeconds : ttlSeconds;
    return { createdAt, expiresAt: endOf(createdAt, ttl, latest) };
  }
}
