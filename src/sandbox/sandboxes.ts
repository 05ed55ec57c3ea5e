/** All sandboxes of a server and the keys that open them: issuing, sharing, revoking, ending, sweeping. */
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { KeyRecord, SandboxRecord } from '../store/record.ts';
import { NO_SETTINGS, type SnapshotInfo, type Start, type Store } from '../store/store.ts';
import type { FixtureShelf } from '../store/world.ts';
import { keyEvent, resetEvent, type SandboxEvent } from './events.ts';
import { hashOf, newKey } from './keys.ts';
import { isActive, Sandbox } from './sandbox.ts';

const MAX_KEYS = 100;
/** Revoked and expired keys are remembered, so that their use is told apart; only so many. */
const MAX_SPENT_KEYS = 100;
const IDLE_BEFORE_EVICTION = 3_600_000;

/** A key that was just made: `secret` is the key itself, shown this once. */
export interface Issued {
  readonly sandbox: Sandbox;
  readonly key: KeyRecord;
  readonly secret: string;
}

/** What a key opens, and whether it still does. */
export interface Opened {
  readonly sandbox: Sandbox;
  readonly key: KeyRecord;
}

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
  readonly #byId = new Map<string, Sandbox>();
  readonly #byHash = new Map<string, Opened>();
  /** How many are being made: each has its place already, so that many at once do not pass the cap together. */
  #founding = 0;
  readonly #options: SandboxesOptions;

  /** Takes up what the store kept. Fixed sandboxes stay shut until `openFixed` names their key again. */
  constructor(options: SandboxesOptions) {
    this.#options = options;
    for (const record of options.store.records()) this.#admit(new Sandbox(record, options));
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

  /** What a key's hash leads to: also keys that expired or were revoked, as long as their sandbox is there. */
  open(hash: string): Opened | undefined {
    return this.#byHash.get(hash);
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
    return this.#found({ fixture }, about, newKey());
  }

  /** A new sandbox that starts as a copy of another, and ends with it. @throws {ApiError} as `create` */
  async fork(of: Sandbox, ask: { label?: string | undefined; ttlSeconds?: number | undefined }): Promise<Issued> {
    const times = this.#times(ask.ttlSeconds, of.record.expiresAt);
    const about = { label: ask.label ?? null, ...times, fixed: false, forkOf: of.id };
    await of.faults.flush();
    return this.#found({ copyOf: of.id }, about, newKey());
  }

  /** The sandbox of a key from the settings: the one it had before, or a new one. */
  async openFixed(secret: string): Promise<Sandbox> {
    const hash = hashOf(secret);
    for (const sandbox of this.#byId.values()) {
      const key = sandbox.record.fixed ? sandbox.record.keys.find((each) => each.hash === hash) : undefined;
      if (!key) continue;
      this.#byHash.set(hash, { sandbox, key });
      return sandbox;
    }
    const about = { label: null, ...this.#times(null, null), fixed: true, forkOf: null };
    const { sandbox } = await this.#found({ fixture: this.#options.fixture }, about, secret);
    return sandbox;
  }

  /** A further key to the same sandbox, never outliving the one that asks. @throws {ApiError} `limit_reached` at 100 */
  async share(
    sandbox: Sandbox,
    by: { readonly expiresAt: number | null },
    ask: { label?: string | undefined; ttlSeconds?: number | undefined },
  ): Promise<Issued> {
    const secret = newKey();
    const key = keyOf(secret, { label: ask.label ?? null, ...this.#times(ask.ttlSeconds, by.expiresAt) });
    const now = key.createdAt;
    await this.#change(sandbox, (record) => {
      if (record.keys.filter((each) => isActive(each, now)).length >= MAX_KEYS) {
        throw new ApiError('limit_reached', `a sandbox has ${MAX_KEYS} keys at most; revoke one first`);
      }
      return { ...record, keys: [...this.#withoutOldestSpent(record.keys, now), key] };
    });
    this.#byHash.set(key.hash, { sandbox, key });
    this.#options.onEvent?.(sandbox, keyEvent(now, 'shared', key.id));
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
    await this.#change(sandbox, (record) => ({
      ...record,
      keys: record.keys.map((each) => (each.id === keyId ? { ...each, revokedAt: now } : each)),
    }));
    this.#options.onEvent?.(sandbox, keyEvent(now, 'revoked', keyId));
  }

  /** Ends a sandbox, its data, its keys and its forks. */
  async end(sandbox: Sandbox): Promise<void> {
    const forks = [...this.#byId.values()].filter((each) => each.record.forkOf === sandbox.id);
    for (const fork of forks) await this.end(fork);
    // Shut before anything waits: nobody finds half a sandbox, and it makes room for one other only.
    if (!this.#byId.delete(sandbox.id)) return;
    const opened = sandbox.record.keys.filter(({ hash }) => this.#byHash.delete(hash));
    try {
      await this.#options.store.remove(sandbox.id);
    } catch (error) {
      this.#byId.set(sandbox.id, sandbox);
      for (const key of opened) this.#byHash.set(key.hash, { sandbox, key });
      throw error;
    }
    this.#options.onEnd?.(sandbox);
  }

  /** Back to a fixture, by default its own, or to a snapshot. @throws {ApiError} `not_found`, `storage_failed` */
  async reset(sandbox: Sandbox, to: { fixture: string } | { snapshot: string }): Promise<void> {
    if ('fixture' in to) this.refuseUnknownFixture(to.fixture);
    await this.#takeOver(sandbox, () => this.#options.store.reset(sandbox.id, to));
    this.#options.onEvent?.(sandbox, resetEvent(this.#options.clock.now(), to));
  }

  /** Names the present state of a sandbox. @throws {ApiError} `conflict` when the name is taken, `limit_reached` at 50 */
  async saveSnapshot(sandbox: Sandbox, name: string): Promise<SnapshotInfo> {
    await sandbox.faults.flush();
    return this.#options.store.saveSnapshot(sandbox.id, name, this.#options.clock.now());
  }

  /** Changes what is kept of a sandbox beside its pets: its clock, its faults. @throws {ApiError} `storage_failed` */
  change(sandbox: Sandbox, change: (record: SandboxRecord) => SandboxRecord): Promise<void> {
    return this.#change(sandbox, change);
  }

  /** Ends what no key opens any more, and forks without their origin. No key outlives its sandbox's time. */
  async sweep(): Promise<void> {
    const now = this.#options.clock.now();
    for (const sandbox of [...this.#byId.values()]) {
      const { record } = sandbox;
      if (record.fixed || !this.#byId.has(sandbox.id)) continue;
      const orphan = record.forkOf !== null && !this.#byId.has(record.forkOf);
      if (orphan || !record.keys.some((key) => isActive(key, now))) await this.end(sandbox);
    }
  }

  /** Writes down what is written behind: how far the faults have come. */
  async flush(): Promise<void> {
    await Promise.all([...this.#byId.values()].map((sandbox) => sandbox.faults.flush()));
  }

  /** @throws {ApiError} `not_found`, naming those there are */
  refuseUnknownFixture(name: string): void {
    if (this.#options.fixtures.has(name)) return;
    throw new ApiError('not_found', `no fixture named ${name}; GET /_sandbox/fixtures lists them`);
  }

  async #found(
    start: Start,
    about: Pick<SandboxRecord, 'label' | 'createdAt' | 'expiresAt' | 'fixed' | 'forkOf'>,
    secret: string,
  ): Promise<Issued> {
    const key = keyOf(secret, about);
    const record: SandboxRecord = { ...NO_SETTINGS, ...about, id: newId('sbx'), keys: [key] };
    const sandbox = new Sandbox(record, this.#options);
    this.#founding++;
    try {
      await this.#makeRoom();
      await this.#takeOver(sandbox, () => this.#options.store.create(record, start));
      this.#byId.set(sandbox.id, sandbox);
    } finally {
      this.#founding--;
    }
    this.#byHash.set(key.hash, { sandbox, key });
    return { sandbox, key, secret };
  }

  /** The whole of a sandbox begins anew with what the store wrote: its faults too. */
  async #takeOver(sandbox: Sandbox, write: () => Promise<SandboxRecord>): Promise<void> {
    await sandbox.faults.replaceBy(async () => {
      sandbox.record = await write();
      return sandbox.record.faults;
    });
  }

  /** At the cap, the one longest idle makes room: not fixed, and unused for an hour. */
  async #makeRoom(): Promise<void> {
    if (this.#byId.size + this.#founding <= this.#options.maxSandboxes) return;
    const idleSince = this.#options.clock.now() - IDLE_BEFORE_EVICTION;
    let idlest: Sandbox | undefined;
    for (const sandbox of this.#byId.values()) {
      if (sandbox.record.fixed || sandbox.lastUsedAt > idleSince) continue;
      if (!idlest || sandbox.lastUsedAt < idlest.lastUsedAt) idlest = sandbox;
    }
    if (!idlest) {
      throw new ApiError(
        'limit_reached',
        `the server holds ${this.#options.maxSandboxes} sandboxes and all are in use; end one with DELETE /_sandbox`,
      );
    }
    await this.end(idlest);
  }

  async #change(sandbox: Sandbox, change: (record: SandboxRecord) => SandboxRecord): Promise<void> {
    sandbox.record = await this.#options.store.update(sandbox.id, change);
    for (const key of sandbox.record.keys) {
      if (this.#byHash.has(key.hash)) this.#byHash.set(key.hash, { sandbox, key });
    }
  }

  #admit(sandbox: Sandbox): void {
    this.#byId.set(sandbox.id, sandbox);
    sandbox.record.keys.forEach((key, index) => {
      if (!(sandbox.record.fixed && index === 0)) this.#byHash.set(key.hash, { sandbox, key });
    });
  }

  /** Now, and when what is made now ends: after its time, but no later than `latest`. */
  #times(
    ttlSeconds: number | null | undefined,
    latest: number | null,
  ): { createdAt: number; expiresAt: number | null } {
    const createdAt = this.#options.clock.now();
    const own = ttlSeconds === null ? null : createdAt + (ttlSeconds ?? this.#options.keyTtlSeconds) * 1000;
    return { createdAt, expiresAt: earlier(own, latest) };
  }

  #withoutOldestSpent(keys: readonly KeyRecord[], now: number): readonly KeyRecord[] {
    const spent = keys.filter((key) => !isActive(key, now));
    const oldest = spent.length >= MAX_SPENT_KEYS ? spent[0] : undefined;
    if (oldest) this.#byHash.delete(oldest.hash);
    return keys.filter((key) => key !== oldest);
  }
}

const keyOf = (secret: string, about: Pick<KeyRecord, 'label' | 'createdAt' | 'expiresAt'>): KeyRecord => ({
  id: newId('key'),
  hash: hashOf(secret),
  label: about.label,
  createdAt: about.createdAt,
  expiresAt: about.expiresAt,
  revokedAt: null,
});

/** The earlier of two moments, where `null` is never. */
function earlier(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.min(a, b);
}
