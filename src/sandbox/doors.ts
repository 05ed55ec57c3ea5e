/** Which key opens which sandbox. Keys are known by their hash only. */
import type { KeyRecord } from '../store/record.ts';
import type { Sandbox } from './sandbox.ts';

/** What a key opens, and whether it still does. */
export interface Opened {
  readonly sandbox: Sandbox;
  readonly key: KeyRecord;
}

/** A key that was just made: `secret` is the key itself, shown this once. */
export interface Issued extends Opened {
  readonly secret: string;
}

export class Doors {
  readonly #byHash = new Map<string, Opened>();

  open(hash: string): Opened | undefined {
    return this.#byHash.get(hash);
  }

  /** From now on this key opens the sandbox. */
  add(sandbox: Sandbox, key: KeyRecord): void {
    this.#byHash.set(key.hash, { sandbox, key });
  }

  /** All keys of a sandbox that was kept over a restart. A fixed key opens nothing until the settings name it again. */
  addKept(sandbox: Sandbox): void {
    sandbox.record.keys.forEach((key, index) => {
      if (!(sandbox.record.fixed && index === 0)) this.add(sandbox, key);
    });
  }

  /** Takes over what changed about the keys of a sandbox. */
  renew(sandbox: Sandbox): void {
    for (const key of sandbox.record.keys) if (this.#byHash.has(key.hash)) this.add(sandbox, key);
  }

  /** Opens nothing any more, and is not remembered either. */
  forget(key: KeyRecord): void {
    this.#byHash.delete(key.hash);
  }

  /** Shuts a sandbox to all its keys. @returns opens it to the same keys again */
  shut(sandbox: Sandbox): () => void {
    const opened = sandbox.record.keys.filter(({ hash }) => this.#byHash.delete(hash));
    return () => {
      for (const key of opened) this.add(sandbox, key);
    };
  }
}
