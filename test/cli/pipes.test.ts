/** Pipes in place of files, and pipes whose reader is gone. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { CLI, runProgram, startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const server = await startTestServer();

/** A named pipe is rejected at once: without a writer it would be waited for without end. */
test
  .runIf(process.platform !== 'win32')
  .each([
    ['keys create --fixture-file PIPE'],
    ['open PIPE'],
    ['serve --memory --port 0 --tls-cert PIPE --tls-key PIPE'],
    ['keys list --cacert PIPE'],
    ['drill --known-failures PIPE -- true'],
  ])('%s', async (line) => {
  const pipe = join(await newFolder(), 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const [SANDBOX_URL, SANDBOX_ADMIN_TOKEN, SANDBOX_KEY] = [server.url, server.adminToken, 'petsbx_example'];
  const environment = { SANDBOX_URL, SANDBOX_ADMIN_TOKEN, SANDBOX_KEY };
  // In this process, `serve` would change the heaps of other tests.
  const run = line.startsWith('serve') ? runProgram : runInProcess;
  const { code, stderr } = await run(line.replaceAll('PIPE', pipe).split(' '), environment);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/pipe\.json.*not a (regular )?file/)]);
});

/** `| head` closes standard output, at once or while the command prints. */
test.each([
  ['--help', 0],
  ['requests verify --operation getPet --exactly 3', 1],
  ['export', 0],
  ['report', 1],
  ['exec --start -- true', 1],
  ['nothing', 2],
])('%s: ends quietly with its code, though nobody reads it', { timeout: limit(60_000) }, async (line, code) => {
  const { key = '' } = await server.sandbox();
  const { child, ended } = startProgram(line.split(' '), { SANDBOX_URL: server.url, SANDBOX_KEY: key });
  child.stdout.destroy();
  const stderr = expect.not.stringMatching(/EPIPE|node:|\n {4}at /);
  expect(await ended).toMatchObject({ code, stderr });
});

test.runIf(existsSync('/dev/full'))('a full disk is one line, with the code 1', async () => {
  const full = openSync('/dev/full', 'w');
  let stderr = '';
  const child = spawn(process.execPath, [CLI, 'help', 'exec'], { stdio: ['ignore', full, 'pipe'] });
  child.stderr?.on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  closeSync(full);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^petstore-sandbox: the output cannot be written: ENOSPC.*\n$/);
});

test('a server whose log nobody reads goes on', { timeout: limit(60_000) }, async () => {
  const { child, said } = startProgram(['serve', '--memory', '--port', '0', '--log-format', 'json']);
  await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toContain('"listening"');
  const url = /"url":"([^"]+)"/.exec(said.stdout)?.[1] ?? '';
  child.stdout.destroy();
  for (let i = 0; i < 3; i++) expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});
