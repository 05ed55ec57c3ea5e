/** Sandboxes on both stores, with a clock of the test's own. */
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../src/api/api-key.ts';
import { type Issued, Sandboxes, type SandboxesOptions } from '../../src/sandbox/sandboxes.ts';
import { MemoryLogs } from '../../src/store/logs.ts';
import { Store } from '../../src/store/store.ts';
import { AT, filesBelow, openFiles, ROOMY, scratch, shelf } from '../store/support.ts';

const HOUR = 3_600_000;
let now: number;
let store: Store;
let directory: string;
let clear: () => Promise<void>;
let ended: string[];

const clock = { now: () => now };
const open = async (options: Partial<SandboxesOptions> = {}): Promise<Sandboxes> => {
  const sandboxes = new Sandboxes({
    store,
    fixtures: await shelf(),
    clock,
    maxSandboxes: 100,
    keyTtlSeconds: 3600,
    fixture: 'default',
    ...options,
  });
  sandboxes.watch({
    ended: ({ id }) => void ended.push(id),
    happened: () => undefined,
    resetting: async () => undefined,
    clearRequests: async () => undefined,
  });
  return sandboxes;
};
const opens = (sandboxes: Sandboxes, { secret }: Issued): boolean => sandboxes.open(hashOf(secret)) !== undefined;
const limit = expect.objectContaining({ code: 'limit_reached' });

beforeEach(async () => {
  now = AT;
  ended = [];
  ({ directory, clear } = await scratch());
});
afterEach(async () => {
  await store.close();
  await clear();
});

