/** Sandboxes on disk, with a clock of the test's own. */
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../src/base/api/api-key.ts';
import { type Issued, Sandboxes, type SandboxesOptions } from '../../src/sandbox/sandboxes.ts';
import { newFolder } from '../support/folder.ts';
import { AT, filesBelow, openFiles, recordsOf, type StoreById, shelf } from './store/support.ts';

const HOUR = 3_600_000;
const FIXED = 'a-fixed-key-0123456789';
let now: number;
let store: StoreById;
let directory: string;
let ended: string[];

const open = async (options: Partial<SandboxesOptions> = {}): Promise<Sandboxes> => {
  const own = { store, fixtures: await shelf(), clock: { now: () => now } };
  const sandboxes = new Sandboxes({ ...own, maxSandboxes: 100, keyTtlSeconds: 3600, fixture: 'default', ...options });
  sandboxes.watch({
    ended: ({ id }) => void ended.push(id),
    happened: () => undefined,
    resetting: async () => undefined,
    clearRequests: async () => undefined,
  });
  return sandboxes;
};
const opens = (sandboxes: Sandboxes, { secret }: Issued): boolean => sandboxes.open(hashOf(secret)) !== undefined;
const code = (expected: string) => expect.objectContaining({ code: expected });
const limit = code('limit_reached');

/** Makes sandboxes that live so many seconds each, one after the other. */
async function make<const T extends readonly number[]>(sandboxes: Sandboxes, ...ttls: T) {
  const made: Issued[] = [];
  for (const ttlSeconds of ttls) made.push(await sandboxes.create({ ttlSeconds }));
  return made as { [K in keyof T]: Issued };
}

/** Puts a folder in the place of a sandbox's log, which cannot be written or removed then. @returns takes it away */
function block({ sandbox }: Issued): () => void {
  const log = join(directory, 'sandboxes', `${sandbox.id}.jsonl`);
  rmSync(log);
  mkdirSync(log);
  return () => rmdirSync(log);
}

beforeEach(async () => {
  now = AT;
  ended = [];
  directory = await newFolder();
  store = await openFiles(directory);
});
afterEach(() => store.close());

describe('sandboxes at the cap', () => {
  it('are never more, however many come at once', async () => {
    const sandboxes = await open({ maxSandboxes: 5 });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => sandboxes.create({})));
    const rejected = asked.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
    expect(rejected).toEqual(Array(15).fill(limit));
    expect([sandboxes.size, recordsOf(store).length]).toEqual([5, 5]);
  });

  it('end the one longest idle, unused for an hour and not fixed; one for each that comes', async () => {
    const sandboxes = await open({ maxSandboxes: 4 });
    const preconfigured = await sandboxes.openPreconfigured(FIXED);
    const made: Issued[] = [];
    for (; made.length < 3; now += 1000) made.push(await sandboxes.create({ ttlSeconds: 86_400 }));
    const [first, second, third] = made as [Issued, Issued, Issued];
    now = AT + HOUR - 1;
    await expect(sandboxes.create({})).rejects.toEqual(limit);
    first.sandbox.use(now);
    now = AT + HOUR + 2000;
    const both = await Promise.all([sandboxes.create({}), sandboxes.create({})]);
    expect(ended).toEqual([second.sandbox.id, third.sandbox.id]);
    expect([sandboxes.size, sandboxes.get(preconfigured.id)]).toEqual([4, preconfigured]);
    const stillOpen = [...made, ...both].map((each) => opens(sandboxes, each));
    expect(stillOpen).toEqual([true, false, false, true, true]);
    await expect(sandboxes.create({})).rejects.toEqual(limit);
  });

  it('end those that are over before any other, also before they were swept', async () => {
    const sandboxes = await open({ maxSandboxes: 3 });
    const [idle, over, revoked] = await make(sandboxes, 86_400, 10, 86_400);
    await expect(sandboxes.create({})).rejects.toEqual(limit);
    now = AT + 10_000;
    await sandboxes.openPreconfigured(FIXED);
    expect(ended).toEqual([over.sandbox.id]);
    await sandboxes.revoke(revoked.sandbox, revoked.key.id);
    now = AT + HOUR + 10_000;
    revoked.sandbox.use(now);
    await sandboxes.create({});
    expect(ended).toEqual([over.sandbox.id, revoked.sandbox.id]);
    await sandboxes.create({});
    expect(ended.at(-1)).toBe(idle.sandbox.id);
  });

  it('give a place back that was not used after all', async () => {
    const sandboxes = await open({ maxSandboxes: 1 });
    await expect(sandboxes.create({ fixture: 'spring' })).rejects.toEqual(code('not_found'));
    const made = await sandboxes.create({});
    await expect(sandboxes.fork(made.sandbox, {})).rejects.toEqual(limit);
    sandboxes.end(made.sandbox);
    expect(opens(sandboxes, await sandboxes.create({}))).toBe(true);
  });
});

