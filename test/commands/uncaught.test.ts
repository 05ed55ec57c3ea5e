/** An error that nothing expected. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

const TOKEN = 'an-admin-token-of-this-test';

test.each(['throw error', 'Promise.reject(error)'])('%s is one line, and its stack is in a file', async (what) => {
  const error = `Object.assign(new Error('it broke with ${TOKEN}'), { code: 'E_TEST' })`;
  const folder = await newFolder({ 'failing.cjs': `setTimeout(() => { const error = ${error}; ${what}; }, 1500);` });
  const NODE_OPTIONS = `--require ${join(folder, 'failing.cjs')}`;
  const environment = { NODE_OPTIONS, TMPDIR: folder, SANDBOX_ADMIN_TOKEN: TOKEN };
  const { code, stderr } = await runProgram(['serve', '--memory', '--port', '0'], environment);
  expect([code, stderr.split('\n').length]).toEqual([1, 2]);
  const [, file = ''] =
    /^petstore-sandbox: internal error E_TEST: it broke with \S+; details are in (\S+)\n$/.exec(stderr) ?? [];
  const details = await readFile(file, 'utf8');
  expect(details).toContain('failing.cjs');
  expect(stderr + details).not.toContain(TOKEN);
});
