/** A data directory with something wrong in it stops the start, and stays as it is. */
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFileError } from '../../src/store/data-file.ts';
import { LAYOUT_VERSION } from '../../src/store/layout.ts';
import { AT, addOne, filesBelow, namesOf, openFiles, sandboxIn, sandboxRecord, scratch } from './support.ts';

let directory: string;
let clear: () => Promise<void>;
/** Its own branch grows from the snapshot's; the fork's grows from that. */
let id: string;
let fork: string;
let head: string;
let own: string;
let base: string;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
  let store = await openFiles(directory);
  id = await sandboxIn(store, 'default');
  for (let i = 0; i < 100; i++) await addOne(store, id, `p${i}`);
  // What is added after a restart goes into a file of its own.
  await store.close();
  store = await openFiles(directory);
  await addOne(store, id, 'p100');
  await store.saveSnapshot(id, 's', AT);
  await store.reset(id, { snapshot: 's' });
  await addOne(store, id, 'own');
  const copy = sandboxRecord({ forkOf: id });
  await store.create(copy, { copyOf: id });
  fork = copy.id;
  await store.close();
  head = `sandboxes/${id}.json`;
  const { log } = JSON.parse(await readFile(join(directory, head), 'utf8'));
  own = `changes/${log.branch}`;
  base = `changes/${log.from.branch}`;
});
afterEach(() => clear());

const at = (path: string): string => join(directory, path);

/** Every file's bytes, by its path. */
async function contents(): Promise<Record<string, string>> {
  const files = await filesBelow(directory);
  const texts = await Promise.all(files.map((file) => (file.endsWith('/') ? '' : readFile(at(file), 'latin1'))));
  return Object.fromEntries(files.map((file, i) => [file, texts[i] as string]));
}

/** The start is rejected, with this file's path first and the reason; nothing was touched. */
async function expectRejection(path: string, reason: string | RegExp): Promise<void> {
  const before = await contents();
  const error = await openFiles(directory).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DataFileError);
  const { message } = error as Error;
  expect(message.startsWith(`${at(path)}: `), message).toBe(true);
  expect(message).toMatch(reason);
  expect(message).toMatch(
    /(left as it is; mend it, or move it away|Nothing was changed; (bring it back, or restore|start the version of).*)$/,
  );
  expect(message).not.toMatch(/[\n\r]/);
  expect(await contents()).toEqual(before);
  // The lock is free again.
  await expect(openFiles(directory)).rejects.toThrow(DataFileError);
}

/** Changes one file's text. */
async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(at(path), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(at(path), changed);
}

const added = (pet: object): object => ({ added: pet });

const editJson = (path: string, change: (value: Record<string, never>) => unknown): Promise<void> =>
  edit(path, (text) => JSON.stringify({ ...JSON.parse(text), ...(change(JSON.parse(text)) as object) }));

