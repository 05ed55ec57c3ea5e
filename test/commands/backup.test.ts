/** `petstore-sandbox backup`: a copy of a data directory that a server starts from. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AT,
  addOne,
  everythingOf,
  filesBelow,
  namesOf,
  openFiles,
  sandboxIn,
  sandboxRecord,
  scratch,
} from '../store/support.ts';
import { runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

let directory: string;
let clear: () => Promise<void>;
let data: string;
let to: string;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
  [data, to] = [join(directory, 'data'), join(directory, 'backups', 'monday')];
});
afterEach(() => clear());

const backup = (...flags: string[]) => runProgram(['backup', '--data', data, ...flags]);

/** A directory with snapshots, forks and an empty sandbox; the ids of its sandboxes. */
async function fillData(): Promise<string[]> {
  const store = await openFiles(data);
  const id = await sandboxIn(store, 'default');
  for (const name of ['Ada', 'Bea']) await addOne(store, id, name);
  await store.saveSnapshot(id, 's', AT);
  await store.reset(id, { snapshot: 's' });
  await addOne(store, id, 'Cleo');
  const fork = sandboxRecord({ forkOf: id });
  await store.create(fork, { copyOf: id });
  await addOne(store, fork.id, 'Dan');
  const empty = await sandboxIn(store);
  await store.close();
  return [id, fork.id, empty];
}

describe('a backup', () => {
  it('holds everything, for its owner only, and nothing of what is not needed', async () => {
    const ids = await fillData();
    await mkdir(join(data, 'lost+found'));
    await mkdir(join(data, 'changes', 'brn_unused'));
    await writeFile(join(data, 'changes', 'brn_unused', '1.json'), 'whatever');
    await writeFile(join(data, 'ready-key.json'), '{"key":"k"}\n');
    const { code, stdout, stderr } = await backup('--to', to);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/ is backed up in .*monday: 3 sandboxes, 4 added pets, \d+ bytes\n$/);
    const wanted = (await filesBelow(data)).filter((file) => !/brn_unused|lost/.test(file));
    expect(await filesBelow(to)).toEqual(wanted);
    for (const file of wanted) expect(await readFile(join(to, file))).toEqual(await readFile(join(data, file)));
    for (const [path, mode] of [
      [to, 0o700],
      [join(to, 'changes'), 0o700],
      [join(to, 'ready-key.json'), 0o600],
    ] as const)
      expect((await stat(path)).mode & 0o777).toBe(mode);
    const [source, copy] = [await openFiles(data), await openFiles(to)];
    for (const id of ids) expect(await everythingOf(copy, id)).toEqual(await everythingOf(source, id));
    await Promise.all([source.close(), copy.close()]);
  });

  it('is made while a server runs, and a server starts from it', async () => {
    const server = await startTestServer({ settings: { data } });
    const client = await server.sandbox({ fixture: 'empty' });
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    const { code, stdout } = await backup('--to', to, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { from: data, to, sandboxes: 1, pets: 1, bytes: expect.any(Number) },
    ]);
    const restored = await startTestServer({ settings: { data: to } });
    const { json } = await restored.client(client.key).get('/v1/pets');
    expect(json.map(({ name }: { name: string }) => name)).toEqual(['Ada']);
  });

  it('leaves out a branch that a change in the source was cut off in, and keeps the source as it is', async () => {
    const [id = ''] = await fillData();
    const { log } = JSON.parse(await readFile(join(data, 'sandboxes', `${id}.json`), 'utf8'));
    const path = join(data, 'changes', log.branch, '1.json');
    const text = await readFile(path, 'utf8');
    const cut = `${text.slice(0, -4)}\n,{"added":{"id":90,"na`;
    await writeFile(path, cut);
    expect((await backup('--to', to)).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(cut);
    const copy = await openFiles(to);
    expect((await namesOf(copy, id)).at(-1)).toBe('Cleo');
    await copy.close();
  });

  it('leaves out a family that has ended, of which heads are still to be deleted', async () => {
    const [id = ''] = await fillData();
    await rename(join(data, 'sandboxes', `${id}.json`), join(data, 'sandboxes', `${id}.ended`));
    const { code, stdout } = await backup('--to', to);
    expect([code, stdout]).toEqual([0, expect.stringContaining(': 1 sandbox, 0 added pets')]);
  });

  it('is refused, and nothing stays, when the source is damaged', async () => {
    const [id = '', fork] = await fillData();
    const head = join(data, 'sandboxes', `${id}.json`);
    const text = await readFile(head, 'utf8');
    const { log } = JSON.parse(text);
    const path = join(data, 'changes', log.branch, '1.json');
    const pets = await readFile(path, 'utf8');
    const damages: [change: () => Promise<void>, said: string][] = [
      [() => rm(path), `: references ${path}, which is missing`],
      [() => writeFile(path, pets.replace('"Cleo"', '7')), `${path}: changes[0]/added/name must be a string`],
      [() => writeFile(head, text.slice(0, 40)), `${head}: not valid JSON`],
      [() => rm(head), `${join(data, 'sandboxes', `${fork}.json`)}: is a fork of ${id}, whose file is missing`],
      [() => rm(join(data, 'store.json')), `${join(data, 'store.json')}: is missing`],
    ];
    for (const [damage, said] of damages) {
      await damage();
      const { code, stdout, stderr } = await backup('--to', to);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(said);
      expect(stderr).not.toMatch(/\n./);
      await expect(stat(to)).rejects.toThrow('ENOENT');
      await writeFile(path, pets);
      await writeFile(head, text);
    }
  });

  it.each([
    ['a place that is not empty', ['--to', 'test'], /test is not empty/],
    ['no place', [], /required option '--to <dir>'/],
    ['a place below a file', ['--to', 'package.json/x'], /package\.json\/x cannot be used/],
    [
      'nothing to copy',
      ['--to', 'NEW', '--data', 'test'],
      /test\/store\.json: is missing; the directory contains no sandbox data/,
    ],
  ])('is refused with code 2 for %s', async (_, flags, said) => {
    await fillData();
    const { code, stderr } = await backup(...flags.map((flag) => flag.replace('NEW', to)));
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });

  it('is refused within the folders that the server reads, and in memory', async () => {
    await fillData();
    const inside = await backup('--to', join(data, 'changes', 'copy'));
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('must not lie in')]);
    const memory = await runProgram(['backup', '--to', to], { SANDBOX_MEMORY: 'true' });
    expect([memory.code, memory.stderr]).toEqual([2, expect.stringContaining('in memory')]);
  });
});
