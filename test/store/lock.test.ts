/** One server a data directory, in this process or another. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lutimes, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockedError, lockDirectory } from '../../src/store/lock.ts';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { addOne, filesBelow, namesOf, openFiles, sandboxIn } from './support.ts';

let directory: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await newFolder();
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.kill('SIGKILL')) await once(child, 'exit');
});

/** The program on the directory, in a process of its own. */
async function startProgram(data: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['dist/cli.cjs', '--port', '0', '--data', data, '--log-format', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

describe('a data directory', () => {
  it('rejects a second server in the same process, and takes one when the first has closed', async () => {
    const store = await openFiles(directory);
    await expect(openFiles(directory)).rejects.toThrow(LockedError);
    await expect(openFiles(directory)).rejects.toThrow(`${directory} is in use by another petstore-sandbox`);
    const id = await sandboxIn(store);
    await addOne(store, id, 'Ada');
    await store.close();
    const next = await openFiles(directory);
    expect(await namesOf(next, id)).toEqual(['Ada']);
    await next.close();
    expect((await filesBelow(directory)).filter((file) => file.includes('lock'))).toEqual([]);
  });

  it('is cleared of the links that starts left which were killed, and of nothing else', async () => {
    const data = join(directory, 'data');
    await mkdir(data);
    const link = async (name: string, to: string, seconds: number): Promise<void> => {
      await symlink(to, join(data, name));
      const at = Date.now() / 1000 - seconds;
      await lutimes(join(data, name), at, at);
    };
    await link('.petstore-killed', data, 3_600);
    await link('.petstore-starting', data, 1);
    await link('.petstore-elsewhere', directory, 3_600);
    const store = await openFiles(data);
    const left = ['.petstore-elsewhere', '.petstore-starting'];
    expect((await readdir(data)).filter((name) => name.startsWith('.petstore-')).sort()).toEqual(left);
    await store.close();
  });

  // The second path is too long for a socket.
  it.each(['data', 'd'.repeat(120)])(
    'rejects a server while another process has it, and is free the moment that one is killed: %s',
    async (name) => {
      const data = join(directory, name);
      const child = await startProgram(data);
      await expect(openFiles(data)).rejects.toThrow(LockedError);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const store = await openFiles(data);
      await expect(openFiles(data)).rejects.toThrow(LockedError);
      await store.close();
    },
  );

  it('is locked whatever it is called: by a relative path, through a link, or with another folder for temporary files', async () => {
    const long = join(directory, 'd'.repeat(120));
    const link = join(directory, 'link');
    const temporary = join(directory, 'tmp');
    await Promise.all([mkdir(long), mkdir(temporary)]);
    await symlink(long, link);
    const store = await openFiles(long);
    const others = [
      { args: ['--data', long], env: { TMPDIR: temporary } },
      { args: ['--data', link], env: {} },
      { args: ['--data', long.slice(directory.length + 1)], env: {}, cwd: directory },
    ];
    for (const { args, env, cwd } of others) {
      const child = spawn(process.execPath, [CLI, '--port', '0', '--log-format', 'json', ...args], { env, cwd });
      children.push(child);
      let said = '';
      child.stderr.on('data', (text) => (said += text));
      // A program that starts says that it listens; one that is rejected ends.
      const outcome = await Promise.race([once(child, 'close').then(([code]) => code), once(child.stdout, 'data')]);
      expect(outcome).toBe(2);
      expect(said).toMatch(/^petstore-sandbox: .* is in use by another petstore-sandbox; [^\n]*--data\n$/);
    }
    await store.close();
    expect((await filesBelow(directory)).filter((file) => file.includes('lock'))).toEqual([]);
    expect((await filesBelow(temporary)).filter((file) => !file.includes('compile-cache'))).toEqual([]);
  });

  it('is taken by exactly one of many that come at once, also over what a dead server left', async () => {
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [
        '-e',
        `require('node:net').createServer().listen(${JSON.stringify(join(directory, 'lock-1.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`,
      ]);
      await once(child, 'exit');
      const locks = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      const taken = locks.flatMap((lock) => (lock.status === 'fulfilled' ? [lock.value] : []));
      for (const lock of taken) await lock.release();
      expect(taken).toHaveLength(1);
      for (const lock of locks) if (lock.status === 'rejected') expect(lock.reason).toBeInstanceOf(LockedError);
    }
  });
});