describe.each(['memory', 'json-files'] as const)('sandboxes in %s', (kind) => {
  beforeEach(async () => {
    store =
      kind === 'memory'
        ? new Store({ logs: new MemoryLogs(), fixtures: await shelf(), limits: ROOMY })
        : await openFiles(directory);
  });

  it('never pass the cap, however many come at once', async () => {
    const sandboxes = await open({ maxSandboxes: 5 });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => sandboxes.create({})));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const each of asked) if (each.status === 'rejected') expect(each.reason).toEqual(limit);
    expect([sandboxes.size, store.records().length]).toEqual([5, 5]);
  });

  it('at the cap end the one longest idle, unused for an hour and not fixed; one for each that comes', async () => {
    const sandboxes = await open({ maxSandboxes: 4 });
    const preconfigured = await sandboxes.openPreconfigured('a-fixed-key-0123456789');
    const made: Issued[] = [];
    for (let i = 0; i < 3; i++) {
      made.push(await sandboxes.create({ ttlSeconds: 86_400 }));
      now += 1000;
    }
    const [first, second, third] = made as [Issued, Issued, Issued];
    now = AT + HOUR - 1;
    await expect(sandboxes.create({})).rejects.toEqual(limit);
    first.sandbox.lastUsedAt = now;
    now = AT + HOUR + 2000;
    const both = await Promise.all([sandboxes.create({}), sandboxes.create({})]);
    expect(ended).toEqual([second.sandbox.id, third.sandbox.id]);
    expect([sandboxes.size, sandboxes.get(preconfigured.id)]).toEqual([4, preconfigured]);
    expect([first, second, third, ...both].map((each) => opens(sandboxes, each))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
    await expect(sandboxes.create({})).rejects.toEqual(limit);
  });

  it('give a place back that was not used after all', async () => {
    const sandboxes = await open({ maxSandboxes: 1 });
    await expect(sandboxes.create({ fixture: 'spring' })).rejects.toEqual(
      expect.objectContaining({ code: 'not_found' }),
    );
    const made = await sandboxes.create({});
    await expect(sandboxes.fork(made.sandbox, {})).rejects.toEqual(limit);
    await sandboxes.end(made.sandbox);
    expect(opens(sandboxes, await sandboxes.create({}))).toBe(true);
  });

  it('are swept when their time is over, and when no key opens them; fixed ones stay', async () => {
    const sandboxes = await open();
    const preconfigured = await sandboxes.openPreconfigured('a-fixed-key-0123456789');
    const short = await sandboxes.create({ ttlSeconds: 10 });
    const long = await sandboxes.create({ ttlSeconds: 100 });
    const fork = await sandboxes.fork(long.sandbox, { ttlSeconds: 1000 });
    const revoked = await sandboxes.create({ ttlSeconds: 1000 });
    await sandboxes.revoke(revoked.sandbox, revoked.key.id);
    const left = () => [short, long, fork, revoked].map((each) => sandboxes.get(each.sandbox.id) !== undefined);
    now = AT + 9_999;
    await sandboxes.sweep();
    expect(left()).toEqual([true, true, true, false]);
    now = AT + 10_000;
    await sandboxes.sweep();
    expect(left()).toEqual([false, true, true, false]);
    expect(fork.key.expiresAt).toBe(long.key.expiresAt);
    now = AT + 100_000;
    await sandboxes.sweep();
    expect(left()).toEqual([false, false, false, false]);
    expect(store.records().map(({ id }) => id)).toEqual([preconfigured.id]);
    expect(ended).toHaveLength(4);
    if (kind === 'json-files') {
      await store.close();
      expect(await filesBelow(directory)).toEqual([`sandboxes/${preconfigured.id}.jsonl`, 'store.json']);
    }
  });

  it('end alone: forks are copies, which live on', async () => {
    const sandboxes = await open();
    const origin = await sandboxes.create({});
    const fork = await sandboxes.fork(origin.sandbox, {});
    const ofFork = await sandboxes.fork(fork.sandbox, {});
    await sandboxes.end(origin.sandbox);
    await sandboxes.end(origin.sandbox);
    await sandboxes.end(fork.sandbox);
    expect([origin, fork, ofFork].map((each) => opens(sandboxes, each))).toEqual([false, false, true]);
    expect([sandboxes.size, store.records().length]).toEqual([1, 1]);
    expect(ended).toEqual([origin.sandbox.id, fork.sandbox.id]);
  });

  it('give out no key of a sandbox that ends in the same moment', async () => {
    const sandboxes = await open();
    for (let round = 0; round < 20; round++) {
      const made = await sandboxes.create({});
      const asked = Promise.allSettled([sandboxes.share(made.sandbox, made.key, {})]);
      for (let turn = 0; turn < round; turn++) await undefined;
      await sandboxes.end(made.sandbox);
      for (const each of await asked) if (each.status === 'fulfilled') expect(opens(sandboxes, each.value)).toBe(false);
      expect([round, sandboxes.size, store.records().length]).toEqual([round, 0, 0]);
    }
  });

  it('at the cap end those that are over before any other, also before they were swept', async () => {
    const sandboxes = await open({ maxSandboxes: 3 });
    const idle = await sandboxes.create({ ttlSeconds: 86_400 });
    const over = await sandboxes.create({ ttlSeconds: 10 });
    const revoked = await sandboxes.create({ ttlSeconds: 86_400 });
    await expect(sandboxes.create({})).rejects.toEqual(limit);
    now = AT + 10_000;
    await sandboxes.openPreconfigured('a-fixed-key-0123456789');
    expect(ended).toEqual([over.sandbox.id]);
    await sandboxes.revoke(revoked.sandbox, revoked.key.id);
    now = AT + HOUR + 10_000;
    revoked.sandbox.lastUsedAt = now;
    await sandboxes.create({});
    expect(ended).toEqual([over.sandbox.id, revoked.sandbox.id]);
    await sandboxes.create({});
    expect(ended.at(-1)).toBe(idle.sandbox.id);
  });

  it('hold 100 active keys, and remember a hundred inactive ones', async () => {
    const sandboxes = await open();
    const first = await sandboxes.create({});
    const shared: Issued[] = [];
    for (let i = 1; i < 100; i++) shared.push(await sandboxes.share(first.sandbox, first.key, {}));
    await expect(sandboxes.share(first.sandbox, first.key, {})).rejects.toEqual(limit);
    const atOnce = await Promise.allSettled([1, 2].map(() => sandboxes.share(first.sandbox, first.key, {})));
    expect(atOnce.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const { key } of shared) await sandboxes.revoke(first.sandbox, key.id);
    for (let i = 0; i < 5; i++) {
      const { key } = await sandboxes.share(first.sandbox, first.key, {});
      await sandboxes.revoke(first.sandbox, key.id);
    }
    const inactive = first.sandbox.record.keys.filter(({ revokedAt }) => revokedAt !== null);
    expect(inactive).toHaveLength(100);
    expect(opens(sandboxes, shared[0] as Issued)).toBe(false);
    expect(opens(sandboxes, shared[98] as Issued)).toBe(true);
    expect(opens(sandboxes, first)).toBe(true);
  });
});

