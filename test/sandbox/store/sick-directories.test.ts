/** A data directory that cannot be used: one line that names the path, the reason and what to do, and exit code 2. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { CLI } from '../../support/program.ts';
import { limit } from '../../support/slow.ts';
import { filesBelow, sandboxIn, storeOn } from './support.ts';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});
afterEach(async () => {
  await chmod(directory, 0o700);
});

const at = (path: string): string => join(directory, path);

/** A directory that a server has used. */
async function used(): Promise<void> {
  const store = await storeOn(directory);
  await sandboxIn(store);
  await store.close();
}

/** One whose folder of sandboxes has this mode. */
const usedIn = (mode: number): Promise<void> => used().then(() => chmod(at('sandboxes'), mode));

const emptyFile = (path: string): Promise<void> => writeFile(path, '');
const loop = (path: string): Promise<void> => symlink('sandboxes', path);

/** One in which this is damaged: `damage` is given the path of what is gone. */
async function usedWithout(name: string, damage: (path: string) => Promise<unknown>): Promise<void> {
  await used();
  await rm(at(name), { recursive: true });
  await damage(at(name));
}

/** Runs the program on the directory; it has to end by itself. */
function run(data: string) {
  const command = [process.execPath, CLI, '--port', '0', '--log-format', 'json', '--data', data];
  // Root may do anything whatever the mode says, unless it gives that right up.
  if (process.getuid?.() === 0) command.unshift('setpriv', '--bounding-set=-dac_override,-dac_read_search');
  const [file = '', ...args] = command;
  return spawnSync(file, args, { env: { PATH: process.env['PATH'] }, encoding: 'utf8', timeout: limit(20_000) });
}

describe('a data directory that cannot be used', () => {
  it.each<[string, () => Promise<unknown>, string, RegExp]>([
    ['the directory is a file', () => usedWithout('', emptyFile), '', /exists[^;]*; choose .*--data/],
    ['it cannot be read', () => chmod(directory, 0o300), '', /permission denied.*let user \d+ read and write it/],
    ['it cannot be written', () => chmod(directory, 0o500), '', /permission denied.*let user \d+ read and write it/],
    ['it holds files of something else', () => writeFile(at('notes.txt'), 'mine'), '', /notes\.txt.*--data/],
    ['sandboxes is a file', () => usedWithout('sandboxes', emptyFile), 'sandboxes', /mend it/],
    [
      'sandboxes is a loop of links',
      () => usedWithout('sandboxes', loop),
      'sandboxes',
      /missing|mend it|cannot be used/,
    ],
    ['sandboxes cannot be read', () => usedIn(0o300), 'sandboxes', /permission denied/],
    ['sandboxes cannot be searched', () => usedIn(0o600), 'sandboxes', /permission denied/],
  ])('stops the start with one line and code 2: %s', async (_, spoil, path, reason) => {
    await spoil();
    const { status, stderr } = run(directory);
    expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/);
    expect(status).toBe(2);
    expect(stderr).toContain(at(path).replace(/\/$/, ''));
    expect(stderr).toMatch(reason);
  });

  it('keeps the mode and the files of a directory that is not its own', async () => {
    await writeFile(at('notes.txt'), 'mine');
    await chmod(directory, 0o755);
    await expect(storeOn(directory)).rejects.toThrow('is not a data directory');
    expect((await stat(directory)).mode & 0o777).toBe(0o755);
    expect(await filesBelow(directory)).toEqual(['notes.txt']);
  });

  it('takes a volume that the file system has just made', async () => {
    await mkdir(at('lost+found'));
    await storeOn(directory);
  });
});

describe('the mode of a data directory', () => {
  it.each([
    ['0755', '0700'],
    ['0711', '0700'],
    // A group that may write is meant to.
    ['0775', '0770'],
    ['0770', '0770'],
    ['0700', '0700'],
  ])('%s becomes %s, and the log says so', async (before, after) => {
    await used();
    await chmod(directory, Number.parseInt(before, 8));
    const warnings: string[] = [];
    await storeOn(directory, undefined, undefined, (message) => warnings.push(message));
    expect((await stat(directory)).mode & 0o777).toBe(Number.parseInt(after, 8));
    expect(warnings.map((text) => text.match(/mode (\d+)\); its mode is (\d+)/)?.slice(1))).toEqual(
      before === after ? [] : [[before, after]],
    );
  });
});
