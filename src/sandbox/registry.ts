/** The sandboxes that this process has in memory: by id, and by the hash of each key. */
import type { KeyRecord } from '../store/record.ts';
import { isActive, type Sandbox } from './sandbox.ts';

/** A key's sandbox and the key's record. */
export interface Opened {
  readonly sandbox: Sandbox;
  readonly key: KeyRecord;
}

/** A newly created key: `secret` is the key itself, which is shown only once. */
export interface Issued extends Opened {
  readonly secret: string;
  /** Stands for the key on the control API, and is shown only once as well. */
  readonly handle: string;
}

export class Registry {
  readonly #byId = new Map<string, Sandbox>();
  readonly #byHash = new Map<string, Opened>();

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
    return this.#byHash.get(hash);
  }

  /** Adds a sandbox with these keys. */
  add(sandbox: Sandbox, keys: readonly KeyRecord[]): void {
    this.#byId.set(sandbox.id, sandbox);
    for (const key of keys) this.addKey(sandbox, key);
  }

  addKey(sandbox: Sandbox, key: KeyRecord): void {
    this.#byHash.set(key.hash, { sandbox, key });
  }

  /** The keys of a sandbox changed. One that opens nothing yet stays so: see `Sandboxes.openPreconfigured`. */
  renew(before: readonly KeyRecord[], sandbox: Sandbox): void {
    const closed = new Set(before.filter(({ hash }) => !this.#byHash.has(hash)).map(({ hash }) => hash));
    for (const { hash } of before) this.#byHash.delete(hash);
    for (const key of sandbox.record.keys) if (!closed.has(key.hash)) this.addKey(sandbox, key);
  }

  /** Removes a sandbox with its keys. @returns a function that restores it */
  remove(sandbox: Sandbox): () => void {
    this.#byId.delete(sandbox.id);
    const keys = sandbox.record.keys.filter(({ hash }) => this.#byHash.delete(hash));
    return () => this.add(sandbox, keys);
  }

  /** True if no key opens it any more. `now` in milliseconds since 1970. */
  isOver({ record }: Sandbox, now: number): boolean {
    return !record.preconfigured && !record.keys.some((key) => isActive(key, now));
  }
}
