/** Maps keys to sandboxes. Keys are stored as hashes only. */
import type { KeyRecord } from '../store/record.ts';
import type { Sandbox } from './sandbox.ts';

/** A key's sandbox and the key's record. */
export interface Opened {
  readonly sandbox: Sandbox;
  readonly key: KeyRecord;
}

/** A newly created key: `secret` is the key itself, which is shown only once. */
export interface Issued extends Opened {
  readonly secret: string;
}

export class Doors {
  readonly #byHash = new Map<string, Opened>();

  open(hash: string): Opened | undefined {
    return this.#byHash.get(hash);
  }

  /** Maps a key to a sandbox. */
  add(sandbox: Sandbox, key: KeyRecord): void {
    this.#byHash.set(key.hash, { sandbox, key });
  }

  /** Adds all keys of a loaded sandbox. A preconfigured key opens nothing until the settings name it again. */
  addKept(sandbox: Sandbox): void {
    sandbox.record.keys.forEach((key, index) => {
      if (!(sandbox.record.preconfigured && index === 0)) this.add(sandbox, key);
    });
  }

  /** Applies changes of a sandbox's keys. */
  renew(sandbox: Sandbox): void {
    for (const key of sandbox.record.keys) if (this.#byHash.has(key.hash)) this.add(sandbox, key);
  }

  /** Maps exactly these keys to a sandbox, whatever it had before. */
  replace(before: readonly KeyRecord[], sandbox: Sandbox): void {
    for (const key of before) this.forget(key);
    for (const key of sandbox.record.keys) this.add(sandbox, key);
  }

  /** Removes a key completely. */
  forget(key: KeyRecord): void {
    this.#byHash.delete(key.hash);
  }

  /** Removes all keys of a sandbox. @returns a function that restores them */
  shut(sandbox: Sandbox): () => void {
    const opened = sandbox.record.keys.filter(({ hash }) => this.#byHash.delete(hash));
    return () => {
      for (const key of opened) this.add(sandbox, key);
    };
  }
}
