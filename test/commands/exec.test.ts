import { once } from 'node:events';
import { cp, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FORMATS } from '../../src/report/formats/formats.ts';
import { newFolder } from '../support/folder.ts';
import { asOnWindows, type Ran, type Running, runProgram, startProgram } from '../support/program.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const ADMIN_TOKEN = 'an-admin-token-of-the-test';

const server = await startTestServer({ settings: { adminToken: ADMIN_TOKEN } });

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

const start = (text: string, url = server.url): Running => startProgram(['exec', '--url', url, ...script(text)]);

const sandboxes = (): number => [...server.sandboxes.all()].length;

describe('petstore-sandbox exec', () => {
  it('hands out a revoked key, and takes the invalid requests that are expected', async () => {
    const text = `const statuses = [(await post('/pets', {})).status];
      headers.Authorization = 'Bearer ' + process.env.SANDBOX_REVOKED_KEY;
      console.log(...statuses, (await get('/pets')).status);`;
    const expected = ['--expect-invalid', 'createPet:400', '--expect-invalid', 'listPets:401'];
    expect(await exec(text, ...expected)).toMatchObject({ code: 0, stdout: '400 401\n' });
    expect(await exec(text)).toMatchObject({ code: 1, stdout: '400 401\n' });
    expect(await exec(text, '--expect-invalid', 'createPets:400')).toMatchObject({ code: 2, stdout: '' });
  });

  it('names the requests without a key', async () => {
    const { code, stderr } = await exec(`await get('/pets'); await fetch(url + '/pets');`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 request came without a usable key: 1 × no API key')]);
  });

  it('runs a command with a sandbox of its own, validates what it did, and leaves nothing', async () => {
    const { code, stdout, stderr } = await exec(
      `console.log(url, (await get('/pets')).status, (await (await get('/pets')).json()).length);`,
      '--fixture',
      'empty',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${server.url}/v1 200 0\n` });
    expect(stderr).toMatch(/^✓ contract check passed \(2 requests validated, 1 of \d+ documented responses seen\)\n$/);
    expect(sandboxes()).toBe(0);
  });

  it('ends with 1 where the command ended well and failed the contract check, and says where', async () => {
    const { code, stderr } = await exec(`await post('/pets', { name: 'Rex' });`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^✗ createPet {2}body\/categoryId {2}missing +1× {2}req_\w+\n {4}\+ "categoryId":1\n[\s\S]*\n✗ contract check failed: 1 violation of the specification\n {2}1 request validated, /,
    );
    const { code: same, stderr: json } = await exec(`await post('/pets', { name: 'Rex' });`, '--json');
    expect(same).toBe(1);
    expect(JSON.parse(json)).toMatchObject({ verdict: 'fail', totals: { violations: 1 } });
    expect(sandboxes()).toBe(0);
  });

  it('counts warnings and deprecated use only when it is strict', async () => {
    const text = `await get('/pets/1'); await post('/pets', { name: 'Rex', categoryId: 1, color: 'red' });`;
    const mild = await exec(text);
    expect(mild.code).toBe(0);
    expect(mild.stderr).toMatch(
      /^! createPet {2}body\/color {2}unknown field [\s\S]*\n✓ contract check passed, but with warnings\n {2}/,
    );
    const strict = await exec(text, '--strict');
    expect(strict.code).toBe(1);
    expect(strict.stderr).toMatch(/\n✗ contract check failed \(strict\): 1 warning; 1 use of a deprecated operation\n/);
  });

  it('ends with 1 where nobody called: the tests may not have run at all', async () => {
    const { code, stderr } = await exec('');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\? contract check incomplete: no request was seen [\s\S]*\n→ .*--artifacts DIR\n$/);
  });

  it('writes the report into a file, before the sandbox ends', async () => {
    const file = join(await newFolder(), 'report.json');
    expect((await exec(`await get('/pets');`, '--out', file)).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ verdict: 'pass', totals: { exchanges: 1 } });
    expect(sandboxes()).toBe(0);
  });

  it('says at once that artifacts cannot be kept where no directory can be made', async () => {
    const { code, stderr } = await exec('', '--artifacts', '/proc/x/y');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--artifacts /proc/x/y cannot be created: ')]);
  });

  it('writes the report in all formats and the recording, after the sandbox has ended', async () => {
    const directory = await newFolder();
    const kept = join(directory, 'artifacts');
    const { code, stderr } = await exec(
      `await get('/pets?limit=500'); await post('/pets', { name: 'Rex', categoryId: 1 });`,
      '--artifacts',
      kept,
    );
    expect([code, sandboxes()]).toEqual([1, 0]);
    expect(stderr).toContain(`petstore-sandbox open ${join(kept, 'recording.jsonl')}`);
    const read = (file: string): Promise<string> => readFile(join(kept, file), 'utf8');
    const reports = Object.values(FORMATS).map(({ extension }) => `report.${extension}`);
    expect((await readdir(kept)).sort()).toEqual(['recording.jsonl', ...reports].sort());
    expect(JSON.parse(await read('report.json'))).toMatchObject({ verdict: 'fail', totals: { exchanges: 2 } });
    expect(JSON.parse(await read('report.sarif'))).toMatchObject({ version: '2.1.0' });
    expect(await read('report.xml')).toMatch(/^<\?xml[\s\S]*<failure /);
    expect(await read('report.html')).toMatch(/^<!doctype html>/);
    expect(await read('report.txt')).toMatch(/401 not tested: [\s\S]*\n✗ contract check failed: /);
    const { exchanges } = partsOf(await read('recording.jsonl'));
    expect(exchanges.map(({ method, target }: Record<string, string>) => `${method} ${target}`)).toEqual([
      'GET /v1/pets?limit=500',
      'POST /v1/pets',
    ]);
    expect(exchanges[1].request.body).toBe('{"name":"Rex","categoryId":1}');
    // The ids that the text form prints are those of the request log.
    expect(stderr).toContain(exchanges[0].id);
    expect((await Promise.all((await readdir(kept)).map(read))).join()).not.toContain('petsbx_');
  });

  it("ends with the command's code, whatever its client did", async () => {
    expect((await exec('process.exit(7);')).code).toBe(7);
    const broken = await exec(`await get('/pets?limit=0'); process.exit(7);`);
    expect(broken.code).toBe(7);
    expect(broken.stderr).toContain('contract check failed');
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

  it('starts a command through the shell of Windows, as `npm` is a script there', async () => {
    const { code, stdout } = await runProgram(
      ['exec', '--url', server.url, '--', 'npm', 'test', 'a b&c'],
      await asOnWindows('echo "$@"; exit 7'),
    );
    expect({ code, stdout }).toEqual({ code: 7, stdout: '/d /s /c "npm ^"test^" ^"a^ b^&c^""\n' });
    const none = await runProgram(
      ['exec', '--url', server.url, '--', 'no-such-command'],
      // As cmd.exe ends for an unknown command.
      await asOnWindows('exit 1'),
    );
    expect([none.code, none.stderr]).toEqual([127, expect.stringContaining('there is no program no-such-command\n')]);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'passes %s on to the command, and ends the sandbox after it',
    async (signal) => {
      const { child, said, ended } = start(
        `process.on('${signal}', async () => { await get('/pets'); console.log('ended in order'); process.exit(9); });
       setInterval(() => undefined, 1000); console.log('runs');`,
      );
      await expect.poll(() => said.stdout, { timeout: limit(10_000) }).toBe('runs\n');
      expect(sandboxes()).toBe(1);
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      expect({ code, stdout, stderr }).toEqual({
        code: 9,
        stdout: 'runs\nended in order\n',
        stderr: expect.stringMatching(/^✓ contract check passed \(/),
      });
      expect(sandboxes()).toBe(0);
    },
  );

  it('ends the sandbox of a command that a signal killed', async () => {
    const { child, said, ended } = start(`console.log('runs'); setInterval(() => undefined, 1000);`);
    await expect.poll(() => said.stdout, { timeout: limit(10_000) }).toBe('runs\n');
    child.kill('SIGTERM');
    expect([(await ended).code, sandboxes()]).toEqual([143, 0]);
  });

  it('ends at the second signal where a server does not answer', async () => {
    const hanging = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void hanging.close().closeAllConnections());
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const { child, ended } = start('', `http://127.0.0.1:${port}`);
    await once(hanging, 'request');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, stdout: '', stderr: '' });
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
    const own = await startTestServer();
    const text = `process.stdin.once('data', () => process.exit(0)); console.log('runs');`;
    const { said, ended, child } = start(text, own.url);
    await expect.poll(() => said.stdout, { timeout: limit(10_000) }).toBe('runs\n');
    await own.end();
    child.stdin.write('go on\n');
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toContain(`the contract could not be validated: ${own.url} cannot be reached`);
  });

  describe('with --start', () => {
    const startOwn = (text: string, ...flags: string[]): Running =>
      startProgram(['exec', '--start', ...flags, ...script(text)], {
        SANDBOX_URL: server.url,
        SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN,
        SANDBOX_KEY: 'another-key-of-mine',
      });

    it('brings its own server, with a validator that is loaded, and leaves nothing listening', async () => {
      const { code, stdout, stderr } = await startOwn(
        `const { status } = await get('/pets'); console.log(JSON.stringify({ status, url }));`,
      ).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^✓ contract check passed \(/) });
      const { status, url } = JSON.parse(stdout);
      expect([status, url]).toEqual([200, expect.not.stringContaining(server.url)]);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
      expect(sandboxes()).toBe(0);
    });

    it('takes fixtures of your own from SANDBOX_FIXTURES', async () => {
      const fixtures = await newFolder();
      await cp('fixtures/default.json', join(fixtures, 'mine.json'));
      const args = ['exec', '--start', '--fixture', 'mine', ...script(`console.log((await get('/pets')).status);`)];
      expect(await runProgram(args, { SANDBOX_FIXTURES: fixtures })).toMatchObject({ code: 0, stdout: '200\n' });
    });

    it.each(['SIGINT'] as const)('passes %s on, and ends the server after the command', async (signal) => {
      const { child, said, ended } = startOwn(
        `process.on('${signal}', async () => { await get('/pets'); console.log('ended in order'); process.exit(9); });
         setInterval(() => undefined, 1000); console.log('runs');`,
      );
      await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toBe('runs\n');
      child.kill(signal);
      expect(await ended).toEqual({
        code: 9,
        stdout: 'runs\nended in order\n',
        stderr: expect.stringMatching(/^✓ contract check passed \(/),
      });
    });

    it('passes although the thread of its validator does not end', async () => {
      const stuck = "require('node:worker_threads').Worker.prototype.terminate = () => new Promise(() => undefined);";
      const folder = await newFolder({ 'stuck.cjs': stuck });
      const args = ['exec', '--start', ...script(`console.log((await get('/pets')).status);`)];
      const { code, stdout, stderr } = await runProgram(args, {
        NODE_OPTIONS: `--require ${join(folder, 'stuck.cjs')}`,
      });
      expect([code, stdout, stderr]).toEqual([0, '200\n', expect.stringMatching(/^✓ contract check passed \(.*\)\n$/)]);
    });

    it.each([
      ['--url', 'http://127.0.0.1:1'],
      ['--admin-token', ADMIN_TOKEN],
      ['--sandbox', 'sbx_1'],
    ])('ends with 2 where %s names another server', async (flag, value) => {
      const { code, stderr } = await startOwn('', flag, value).ended;
      expect([code, stderr]).toEqual([2, `petstore-sandbox: --start brings its own server; leave ${flag} out\n`]);
    });
  });
});
