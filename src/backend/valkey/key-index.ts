/** Which sandbox a key leads to, by the hash of the key. It never changes, so it is remembered for good. */
import type { KeyRecord, SandboxRecord } from '../../store/record.ts';
import type { ValkeyClient } from './client.ts';
import { EXPIRES, logKey, secretKey, USED } from './names.ts';

/** Keys remembered by this process. */
const MAX_REMEMBERED = 100_000;

export class KeyIndex {
  readonly #sandboxes = new Map<string, string>();
  readonly #valkey: ValkeyClient;

  constructor(valkey: ValkeyClient) {
    this.#valkey = valkey;
  }

  /** The id of the sandbox, if it is remembered. */
  known(hash: string): string | undefined {
    return this.#sandboxes.get(hash);
  }

  /** The id of the sandbox. @throws {ApiError} `storage_failed` */
  async find(hash: string): Promise<string | undefined> {
    const id = (await this.#valkey.call('GET', secretKey(hash))) as string | null;
    if (id === null) return undefined;
    this.#remember(hash, id);
    return id;
  }

  /** Leads a key to a sandbox unless it leads to one already. @returns the one it leads to */
  async claim(hash: string, id: string): Promise<string> {
    if ((await this.#valkey.call('SET', secretKey(hash), id, 'NX')) !== null) return id;
    return ((await this.#valkey.call('GET', secretKey(hash))) as string | null) ?? id;
  }

  /** The keys of a new sandbox. */
  add(record: SandboxRecord): Promise<void> {
    return this.follow({ ...record, keys: [] }, record);
  }

  /** Keys were added to a sandbox, or were forgotten. */
  async follow(before: SandboxRecord, { id, keys }: SandboxRecord): Promise<void> {
    if (before.keys === keys) return;
    const known = new Set(before.keys.map(({ hash }) => hash));
    const present = new Set(keys.map(({ hash }) => hash));
    const added = keys.filter(({ hash }) => !known.has(hash));
    const removed = before.keys.filter(({ hash }) => !present.has(hash));
    for (const { hash } of added) this.#remember(hash, id);
    await this.#valkey.all([
      // Without an end: a full Valkey may remove what has one, and a key must not be lost.
      ...added.map(({ hash }) => ['SET', secretKey(hash), id] as const),
      ...removed.map(({ hash }) => ['DEL', secretKey(hash)] as const),
      ...expiryOf(id, keys),
    ]);
    // Another server may have ended the sandbox meanwhile, without knowing these keys.
    if ((await this.#valkey.call('EXISTS', logKey(id))) === 0) await this.remove(id, keys);
    await this.#valkey.confirm();
  }

  /** A sandbox has ended. */
  async remove(id: string, keys: readonly KeyRecord[]): Promise<void> {
    for (const { hash } of keys) this.#sandboxes.delete(hash);
    await this.#valkey.all([
      ...keys.map(({ hash }) => ['DEL', secretKey(hash)] as const),
      ['ZREM', USED, id],
      ['ZREM', EXPIRES, id],
    ]);
  }

  /** Forgets all: the store may have other keys now. */
  clear(): void {
    this.#sandboxes.clear();
  }

  #remember(hash: string, id: string): void {
    if (this.#sandboxes.size >= MAX_REMEMBERED) this.#sandboxes.clear();
    this.#sandboxes.set(hash, id);
  }
}

/** When a sweep has to look at a sandbox: when its last key expires. */
function expiryOf(id: string, keys: readonly KeyRecord[]): readonly (readonly [string, ...(string | number)[]])[] {
  const ends = keys.map(({ expiresAt, revokedAt }) => revokedAt ?? expiresAt);
  if (ends.includes(null)) return [['ZREM', EXPIRES, id]];
  return [['ZADD', EXPIRES, Math.max(...(ends as number[])), id]];
}
