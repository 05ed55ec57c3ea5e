import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Ran, type Running, runProgram, startProgram } from '../support/program.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ADMIN_TOKEN = 'an-admin-token-of-the-test';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ settings: { adminToken: ADMIN_TOKEN } });
});

/** A client's program: `get` and `post` are at hand. */
const script = (text: string): string[] => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
   const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
   const get = (path) => fetch(url + path, { headers });
   const post = (path, body) => fetch(url + path, { headers, method: 'POST', body: JSON.stringify(body) });
   ${text}`,
];

const exec = (text: string, ...flags: string[]): Promise<Ran> =>
  runProgram(['exec', '--url', server.url, ...flags, ...script(text)]);

const start = (text: string): Running => startProgram(['exec', '--url', server.url, ...script(text)]);

const sandboxes = (): number => [...server.sandboxes.all()].length;

describe('petstore-sandbox exec', () => {
  it('runs a command with a sandbox of its own, judges what it did, and leaves nothing', async () => {
    const { code, stdout, stderr } = await exec(
      `console.log(url, (await get('/pets')).status, (await (await get('/pets')).json()).length);`,
      '--fixture',
      'empty',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${server.url}/v1 200 0\n` });
    expect(stderr).toMatch(/^contract kept\n {2}2 requests, 1 of \d+ documented answers seen\n {2}never seen: /);
    expect(sandboxes()).toBe(0);
  });

  it('ends with 1 where the command ended well and broke the contract, and says where', async () => {
    const { code, stderr } = await exec(`await post('/pets', { name: 'Rex' });`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^contract broken: 1 violation of the document\n {2}createPet violation: body.* \(req_\w+\)\n/,
    );
    const { code: same, stderr: json } = await exec(`await post('/pets', { name: 'Rex' });`, '--json');
    expect(same).toBe(1);
    expect(JSON.parse(json)).toMatchObject({ verdict: 'fail', totals: { violations: 1 } });
    expect(sandboxes()).toBe(0);
  });

  it('counts warnings and deprecated use only when it is strict', async () => {
    const text = `await get('/pets/1'); await post('/pets', { name: 'Rex', categoryId: 1, colour: 'red' });`;
    const mild = await exec(text);
    expect(mild.code).toBe(0);
    expect(mild.stderr).toMatch(/^contract kept\n {2}createPet warning: /);
    const strict = await exec(text, '--strict');
    expect(strict.code).toBe(1);
    expect(strict.stderr).toMatch(/^contract broken \(strict\): 1 warning; 1 use of a deprecated operation\n/);
  });

  it('ends with 1 where nobody called: the tests may not have run at all', async () => {
    const { code, stderr } = await exec('');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^contract not known to be kept: no request was seen\n/);
  });

  it('writes the report into a file, before the sandbox ends', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, 'deeper', 'report.json');
    expect((await exec(`await get('/pets');`, '--out', file)).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ verdict: 'pass', totals: { exchanges: 1 } });
    const refused = await exec(`await get('/pets');`, '--out', directory);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`--out ${directory} cannot be written`);
    expect(sandboxes()).toBe(0);
  });

  it("ends with the command's code, whatever its client did", async () => {
    expect((await exec('process.exit(7);')).code).toBe(7);
    const broken = await exec(`await get('/pets?limit=0'); process.exit(7);`);
    expect(broken.code).toBe(7);
    expect(broken.stderr).toContain('contract broken');
    expect((await exec(`process.kill(process.pid, 'SIGKILL');`)).code).toBe(137);
    expect(sandboxes()).toBe(0);
  });

  it('ends like a shell where there is no such command, or it cannot be run', async () => {
    const none = await runProgram(['exec', '--url', server.url, '--', 'no-such-command-anywhere']);
    expect([none.code, none.stderr]).toEqual([
      127,
      expect.stringContaining('petstore-sandbox: there is no program no-such-command-anywhere\n'),
    ]);
    expect((await runProgram(['exec', '--url', server.url, '--', '/'])).code).toBe(126);
    expect((await runProgram(['exec', '--url', server.url])).code).toBe(2);
    expect(sandboxes()).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'passes %s on to the command, and ends the sandbox after it',
    async (signal) => {
      const { child, said, ended } = start(
        `process.on('${signal}', async () => { await get('/pets'); console.log('ended in order'); process.exit(9); });
       setInterval(() => undefined, 1000); console.log('runs');`,
      );
      await expect.poll(() => said.stdout, { timeout: 10_000 }).toBe('runs\n');
      expect(sandboxes()).toBe(1);
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      expect({ code, stdout, stderr }).toEqual({
        code: 9,
        stdout: 'runs\nended in order\n',
        stderr: expect.stringMatching(/^contract kept\n/),
      });
      expect(sandboxes()).toBe(0);
    },
  );

  it('ends the sandbox of a command that a signal killed', async () => {
    const { child, said, ended } = start(`console.log('runs'); setInterval(() => undefined, 1000);`);
    await expect.poll(() => said.stdout, { timeout: 10_000 }).toBe('runs\n');
    child.kill('SIGTERM');
    expect([(await ended).code, sandboxes()]).toEqual([143, 0]);
  });

  it("gives the command its own sandbox's key, and neither the operator's token nor another key", async () => {
    const environment = {
      SANDBOX_URL: server.url,
      SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN,
      SANDBOX_KEY: 'another-key-of-mine',
    };
    const text = `await get('/pets'); console.log(JSON.stringify([key, process.env.SANDBOX_ADMIN_TOKEN ?? null]));`;
    const { code, stdout } = await runProgram(['exec', ...script(text)], environment);
    expect([code, JSON.parse(stdout)]).toEqual([0, [expect.stringMatching(/^petsbx_/), null]]);
  });

  it('ends with 3 when the server went meanwhile, unless the command failed', async () => {
    const { said, ended, child } = start(`process.stdin.once('data', () => process.exit(0)); console.log('runs');`);
    await expect.poll(() => said.stdout, { timeout: 10_000 }).toBe('runs\n');
    await server.close();
    child.stdin.write('go on\n');
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toContain(`the contract could not be judged: ${server.url} cannot be reached`);
  });
});
