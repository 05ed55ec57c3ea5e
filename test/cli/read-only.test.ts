/** Places in which nothing can be written: a container that can be read only, a user without a home. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

/** Places for temporary files that are of no use, each in a folder of the test. */
const PLACES: readonly [string, (folder: string) => string | Promise<string>][] = [
  ['below a missing directory', (folder) => join(folder, 'a/b')],
  ['a file', (folder) => join(folder, 'file')],
  ['empty', () => ''],
  ['/proc', () => '/proc'],
  [
    'a directory without permission',
    async (folder) => {
      await chmod(folder, 0o500);
      return folder;
    },
  ],
];

describe.runIf(process.platform === 'linux')('where nothing can be written', () => {
  test.each(PLACES)('a command with its own server works: TMPDIR is %s', async (_, place) => {
    const TMPDIR = await place(await newFolder({ file: '' }));
    const ask = `fetch(process.env.SANDBOX_URL + '/pets', { headers: { Authorization: 'Bearer ' + process.env.SANDBOX_KEY } })`;
    const command = ['exec', '--start', '--', process.execPath, '-e', ask];
    expect(await runProgram(command, { TMPDIR, HOME: TMPDIR, XDG_CACHE_HOME: TMPDIR })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('contract check passed'),
    });
  });

  test('--tls self-signed works without a directory for temporary files', async () => {
    const flags = ['serve', '--memory', '--tls', 'self-signed', '--port', '0', '--log-format', 'json'];
    const { said } = startProgram(flags, { TMPDIR: '/proc/none', HOME: '/proc/none' });
    await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/"url":"https:.*"listening"/);
  });

  test.each(['/proc/x/y', '/dev/null'])('--data %s is one line', async (directory) => {
    const { code, stderr } = await runProgram(['serve', '--port', '0', '--data', directory]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^petstore-sandbox: the data directory \S+ cannot be used \([^\n]+\n$/),
    ]);
  });
});
