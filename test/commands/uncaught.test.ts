/** An error that nothing expected. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';

const TOKEN = 'an-admin-token-of-this-test';

test.each(['throw error', 'Promise.reject(error)'])(
  '%s is one line with a code, and its stack is in a file',
  async (what) => {
    const folder = await newFolder();
    const failing = join(folder, 'failing.cjs');
    const error = `Object.assign(new Error('it broke with ${TOKEN}'), { code: 'E_TEST' })`;
    await writeFile(failing, `setTimeout(() => { const error = ${error}; ${what}; }, 1500);`);
    const env = { PATH: process.env['PATH'], TMPDIR: folder, SANDBOX_ADMIN_TOKEN: TOKEN };
    const args = ['--require', failing, CLI, 'serve', '--memory', '--port', '0'];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    expect([code, stderr.split('\n').length]).toEqual([1, 2]);
    const [, file = ''] =
      /^petstore-sandbox: internal error E_TEST: it broke with \S+; details are in (\S+)\n$/.exec(stderr) ?? [];
    const details = await readFile(file, 'utf8');
    expect(details).toContain('failing.cjs');
    expect(stderr + details).not.toContain(TOKEN);
  },
);
