import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startWrongServer } from '../conform/wrong-server.ts';
import { runProgram, startProgram, unusedAddress } from '../support/program.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});

async function listen(answer: RequestListener): Promise<string> {
  const other = createServer(answer).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(async () => {
    other.closeAllConnections();
    other.close();
    await once(other, 'close');
  });
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`;
}

test('ends with 0 where a server conforms, and says what it skipped and created', async () => {
  const sandbox = await server.sandbox();
  const { key = '' } = sandbox;
  const read = await runProgram(['conform', '--url', `${server.url}/v1/`], { SANDBOX_KEY: key });
  expect(read).toMatchObject({ code: 0, stderr: '' });
  expect(read.stdout).toMatch(/^ok {2}List animals: a list with the limit 1$/m);
  expect(read.stdout).toMatch(/^ +\d+ {2}it may add a pet: needs --allow-create$/m);
  expect(read.stdout).not.toContain('Pets created');
  expect((await sandbox.get('/v1/pets?limit=100')).json).toHaveLength(12);
  const all = await runProgram(['conform', '--url', `${server.url}/v1`, '--key', key, '--allow-create']);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(all.stdout).toMatch(/^Pets created: 13, 14, 15, /m);
  expect(all.stdout).toMatch(/\/v1 conforms: \d+ checks, \d+ ok, 0 differ from the document, 0 from the sandbox, 7 /);
  expect(read.stdout + all.stdout).not.toContain(key.slice(0, -2));
});

test('ends with 1 where a server is wrong, and shows what was sent, expected and got, safely', async () => {
  const { key = '' } = await server.sandbox();
  const url = await startWrongServer(server.url, key, 'HTML error page');
  const { code, stdout, stderr } = await runProgram(['conform', '--url', url, '--key', key]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toContain(
    [
      'DIFFERS FROM THE DOCUMENT  Get an animal: the pet 0, which is not there: 404',
      '    answer-type, by the document',
      '      sent      GET /v1/pets/0',
      '      expected  Content-Type: application/json',
      '      got       404 text/html <h1>Something went \\u001b[31mwrong</h1>',
      '',
    ].join('\n'),
  );
  expect(stdout).not.toContain('\u001b');
  // What shows everywhere is shown whole five times.
  expect(stdout.match(/^ {6}got /gm)).toHaveLength(5);
  expect(stdout).toContain('    answer-type, by the document, once more\n');
});

test('prints one JSON value with --json, every digit of an id in it', async () => {
  const url = await listen((request, response) => {
    if (request.method !== 'POST') return void response.end();
    response.writeHead(201).end('{"id":9007199254740993,"name":"Rex","categoryId":3}');
  });
  const args = ['conform', '--url', url, '--key', 'a-key-of-somebody', '--allow-create', '--json'];
  const { code, stdout } = await runProgram(args);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ url, verdict: 'differs', results: expect.any(Array) });
  expect(stdout).toContain('"created":[{"id":9007199254740993,');
});

test('ends after the request under way when it is interrupted, and tells of the pets that it created', async () => {
  const sandbox = await server.sandbox();
  const args = ['conform', '--url', `${server.url}/v1`, '--allow-create', '--pause', '150'];
  const { child, said, ended } = startProgram(args, { SANDBOX_KEY: sandbox.key ?? '' });
  await expect.poll(() => said.stdout, { timeout: 15_000 }).toContain('ok  ');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr).toBe('petstore-sandbox: stopping after this request; once more ends it at once\n');
  expect(stdout).toContain('was not looked at to the end; nothing differs so far');
  const there = (await sandbox.get('/v1/pets?limit=100')).json as { id: number }[];
  const created = there.map(({ id }) => id).filter((id) => id > 12);
  expect(created.length).toBeGreaterThan(0);
  expect(stdout).toContain(`Pets created: ${created.join(', ')}\n`);
});

test('ends with 3 when no server was reached', async () => {
  const url = `${await unusedAddress()}/v1`;
  const args = ['conform', '--url', url, '--key', 'a-key-of-somebody'];
  const message = `${url} cannot be reached (ECONNREFUSED)`;
  expect(await runProgram(args)).toEqual({ code: 3, stdout: '', stderr: `petstore-sandbox: ${message}\n` });
  const { code, stdout } = await runProgram([...args, '--json']);
  expect({ code, said: JSON.parse(stdout) }).toEqual({ code: 3, said: { url, verdict: 'none', message } });
});

test('ends with 2 when the server refuses the key, without telling it', async () => {
  const { code, stdout, stderr } = await runProgram(['conform', '--url', `${server.url}/v1`, '--key', 'not-the-key']);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `petstore-sandbox: ${server.url}/v1 refuses the key (401)\n`,
  });
});

test.each([
  [['--key', 'a-key-of-somebody'], /required option '--url <url>'/],
  [
    ['--url', 'http://127.0.0.1:1', '--key', 'a-key-of-somebody'],
    /--url must be the base address of the interface, like https:/,
  ],
  [['--url', 'http://u:secret@127.0.0.1:1/v1', '--key', 'a-key-of-somebody'], /--url must be the base address/],
  [['--url', 'ftp://127.0.0.1/v1', '--key', 'a-key-of-somebody'], /--url must be the base address/],
  [['--url', 'http://127.0.0.1:1/v1'], /a key is needed: give it with --key or SANDBOX_KEY/],
  [['--url', 'http://127.0.0.1:1/v1', '--key', 'secret secret'], /--key must be 8 to 4096 visible ASCII characters/],
  [['--url', 'http://127.0.0.1:1/v1', '--key', 'a-key-of-somebody', '--timeout', '0'], /--timeout must be seconds/],
  [
    ['--url', 'http://127.0.0.1:1/v1', '--key', 'a-key-of-somebody', '--pause', '99999'],
    /--pause must be milliseconds/,
  ],
])('ends with 2 for %j', async (args, why) => {
  const { code, stdout, stderr } = await runProgram(['conform', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(why);
  expect(stderr).not.toContain('secret');
});