describe('sandboxes', () => {
  it('are swept when their time is over, and when no key opens them; fixed ones stay', async () => {
    const sandboxes = await open();
    const preconfigured = await sandboxes.openPreconfigured(FIXED);
    const [short, long, revoked] = await make(sandboxes, 10, 100, 1000);
    const fork = await sandboxes.fork(long.sandbox, { ttlSeconds: 1000 });
    expect(fork.key.expiresAt).toBe(long.key.expiresAt);
    await sandboxes.revoke(revoked.sandbox, revoked.key.id);
    for (const [at, left] of [
      [9_999, [true, true, true, false]],
      [10_000, [false, true, true, false]],
      [100_000, [false, false, false, false]],
    ] as const) {
      now = AT + at;
      await sandboxes.sweep();
      const all = [short, long, fork, revoked];
      expect(all.map(({ sandbox }) => sandboxes.get(sandbox.id) !== undefined)).toEqual(left);
    }
    expect(recordsOf(store).map(({ id }) => id)).toEqual([preconfigured.id]);
    expect(ended).toHaveLength(4);
    await store.close();
    expect(await filesBelow(directory)).toEqual([`sandboxes/${preconfigured.id}.jsonl`, 'store.json']);
  });

  it('end once, however often that is asked for', async () => {
    const sandboxes = await open();
    const { sandbox } = await sandboxes.create({});
    for (const _ of [1, 2]) sandboxes.end(sandbox);
    expect(ended).toEqual([sandbox.id]);
  });

  it('give out no key of a sandbox that ends in the same moment', async () => {
    const sandboxes = await open();
    for (let round = 0; round < 20; round++) {
      const made = await sandboxes.create({});
      const asked = Promise.allSettled([sandboxes.share(made.sandbox, made.key, {})]);
      for (let turn = 0; turn < round; turn++) await undefined;
      sandboxes.end(made.sandbox);
      for (const each of await asked) if (each.status === 'fulfilled') expect(opens(sandboxes, each.value)).toBe(false);
      expect([round, sandboxes.size, recordsOf(store).length]).toEqual([round, 0, 0]);
    }
  });

  it('hold 100 active keys, and remember a hundred inactive ones', async () => {
    const sandboxes = await open();
    const first = await sandboxes.create({});
    const share = () => sandboxes.share(first.sandbox, first.key, {});
    const shared: Issued[] = [];
    for (let i = 1; i < 100; i++) shared.push(await share());
    const atOnce = await Promise.allSettled([share(), share()]);
    expect(atOnce).toEqual(Array(2).fill({ status: 'rejected', reason: limit }));
    for (const { key } of shared) await sandboxes.revoke(first.sandbox, key.id);
    for (let i = 0; i < 5; i++) await sandboxes.revoke(first.sandbox, (await share()).key.id);
    const inactive = first.sandbox.record.keys.filter(({ revokedAt }) => revokedAt !== null);
    expect(inactive).toHaveLength(100);
    const some = [shared[0] as Issued, shared[98] as Issued, first];
    expect(some.map((each) => opens(sandboxes, each))).toEqual([false, true, true]);
  });

  it('open with the same keys after a restart; a fixed one only when its key is named again', async () => {
    let sandboxes = await open();
    const made = await sandboxes.create({ label: 'mine' });
    const preconfigured = await sandboxes.openPreconfigured(FIXED);
    const fixedShared = await sandboxes.share(preconfigured, { expiresAt: null }, {});
    await store.close();
    store = await openFiles(directory);
    sandboxes = await open();
    expect([made, fixedShared].map((each) => opens(sandboxes, each))).toEqual([true, true]);
    expect(sandboxes.open(hashOf(FIXED))).toBeUndefined();
    await sandboxes.openPreconfigured('another-fixed-key-01234');
    expect(sandboxes.open(hashOf(FIXED))).toBeUndefined();
    const again = await sandboxes.openPreconfigured(FIXED);
    expect([again.id, sandboxes.open(hashOf(FIXED))?.sandbox.id]).toEqual([preconfigured.id, preconfigured.id]);
    expect(sandboxes.size).toBe(3);
  });

  it('stay open when their end cannot be written, and end once it can', async () => {
    const sandboxes = await open();
    const made = await sandboxes.create({});
    const unblock = block(made);
    expect(() => sandboxes.end(made.sandbox)).toThrow(code('storage_failed'));
    expect([opens(sandboxes, made), sandboxes.size, ended]).toEqual([true, 1, []]);
    unblock();
    sandboxes.end(made.sandbox);
    expect([opens(sandboxes, made), sandboxes.size, ended]).toEqual([false, 0, [made.sandbox.id]]);
  });

  it('are swept though the disk refuses one of them, which the next sweep ends', async () => {
    const sandboxes = await open();
    const [, stuck] = await make(sandboxes, 3600, 3600, 3600, 3600, 3600);
    const unblock = block(stuck);
    now += HOUR;
    const [first, second] = [sandboxes.sweep(), sandboxes.sweep()];
    expect(second).toBe(first);
    expect(await first).toEqual({ failed: 1, error: code('storage_failed') });
    expect([...sandboxes.all()].map(({ id }) => id)).toEqual([stuck.sandbox.id]);
    unblock();
    expect(await sandboxes.sweep()).toEqual({ failed: 0, error: undefined });
    expect([sandboxes.size, ended.length]).toEqual([0, 5]);
  });
});
