import { readdir, readFile, stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/ports.ts';
import { runProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { asUser } from './support.ts';

const offline = asUser();

const healthy: RequestListener = (_, response) => response.end('{"status":"ok","validator":{"ready":true}}');

test('takes the address from SANDBOX_URL, else the port from SANDBOX_PORT; --url beats both', async () => {
  const { url } = await startTestServer();
  const { port } = new URL(url);
  const none = await unusedAddress();
  const healthy = [`${url} is healthy`];
  expect(await asUser({ SANDBOX_URL: `${url}/`, SANDBOX_PORT: '1' }).lines('wait --timeout 0')).toEqual(healthy);
  expect(await asUser({ SANDBOX_PORT: port, SANDBOX_IMAGE: '1' }).lines('wait --timeout 0')).toHaveLength(1);
  expect(await asUser({ SANDBOX_URL: none }).lines(`wait --timeout 0 --url ${url}`)).toEqual(healthy);
});

test.each(['::', '::1', '0:0:0:0:0:0:0:0', '0.0.0.0'])(
  'asks where a server listens on %s, at an address that works',
  async (host) => {
    const { url } = await startTestServer({ settings: { host } });
    const environment = { SANDBOX_HOST: host, SANDBOX_PORT: new URL(url).port };
    expect(await asUser(environment).lines('wait --timeout 0')).toHaveLength(1);
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
  },
);

test('waits for a server that starts late', async () => {
  const url = await unusedAddress();
  const waiting = offline.json(`wait --url ${url} --timeout ${limit(20_000) / 1000} --json`);
  await sleep(700);
  await listen(healthy, Number(new URL(url).port));
  const { waitedMs, ...said } = await waiting;
  expect(said).toEqual({ state: 'healthy', url });
  expect(waitedMs).toBeGreaterThan(100);
});

test('ends with 3 when no server was reached in time, of which one that says nothing has two seconds', async () => {
  const url = await unusedAddress();
  expect(await offline.complaint(`wait --url ${url} --timeout 0.3`, 3)).toBe(
    `petstore-sandbox: ${url} cannot be reached after 0.3 s (ECONNREFUSED); start it, or name another with --url\n`,
  );
  const silent = await listen(() => undefined);
  expect(await offline.complaint(`wait --url ${silent} --timeout 0`, 3)).toContain('no response within 2000 ms');
});

test.each<[string, RequestListener]>([
  ['stops', (_, response) => response.writeHead(503).end('{"code":"stopping"}')],
  ['is another program with a health of its own', (_, response) => response.end('{"status":"ok"}')],
  ['answers every path with a page', (_, response) => response.end('<!doctype html>')],
  ['hangs up in the middle', (_, response) => response.writeHead(200).write('{"st', () => response.destroy())],
  ['never ends its response', (_, response) => void response.write(`"${'x'.repeat(100_000)}`)],
])('ends with 1 when a server was reached that %s', async (_, received) => {
  const said = await offline.json(`wait --url ${await listen(received)} --timeout 0 --json`, 1);
  expect(said).toMatchObject({ state: 'unhealthy', reason: expect.stringMatching(/./) });
});

test.each<[string, NodeJS.ProcessEnv, string]>([
  ['--timeout soon', {}, '--timeout is a number like 0.2, from 0 to 3600; "soon" was given'],
  ['--url localhost:4020', {}, '--url is the base address of the API, like http:/'],
  ['--timeout 0', { SANDBOX_URL: 'ftp://localhost' }, 'SANDBOX_URL is the base address of the API'],
  ['--timeout 0', { SANDBOX_PORT: '0' }, 'SANDBOX_PORT=0 takes any free port; name the server with --url'],
])('ends with 2 for %s with %j', async (flags, environment, why) => {
  expect(await asUser(environment).complaint(`wait ${flags}`)).toContain(why);
});

test('ends with 0 and loads nothing of the server: the health check of a container must be cheap', async () => {
  const { url } = await startTestServer();
  const folder = await newFolder();
  // Node's coverage lists every script that was loaded.
  const ran = await runProgram(['wait', '--url', url], { NODE_V8_COVERAGE: folder });
  expect(ran).toEqual({ code: 0, stdout: `${url} is healthy\n`, stderr: '' });
  const [file = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { result: { url: string }[] };
  const scripts = result.map((script) => script.url).filter((script) => script.startsWith('file:'));
  const sizes = await Promise.all(scripts.map(async (script) => (await stat(fileURLToPath(script))).size));
  expect(scripts.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(192 * 1024);
});
