/** A named pipe in place of a file is rejected at once: without a writer it would be waited for without end. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

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
  const { code, stderr } = await runProgram(args, environment);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/pipe\.json.*not a (regular )?file/)]);
});
