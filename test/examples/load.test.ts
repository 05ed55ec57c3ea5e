/** The load recipe: what it prints is true, and it leaves no sandbox. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { run } from './support.ts';

const RECIPE = resolve('examples/load.mjs');

it('fails where requests are rejected', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer({ settings: { maxBytes: 1_000 } });
  const folder = await newFolder();
  const env = { SANDBOX_URL: `${server.url}/v1`, CONNECTIONS: '1', SECONDS: '5' };
  const { code, stdout } = await run(process.execPath, [RECIPE], { folder, env });
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringMatching(/, [1-9]\d* rejected/) });
});

it('loads a sandbox of its own, and ends it', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer();
  const folder = await newFolder();
  const env = { SANDBOX_URL: `${server.url}/v1`, CONNECTIONS: '2', SECONDS: '1' };
  const { code, stdout, stderr } = await run(process.execPath, [RECIPE], { folder, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [, answered] =
    /^\d+ requests\/s; p50 \d+ ms, p99 \d+ ms; (\d+) answered, 0 rejected, 0 failed\n$/.exec(stdout) ?? [];
  expect(Number(answered)).toBeGreaterThan(0);
  expect([...server.sandboxes.all()]).toEqual([]);
});
