/** One server a data directory, in this process or another. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LockedError, lockDirectory } from '../../../src/sandbox/store/lock.ts';
import { newFolder } from '../../support/folder.ts';
import { CLI, startProgram } from '../../support/program.ts';
import { limit } from '../../support/slow.ts';
import { addOne, filesBelow, namesOf, sandboxIn, storeOn } from './support.ts';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

const lockFiles = async (): Promise<string[]> => (await filesBelow(directory)).filter((file) => file.includes('lock'));

describe('a data directory', () => {
  it('rejects a second server in the same process, and takes one when the first has closed', async () => {
    const store = await storeOn(directory);
    await expect(storeOn(directory)).rejects.toThrow(LockedError);
    await expect(storeOn(directory)).rejects.toThrow(`${directory} is in use by another petstore-sandbox`);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.close();
    const next = await storeOn(directory);
    expect(await namesOf(next, id)).toEqual(['Ada']);
    await next.close();
    expect(await lockFiles()).toEqual([]);
  });

  // The second path is too long for a socket.
  it.each(['data', 'd'.repeat(120)])(
    'rejects a server while another process has it, and is free the moment that one is killed: %s',
    async (name) => {
      const data = join(directory, name);
      const { child, ended } = startProgram(['--port', '0', '--data', data, '--log-format', 'json']);
      await once(child.stdout, 'data');
      await expect(storeOn(data)).rejects.toThrow(LockedError);
      child.kill('SIGKILL');
      await ended;
      await storeOn(data);
      await expect(storeOn(data)).rejects.toThrow(LockedError);
    },
  );

  it('is locked whatever it is called: by a relative path, through a link, or with another folder for temporary files', async () => {
    const long = join(directory, 'd'.repeat(120));
    const link = join(directory, 'link');
    const temporary = join(directory, 'tmp');
    await Promise.all([mkdir(long), mkdir(temporary)]);
    await symlink(long, link);
    const store = await storeOn(long);
    for (const [path, options] of [
      [long, { env: { TMPDIR: temporary } }],
      [link, { env: {} }],
      [long.slice(directory.length + 1), { env: {}, cwd: directory }],
    ] as const) {
      const args = [CLI, '--port', '0', '--log-format', 'json', '--data', path];
      // One that starts would not end.
      const ended = spawnSync(process.execPath, args, { ...options, timeout: limit(15_000), encoding: 'utf8' });
      expect(ended.stderr).toMatch(/^petstore-sandbox: .* is in use by another petstore-sandbox; [^\n]*--data\n$/);
      expect(ended.status).toBe(2);
    }
    await store.close();
    expect(await lockFiles()).toEqual([]);
    expect((await filesBelow(temporary)).filter((file) => !file.includes('compile-cache'))).toEqual([]);
  });

  it('is taken by exactly one of many that come at once, also over what a dead server left', async () => {
    const socket = JSON.stringify(join(directory, 'lock-1.sock'));
    const dies = `require('node:net').createServer().listen(${socket}, () => process.kill(process.pid, 'SIGKILL'))`;
    for (let round = 0; round < 4; round++) {
      await once(spawn(process.execPath, ['-e', dies]), 'exit');
      const locks = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      for (const lock of locks) if (lock.status === 'fulfilled') await lock.value.release();
      const reasons = locks.filter((lock) => lock.status === 'rejected').map(({ reason }) => reason);
      expect(reasons).toEqual(Array(7).fill(expect.any(LockedError)));
    }
  });
});
