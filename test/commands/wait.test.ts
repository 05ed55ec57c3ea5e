import { readdir, readFile, stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { listen } from '../support/listen.ts';
import { type Ran, runProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const wait = (args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> =>
  runInProcess(['wait', ...args], environment);

const healthy: RequestListener = (_, response) => response.end('{"status":"ok"}');

test('ends with 0 as soon as the server is healthy', async () => {
  const { url } = await startTestServer();
  expect(await runProgram(['wait', '--url', url])).toEqual({ code: 0, stdout: `${url} is healthy\n`, stderr: '' });
});

test('takes the address from SANDBOX_URL, else the port from SANDBOX_PORT; --url beats both', async () => {
  const { url } = await startTestServer();
  const { port } = new URL(url);
  const none = await unusedAddress();
  expect((await wait(['--timeout', '0'], { SANDBOX_URL: `${url}/`, SANDBOX_PORT: '1' })).code).toBe(0);
  expect((await wait(['--timeout', '0'], { SANDBOX_PORT: port, SANDBOX_IMAGE: '1' })).code).toBe(0);
  expect((await wait(['--timeout', '0', '--url', url], { SANDBOX_URL: none })).code).toBe(0);
});

test('waits for a server that starts late', async () => {
  const url = await unusedAddress();
  const waiting = wait(['--url', url, '--timeout', String(limit(20_000) / 1000), '--json']);
  await sleep(700);
  await listen(healthy, Number(new URL(url).port));
  const { code, stdout } = await waiting;
  const said = JSON.parse(stdout) as { state: string; url: string; waitedMs: number };
  expect({ code, state: said.state, url: said.url }).toEqual({ code: 0, state: 'healthy', url });
  expect(said.waitedMs).toBeGreaterThan(100);
});

test('ends with 3 when no server was reached in time', async () => {
  const url = await unusedAddress();
  const { code, stdout, stderr } = await runProgram(['wait', '--url', url, '--timeout', '0.3']);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toBe(
    `petstore-sandbox: ${url} cannot be reached after 0.3 s (ECONNREFUSED); start it, or name another with --url\n`,
  );
});

test.each<[string, RequestListener]>([
  ['stops', (_, response) => response.writeHead(503).end('{"code":"stopping"}')],
  ['answers every path with a page', (_, response) => response.end('<!doctype html>')],
  ['hangs up in the middle', (_, response) => response.writeHead(200).write('{"st', () => response.destroy())],
  ['never ends its response', (_, response) => void response.write(`"${'x'.repeat(100_000)}`)],
])('ends with 1 when a server was reached that %s', async (_, received) => {
  const url = await listen(received);
  const { code, stdout } = await wait(['--url', url, '--timeout', '0', '--json']);
  const said = JSON.parse(stdout) as { state: string; reason: string };
  expect({ code, state: said.state }).toEqual({ code: 1, state: 'unhealthy' });
  expect(said.reason).not.toBe('');
});

test('gives a server that accepts and says nothing two seconds', async () => {
  const url = await listen(() => undefined);
  const { code, stderr } = await wait(['--url', url, '--timeout', '0']);
  expect(code).toBe(3);
  expect(stderr).toContain('no response within 2000 ms');
});

test.each([
  [['--timeout', 'soon'], {}, /--timeout must be a number .*; got "soon"/],
  [['--timeout', '-1'], {}, /--timeout must be a number like 0.2, from 0 to 3600; got "-1"/],
  [['--timeout', '3601'], {}, /--timeout must be a number like 0.2, from 0 to 3600; got "3601"/],
  [['--url', 'localhost:4020'], {}, /--url must be the base address of the API, like http:/],
  [[], { SANDBOX_URL: 'ftp://localhost' }, /SANDBOX_URL must be the base address of the API/],
  [[], { SANDBOX_PORT: '0' }, /SANDBOX_PORT=0 takes any free port; name the server with --url/],
])('ends with 2 for %j with %j', async (args, environment, why) => {
  const { code, stdout, stderr } = await wait(args, environment as Record<string, string>);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(why);
});

test('loads nothing of the server: the health check of a container must be cheap', async () => {
  const { url } = await startTestServer();
  const folder = await newFolder();
  // Node's coverage lists every script that was loaded.
  expect((await runProgram(['wait', '--url', url], { NODE_V8_COVERAGE: folder })).code).toBe(0);
  const [file = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { result: { url: string }[] };
  const scripts = result.map((script) => script.url).filter((script) => script.startsWith('file:'));
  const sizes = await Promise.all(scripts.map(async (script) => (await stat(fileURLToPath(script))).size));
  expect(scripts.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(192 * 1024);
});