describe('a broken data file', () => {
  it('opens as long as nothing is wrong with it', async () => {
    const store = await openFiles(directory);
    expect((await namesOf(store, fork)).slice(-2)).toEqual(['p100', 'own']);
    await store.close();
  });

  it('is rejected when it is cut off, empty, or no JSON', async () => {
    await edit(head, (text) => text.slice(0, text.length / 2));
    await expectRejection(head, /JSON/);
    await writeFile(at(head), '');
    await expectRejection(head, /JSON/);
  });

  it('is rejected when a file of pets is cut off or empty', async () => {
    await edit(`${base}/1.json`, (text) => text.slice(0, -2));
    await expectRejection(`${base}/1.json`, 'not valid JSON');
    await writeFile(at(`${base}/1.json`), '');
    await expectRejection(`${base}/1.json`, 'not valid JSON');
  });

  it.each([
    ['preconfigured', { preconfigured: 'yes' }, '/preconfigured must be boolean'],
    ['keys', { keys: [{ id: 'key_1' }] }, '/keys/0'],
    ['createdAt', { createdAt: '2026-02-30T00:00:00Z' }, '/createdAt'],
    ['expiresAt', { expiresAt: 5 }, '/expiresAt'],
    ['an unknown member', { petz: [] }, 'additional'],
    ['clock', { clock: { offset: 'late', frozenAt: null } }, '/clock'],
    ['faults', { faults: [{ id: 'flt_1', status: 99, triggered: 0, drawn: 0 }] }, '/faults/0/status'],
    ['a branch that is a path', { log: { branch: '../../etc', from: null, files: 0 } }, '/log/branch'],
    ['a count of files', { log: { branch: 'brn_1', from: null, files: -1 } }, '/log/files'],
  ])('is rejected when a member is of the wrong kind: %s', async (_, members, reason) => {
    await editJson(head, () => members);
    await expectRejection(head, reason);
  });

  it('is rejected when a member is missing', async () => {
    await editJson(head, () => ({ keys: undefined }));
    await expectRejection(head, "required property 'keys'");
  });

  it.each(['null', '[]', '7', '"x"'])('is rejected when it holds %s', async (text) => {
    await writeFile(at(head), text);
    await expectRejection(head, 'must be object');
    await writeFile(at(`${base}/1.json`), text);
    await rm(at(head));
    await rename(at(`sandboxes/${fork}.json`), at(head)).then(() => edit(head, (t) => t.replace(fork, id)));
    await expectRejection(`${base}/1.json`, '"changes", an array');
  });

  it('is rejected when its name differs from its id', async () => {
    await rename(at(head), at('sandboxes/sbx_other.json'));
    await expectRejection('sandboxes/sbx_other.json', `id is ${id}`);
  });

  it('is rejected when its fixture is not there, also a snapshot’s', async () => {
    await edit(head, (text) => text.replace('"fixture": "default"', '"fixture": "spring"'));
    await expectRejection(head, 'no fixture named spring');
    await edit(head, (text) => text.replace('"fixture": "spring"', '"fixture": "default"'));
    await editJson(head, ({ snapshots }) => ({
      snapshots: { s: { ...(snapshots as unknown as { s: object }).s, fixture: 'x' } },
    }));
    await expectRejection(head, 'no fixture named x');
  });

  it('is rejected when pets that it references are not there', async () => {
    await rm(at(`sandboxes/${fork}.json`));
    await rename(at(base), at('aside'));
    await expectRejection(base, `is missing; ${at(head)} references`);
    await mkdir(at(base));
    await expectRejection(`${base}/1.json`, `is missing; ${at(head)} references it`);
    await rmdir(at(base));
    await mkdir(at('lost+found'));
    await rename(at('aside'), at(`lost+found/${base.slice('changes/'.length)}`));
    await expectRejection(base, 'an earlier start moved it to');
  });

  it('is rejected when a file in between is missing', async () => {
    await rm(at(`${base}/1.json`));
    await expectRejection(`${base}/1.json`, 'is missing');
  });

  it('is rejected when the last file of a branch is missing, or all of them', async () => {
    await rename(at(`${own}/1.json`), at('aside.json'));
    await rm(at(`sandboxes/${fork}.json`));
    await expectRejection(`${own}/1.json`, `is missing; ${at(head)} references it`);
    await rmdir(at(own));
    await expectRejection(own, `is missing; ${at(head)} references`);
    await rename(at('changes'), at('aside'));
    await editJson(head, ({ log }) => ({ snapshots: {}, log: { ...(log as unknown as object), from: null } }));
    await expectRejection('changes', `is missing; ${at(head)} references`);
  });

  it('is rejected when the folder of heads is missing, or the file that names the layout', async () => {
    await rename(at('sandboxes'), at('aside'));
    await expectRejection('sandboxes', 'is missing');
    await rename(at('aside'), at('sandboxes'));
    await rm(at('store.json'));
    await expectRejection('store.json', /is missing; .*sandboxes and .*changes contain files/);
  });

  it('is rejected when a letter of a branch’s name is wrong, in either file', async () => {
    const [, name = ''] = own.split('/');
    const wrong = `${name.slice(0, -1)}${name.endsWith('x') ? 'y' : 'x'}`;
    await rm(at(`sandboxes/${fork}.json`));
    await edit(head, (text) => text.replace(name, wrong));
    await expectRejection(`changes/${wrong}`, `is missing; ${at(head)} references`);
    await edit(head, (text) => text.replace(wrong, name));
    await edit(head, (text) => text.replace(/"from": \{[^}]*\}/, '"from": null'));
    await expectRejection(head, '"from" of "log" differs from that in');
  });

  it('is rejected when a fork’s origin is missing', async () => {
    await rm(at(head));
    await expectRejection(head, `is missing; ${at(`sandboxes/${fork}.json`)} is a fork of it`);
  });

  it('is rejected when a copy of it under another id would share its branch', async () => {
    await writeFile(at('sandboxes/sbx_copy.json'), (await readFile(at(head), 'utf8')).replace(id, 'sbx_copy'));
    const error = await openFiles(directory).catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(/belongs to another sandbox as well/);
  });

  it('is rejected when a folder or a file is in the place of the other', async () => {
    await rename(at(`${own}/1.json`), at('aside.json'));
    await mkdir(at(`${own}/1.json`));
    await expectRejection(`${own}/1.json`, 'EISDIR');
    await rm(at(own), { recursive: true });
    await writeFile(at(own), '');
    await expectRejection(own, 'ENOTDIR');
    await rename(at('sandboxes'), at('aside'));
    await writeFile(at('sandboxes'), '');
    await expectRejection('sandboxes', 'ENOTDIR');
  });

  it('is rejected when it is not UTF-8', async () => {
    const bytes = await readFile(at(`${base}/1.json`));
    bytes[bytes.indexOf('p50')] = 0xff;
    await writeFile(at(`${base}/1.json`), bytes);
    await expectRejection(`${base}/1.json`, 'not valid UTF-8');
  });

  it('is rejected when a file of pets has another name', async () => {
    await rename(at(`${base}/2.json`), at(`${base}/two.json`));
    await expectRejection(`${base}/two.json`, 'must be a number, like 1.json');
  });

  it('is rejected when it references more changes than there are', async () => {
    await rm(at(`sandboxes/${fork}.json`));
    await rm(at(`${base}/2.json`));
    await expectRejection(head, 'references 101 changes');
    await edit(head, (text) => text.replaceAll('"changes": 101', '"changes": 100'));
    await expectRejection(`${own}/1.json`, 'references 101 changes');
  });

  it('is rejected when a point lies before its branch begins', async () => {
    await edit(`sandboxes/${fork}.json`, (text) => text.replace('"changes": 102', '"changes": 100'));
    await expectRejection(`sandboxes/${fork}.json`, 'which starts with 101');
  });

  it('is rejected when its files do not agree on where the branch begins', async () => {
    await edit(`${base}/2.json`, (text) => text.replace('"from":null', '"from":{"branch":"brn_1","changes":1}'));
    await expectRejection(`${base}/2.json`, '"from" differs from that in 1.json');
  });

  it('is rejected when branches grow from each other', async () => {
    const name = own.slice('changes/'.length);
    await rm(at(`sandboxes/${fork}.json`));
    await edit(`${base}/1.json`, (text) => text.replace('"from":null', `"from":{"branch":"${name}","changes":1}`));
    await expectRejection(`${own}/1.json`, 'which grows from it');
  });

  it.each([
    [{ from: 'brn_1' }, 'from'],
    [{ from: { branch: '../x', changes: 1 } }, 'from'],
    [{ from: { branch: 'brn_1', changes: 0 } }, 'from'],
    [{ from: { branch: 'brn_1', changes: 1.5 } }, 'from'],
    [{ from: { branch: 'brn_1', changes: 1, change: 1 } }, 'from'],
    [{ from: undefined, frm: null }, '/frm is unknown; known are from, changes'],
    [{ from: undefined }, 'from'],
    [{ changes: [] }, '"changes" is empty'],
    [{ changes: [{}] }, 'changes\\[0\\] must be a change'],
    [{ changes: [7] }, 'changes\\[0\\] must be a change'],
    [{ changes: [{ noSuchKind: 1 }] }, 'changes\\[0\\]/noSuchKind is not known here; there are added'],
    [{ changes: [{ id: 500, name: 'x', categoryId: 1 }] }, 'changes\\[0\\]/id is not known here'],
    [{ changes: [added({ id: 500, name: 'x', categoryId: 1, colour: 'red' })] }, 'added/colour is not known here'],
    [{ changes: [added({ id: 1 })] }, 'changes\\[0\\]/added/name is required'],
    [{ changes: [added({ id: 1, name: 'x', categoryId: 1, status: 'lost' })] }, 'changes\\[0\\]/added/status'],
  ])('is rejected when a log file says %j', async (members, reason) => {
    await editJson(`${own}/1.json`, () => members);
    await expectRejection(`${own}/1.json`, new RegExp(reason));
  });

  it('is rejected when ids are beyond int64, do not ascend, or come twice', async () => {
    await edit(`${own}/1.json`, (text) => text.replace(/"id":\d+/, '"id":9223372036854775808'));
    await expectRejection(`${own}/1.json`, /changes\[0\]\/added\/id must be an integer/);
    await edit(`${own}/1.json`, (text) => text.replace(/"id":\d+/, '"id":114'));
    await edit(`${base}/1.json`, (text) => text.replace('"id":15,', '"id":14,'));
    await expectRejection(`${base}/1.json`, 'must have ascending ids; 14 comes after ');
  });

  it('is rejected when the ids of a branch do not lie above those that it grew from', async () => {
    await edit(`${own}/1.json`, (text) => text.replace(/"id":\d+/, '"id":13'));
    await expectRejection(`${own}/1.json`, 'must have ascending ids; 13 comes after ');
  });

  it.each([LAYOUT_VERSION - 1, LAYOUT_VERSION + 1])('is rejected when the directory has layout %i', async (other) => {
    await writeFile(at('store.json'), JSON.stringify({ layout: other }));
    await expectRejection(
      'store.json',
      new RegExp(`layout ${other}; this version reads layout ${LAYOUT_VERSION} only\\.`),
    );
  });

  it('is rejected when the directory does not say which layout it has', async () => {
    for (const text of [
      '{}',
      'null',
      `{"layout":"${LAYOUT_VERSION}"}`,
      `{"layout":${LAYOUT_VERSION},"more":1}`,
      '{"layout":0}',
      '[3]',
      `{"layout":${LAYOUT_VERSION}`,
    ]) {
      await writeFile(at('store.json'), text);
      await expectRejection('store.json', /layout|not valid JSON/);
    }
  });

  it('may be mended by hand: a pet that was edited or added is there at the next start', async () => {
    await edit(`${own}/1.json`, (text) =>
      text
        .replace('"own"', '"edited"')
        .replace('\n]', ',\n {"added": {"id": 5000, "name": "by hand", "categoryId": 1.0}}\n]'),
    );
    await edit(head, (text) => text.replace('"for a test"', '"renamed"'));
    const store = await openFiles(directory);
    expect((await namesOf(store, id)).slice(-2)).toEqual(['edited', 'by hand']);
    expect(await addOne(store, id, 'next')).toBe(5001n);
    expect(store.records().find((record) => record.id === id)?.label).toBe('renamed');
    await store.close();
  });
});
