/** Pipes in place of files, and pipes whose reader is gone. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
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
    ['replay PIPE'],
    ['serve --memory --port 0 --tls-cert PIPE --tls-key PIPE'],
    ['keys list --cacert PIPE'],
    ['drill --known-failures PIPE -- true'],
    ['conform --url http://127.0.0.1:1/v1 --known-differences PIPE'],
  ])('%s', async (line) => {
  const pipe = join(await newFolder(), 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const environment = {
    SANDBOX_URL: server.url,
    SANDBOX_ADMIN_TOKEN: server.adminToken,
    SANDBOX_KEY: 'petsbx_example',
  };
  const args = line.split(' ').map((word) => (word === 'PIPE' ? pipe : word));
  const run = line.startsWith('serve') ? runProgram : runInProcess;
  const { code, stderr } = await run(args, environment);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/pipe\.json.*not a (regular )?file/)]);
});

const HAR = JSON.stringify({ log: { version: '1.2', creator: {}, entries: [] } });

/** `| head` closes standard output, at once or while the command prints. */
test.each([
  ['--help', 0],
  ['help exec', 0],
  ['--version', 0],
  ['wait', 0],
  ['wait --json', 0],
  ['fixtures list', 0],
  ['fixtures list --json', 0],
  ['keys create --quiet', 0],
  ['requests list', 0],
  ['requests verify --operation getPet --exactly 3', 1],
  ['export', 0],
  ['report', 1],
  ['report --format junit', 1],
  ['report --format github', 1],
  ['report --har HAR', 1],
  ['preview', 1],
  ['conform --url URL', 0],
  ['exec --start -- true', 1],
  ['drill --only lost-create -- true', 1],
  ['nothing', 2],
])(
  '%s: ends quietly with its code, though nobody reads what it prints',
  { timeout: limit(60_000) },
  async (line, code) => {
    const har = join(await newFolder(), 'traffic.har');
    await writeFile(har, HAR);
    const { key = '' } = await server.sandbox();
    const environment = { SANDBOX_URL: server.url, SANDBOX_KEY: key };
    const words = { HAR: har, URL: `${server.url}/v1` };
    const args = line.split(' ').map((word) => words[word as keyof typeof words] ?? word);
    const { child, ended } = startProgram(args, environment);
    child.stdout.destroy();
    const ran = await ended;
    expect([ran.code, ran.stderr]).toEqual([code, expect.not.stringMatching(/EPIPE|node:|\n {4}at /)]);
  },
);

test.runIf(existsSync('/dev/full'))('a full disk is one line, with the code 1', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, [CLI, 'help', 'exec'], { stdio: ['ignore', full, 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^petstore-sandbox: the output cannot be written: ENOSPC.*\n$/),
    ]);
  } finally {
    closeSync(full);
  }
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
