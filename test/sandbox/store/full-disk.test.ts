/** A disk that refuses writes: 503, nothing of the change remains, and nothing that was acknowledged is lost. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import {
  AT,
  addOne,
  everythingOf,
  filesBelow,
  fixtureNamed,
  type Notice,
  namesOf,
  ROOMY,
  recordsOf,
  type StoreById,
  sandboxIn,
  sandboxRecord,
  storeOn,
} from './support.ts';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

/** A small disk of its own; skips the test, saying why, where none may be mounted. */
function smallDisk({ skip, onTestFinished }: TestContext) {
  const disk = join(directory, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'pipe' });
  } catch (error) {
    skip(`no small disk can be mounted here: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}`);
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  const filler = join(disk, 'filler');
  return { data: join(disk, 'data'), fill: () => fill(filler), empty: () => rmSync(filler) };
}

/** Writes until nothing more fits. */
function fill(file: string): void {
  for (const size of [65536, 4096, 1]) {
    const write = () => {
      for (;;) writeFileSync(file, 'x'.repeat(size), { flag: 'a' });
    };
    expect(write).toThrow('ENOSPC');
  }
}

/** The disk has room to the end of a page: a log that ends there cannot grow by a byte. */
async function endAtPage(store: StoreById, id: string, path: string): Promise<void> {
  const line = '{"pets":[{"id":2,"name":"","categoryId":1,"status":"pending"}]}\n'.length;
  const left = 2 * 4096 - (statSync(path).size % 4096) - line;
  await addOne(store, id, 'x'.repeat(left));
  expect(statSync(path).size % 4096).toBe(0);
}

const failed = expect.objectContaining({ code: 'storage_failed' });
const rejected = { status: 'rejected', reason: failed };

describe('a full disk', () => {
  it('rejects every change with storage_failed, takes pets and ids back, and works again once there is room', async (context) => {
    const { data, fill, empty } = smallDisk(context);
    let store = await storeOn(data);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.saveSnapshot(id, 's', AT);
    await endAtPage(store, id, join(data, 'sandboxes', `${id}.jsonl`));
    const seen = async () => [await everythingOf(store, id), store.figures.bytes, recordsOf(store).length];
    const before = await seen();
    fill();
    const seed = await fixtureNamed('default');
    const changes = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, i) => addOne(store, id, `${i}`.repeat(5000))),
      store.reset(id, { seed }),
      addOne(store, id, 'after the reset'),
      store.update(id, { label: 'x'.repeat(900) }),
      store.saveSnapshot(id, 't', AT),
      store.dropSnapshot(id, 's'),
      sandboxIn(store, 'default'),
      store.fork(id, sandboxRecord()),
    ]);
    expect(changes).toEqual(changes.map(() => rejected));
    expect(store.figures.failedWrites).toBeGreaterThan(0);
    expect(await seen()).toEqual(before);
    expect((await filesBelow(data)).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    empty();
    expect(await addOne(store, id, 'Bea')).toBe(3n);
    await store.reset(id, { snapshot: 's' });
    expect(await addOne(store, id, 'Cleo')).toBe(2n);
    await store.close();
    store = await storeOn(data);
    expect(await namesOf(store, id)).toEqual(['Ada', 'Cleo']);
    await store.remove(id);
    expect(store.figures.bytes).toBe(0);
    await store.close();
    expect(await filesBelow(data)).toEqual(['sandboxes/', 'store.json']);
  });

  it('keeps what a fork grew from, when its first pet did not fit', async (context) => {
    const { data, fill, empty } = smallDisk(context);
    const store = await storeOn(data);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    const fork = sandboxRecord();
    await store.fork(id, fork);
    fill();
    await expect(addOne(store, fork.id, 'x'.repeat(20_000))).rejects.toEqual(failed);
    await store.close();
    empty();
    expect(await namesOf(await storeOn(data), fork.id)).toEqual(['Ada']);
  });

  it('does not keep a server from starting with what it has: the change that a kill cut off is moved once there is room', async (context) => {
    const { data, fill, empty } = smallDisk(context);
    const first = await storeOn(data);
    const id = await sandboxIn(first);
    await addOne(first, id, 'Ada');
    await first.close();
    const log = join(data, 'sandboxes', `${id}.jsonl`);
    const torn = '{"pets":[{"id":2,"na';
    writeFileSync(log, torn, { flag: 'a' });
    const version = statSync(join(data, 'store.json'));
    fill();
    const before = await filesBelow(data);
    for (let start = 0; start < 3; start++) {
      const [notices, warnings]: [Notice[], string[]] = [[], []];
      const store = await storeOn(
        data,
        ROOMY,
        (notice) => notices.push(notice),
        (text) => warnings.push(text),
      );
      expect(await namesOf(store, id)).toEqual(['Ada']);
      expect(notices).toEqual([{ message: expect.stringContaining('still in it'), details: { path: log, bytes: 20 } }]);
      expect(warnings).toEqual([expect.stringContaining('is full')]);
      await expect(addOne(store, id, 'x'.repeat(20_000))).rejects.toEqual(failed);
      await store.close();
      expect(await filesBelow(data)).toEqual(before);
    }
    expect(statSync(join(data, 'store.json')).ino).toBe(version.ino);
    const store = await storeOn(data);
    empty();
    expect(await addOne(store, id, 'Bea')).toBe(2n);
    await store.close();
    expect(readFileSync(`${log}.removed-1`, 'utf8')).toBe(torn);
    expect(await namesOf(await storeOn(data), id)).toEqual(['Ada', 'Bea']);
  });

  it('does not keep a sandbox from ending: that is what makes room', async (context) => {
    const { data, fill } = smallDisk(context);
    const first = await storeOn(data);
    const id = await sandboxIn(first);
    await addOne(first, id, 'x'.repeat(20_000));
    fill();
    await first.remove(id);
    expect(recordsOf(first)).toEqual([]);
    await first.close();
    expect(await filesBelow(data)).toEqual(['sandboxes/', 'store.json']);
  });
});

describe('a write that fails', () => {
  /** Puts something that cannot be written to in the place of the file. @returns puts the file back */
  function block(id: string): () => void {
    const file = join(directory, 'sandboxes', `${id}.jsonl`);
    renameSync(file, `${file}.aside`);
    mkdirSync(file);
    return () => {
      rmdirSync(file);
      renameSync(`${file}.aside`, file);
    };
  }

  it('fails all who planned on it, with a reset behind them, and those who come later are served', async () => {
    const store = await storeOn(directory);
    const [id, other] = [await sandboxIn(store), await sandboxIn(store, 'default')];
    await addOne(store, id, 'Ada');
    const { bytes } = store.figures;
    const unblock = block(id);
    const seed = await fixtureNamed('default');
    const waiting = await Promise.allSettled([
      ...['b', 'c', 'd'].map((name) => addOne(store, id, name)),
      store.reset(id, { seed }),
      addOne(store, id, 'on the default fixture'),
    ]);
    expect(waiting).toEqual(Array(5).fill(rejected));
    expect(await namesOf(store, id)).toEqual(['Ada']);
    expect(store.figures).toMatchObject({ failedWrites: 1, bytes });
    unblock();
    expect(await addOne(store, id, 'Bea')).toBe(2n);
    await store.reset(id, { seed: await fixtureNamed('default') });
    await store.remove(other);
    expect(store.figures.bytes).toBe(0);
  });
});