describe('sandboxes on disk', () => {
  beforeEach(async () => {
    store = await openFiles(directory);
  });

  it('open with the same keys after a restart; a fixed one only when its key is named again', async () => {
    let sandboxes = await open();
    const made = await sandboxes.create({ label: 'mine' });
    const preconfigured = await sandboxes.openPreconfigured('a-fixed-key-0123456789');
    const fixedShared = await sandboxes.share(preconfigured, { expiresAt: null }, {});
    await store.close();
    store = await openFiles(directory);
    sandboxes = await open();
    expect(opens(sandboxes, made)).toBe(true);
    expect(opens(sandboxes, fixedShared)).toBe(true);
    expect(sandboxes.open(hashOf('a-fixed-key-0123456789'))).toBeUndefined();
    await sandboxes.openPreconfigured('another-fixed-key-01234');
    expect(sandboxes.open(hashOf('a-fixed-key-0123456789'))).toBeUndefined();
    const again = await sandboxes.openPreconfigured('a-fixed-key-0123456789');
    expect([again.id, sandboxes.open(hashOf('a-fixed-key-0123456789'))?.sandbox.id]).toEqual([
      preconfigured.id,
      preconfigured.id,
    ]);
    expect(sandboxes.size).toBe(3);
  });

  it('stay open when their end cannot be written, and end once it can', async () => {
    const sandboxes = await open();
    const made = await sandboxes.create({});
    const log = join(directory, 'sandboxes', `${made.sandbox.id}.jsonl`);
    rmSync(log);
    mkdirSync(log);
    await expect(sandboxes.end(made.sandbox)).rejects.toEqual(expect.objectContaining({ code: 'storage_failed' }));
    expect([opens(sandboxes, made), sandboxes.size, ended]).toEqual([true, 1, []]);
    rmdirSync(log);
    await sandboxes.end(made.sandbox);
    expect([opens(sandboxes, made), sandboxes.size, ended]).toEqual([false, 0, [made.sandbox.id]]);
  });

  it('are swept though the disk refuses one of them, which the next sweep ends', async () => {
    const sandboxes = await open();
    const made: Issued[] = [];
    for (let i = 0; i < 5; i++) made.push(await sandboxes.create({}));
    const stuck = made[1] as Issued;
    const log = join(directory, 'sandboxes', `${stuck.sandbox.id}.jsonl`);
    rmSync(log);
    mkdirSync(log);
    now += HOUR;
    const [first, second] = [sandboxes.sweep(), sandboxes.sweep()];
    expect(second).toBe(first);
    expect(await first).toEqual({ failed: 1, error: expect.objectContaining({ code: 'storage_failed' }) });
    expect([...sandboxes.all()].map(({ id }) => id)).toEqual([stuck.sandbox.id]);
    rmdirSync(log);
    expect(await sandboxes.sweep()).toEqual({ failed: 0, error: undefined });
    expect([sandboxes.size, ended.length]).toEqual([0, 5]);
  });
});
