import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/verdict/report/formats/formats.ts';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/ports.ts';
import { asOnWindows, type Ran, type Running, runProgram, startProgram } from '../support/program.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { SCRIPT_OF_CLIENT, script } from './support.ts';

const ADMIN_TOKEN = 'an-admin-token-of-the-test';

const server = await startTestServer({ settings: { adminToken: ADMIN_TOKEN } });

const exec = (text: string, ...flags: string[]): Promise<Ran> =>
  runProgram(['exec', '--url', server.url, ...flags, ...script(text)], { CI: 'true' });

const start = (text: string, url = server.url): Running => startProgram(['exec', '--url', url, ...script(text)]);

const runs = ({ said }: Running) => expect.poll(() => said.stdout, { timeout: limit(20_000) }).toBe('runs\n');

const sandboxes = (): number => [...server.sandboxes.all()].length;

const PASSED = /^✓ contract check passed \([^\n]+\)\n$/;
const INVALID = `await post('/pets', { name: 'Rex' });`;
const WARNINGS = `await get('/pets/1'); await post('/pets', { name: 'Rex', categoryId: 1, color: 'red' });`;

describe('petstore-sandbox exec', () => {
  it.each<[code: number, where: string, client: string, said: RegExp, ...flags: string[]]>([
    [1, 'the contract check failed', INVALID, /\n✗ contract check failed: 1 violation of the specification\n/],
    [1, 'there are warnings, with --strict', WARNINGS, /\(strict\): 1 warning; 1 use of a deprecated op/, '--strict'],
    [
      1,
      'nobody called',
      '',
      /: your command sent nothing to\s+http:\S+\/sbx_\w+\/v1: does it read SANDBOX_URL\?[^→]*$/,
    ],
    [
      1,
      'a request has no key',
      `delete headers.Authorization; await get('/pets');`,
      /✗ listPets {2}header\/authorization {2}is required/,
    ],
    [2, 'artifacts have no place', '', /--artifacts \S+ cannot be created: [^\n]+\n$/, '--artifacts', '/proc/x/y'],
    [7, 'the command failed', `${INVALID} process.exit(7);`, /\n✗ contract check failed/],
    [137, 'the command was killed', `process.kill(process.pid, 'SIGKILL');`, /incomplete/],
  ])('ends with %i where %s, and leaves no sandbox in CI', async (wanted, _, client, said, ...flags) => {
    const { code, stderr } = await exec(client, ...flags);
    expect({ code, stderr, left: sandboxes() }).toEqual({ code: wanted, stderr: expect.stringMatching(said), left: 0 });
  });

  it('hands out a revoked key, and takes the invalid requests that are expected', async () => {
    const text = `const statuses = [(await post('/pets', {})).status];
      headers.Authorization = 'Bearer ' + process.env.SANDBOX_REVOKED_KEY;
      console.log(...statuses, (await get('/pets')).status);`;
    const expected = ['--expect-invalid', 'createPet:400', '--expect-invalid', 'listPets:401'];
    expect(await exec(text, ...expected)).toMatchObject({ code: 0, stdout: '400 401\n' });
    const red = await exec(text);
    expect(red).toMatchObject({
      code: 1,
      stdout: '400 401\n',
      stderr: expect.stringMatching(/\n→ .*--artifacts DIR\n$/),
    });
    expect(await exec(text, '--expect-invalid', 'createPets:400')).toMatchObject({ code: 2, stdout: '' });
  });

  it('writes the report in all formats and the recording, after the sandbox has ended', async () => {
    const kept = join(await newFolder(), "its'artifacts");
    const text = `await get('/pets?limit=500'); await post('/pets', { name: 'Rex', categoryId: 1 });`;
    const { code, stderr } = await exec(text, '--artifacts', kept);
    expect([code, sandboxes()]).toEqual([1, 0]);
    const [, id = ''] = /recording-(sbx_\w+)/.exec(String(await readdir(kept))) ?? [];
    const named = (name: string) => name.replace('.', `-${id}.`);
    expect(stderr).toMatch(/petstore-sandbox open\s+'\/\S*\/its'\\''artifacts\/recording-\w+\.jsonl'\n/);
    const read = (file: string): Promise<string> => readFile(join(kept, named(file)), 'utf8');
    const reports = Object.values(FORMATS).map(({ extension }) => `report.${extension}`);
    expect((await readdir(kept)).sort()).toEqual(['recording.jsonl', ...reports].map(named).sort());
    expect(JSON.parse(await read('report.json'))).toMatchObject({ verdict: 'fail', counts: { exchanges: 2 } });
    expect(await read('report.xml')).toMatch(/^<\?xml[\s\S]*<failure /);
    expect(await read('report.html')).toMatch(/^<!doctype html>/);
    expect(await read('report.txt')).toMatch(/401 not tested: [\s\S]*\n✗ contract check failed: /);
    const { exchanges } = partsOf(await read('recording.jsonl'));
    expect(exchanges).toMatchObject([
      { method: 'GET', target: '/v1/pets?limit=500' },
      { method: 'POST', target: '/v1/pets', request: { body: '{"name":"Rex","categoryId":1}' } },
    ]);
    // The ids that the text form prints are those of the request log.
    expect(stderr).toContain(exchanges[0].id);
    expect((await Promise.all(['recording.jsonl', ...reports].map(read))).join()).not.toContain('petsbx_');
  });

  it('ends like a shell where there is no such command, or it cannot be run', async () => {
    const run = (...command: string[]) => runProgram(['exec', '--url', server.url, ...command]);
    const missing = await runProgram(['exec', '--url', server.url, '--', 'no-such-command-anywhere'], {
      HTTP_PROXY: 'http://proxy.example:3128',
    });
    // A proxy is not why nothing was seen.
    const none =
      /^petstore-sandbox: there is no program no-such-command-anywhere\n\? contract check incomplete: no request was seen [^→]*$/;
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringMatching(none) });
    expect(missing.stderr).not.toContain('proxy.example');
    const quoted = 'there is no program echo hi; leave out the quotes around the command, or run it with: sh -c\n';
    expect(await run('--', 'echo hi')).toMatchObject({ code: 127, stderr: expect.stringContaining(quoted) });
    expect((await run('--', '/')).code).toBe(126);
    expect((await run()).code).toBe(2);
    expect(sandboxes()).toBe(0);
  });

  it('starts a command through the shell of Windows, as `npm` is a script there', async () => {
    const run = async (shell: string, ...command: string[]) =>
      runProgram(['exec', '--url', server.url, '--', ...command], await asOnWindows(shell));
    const stdout = '/d /s /c "npm ^"test^" ^"a^ b^&c^""\n';
    expect(await run('echo "$@"; exit 7', 'npm', 'test', 'a b&c')).toMatchObject({ code: 7, stdout });
    // As cmd.exe ends for an unknown command.
    const stderr = expect.stringContaining('there is no program no-such-command\n');
    expect(await run('exit 1', 'no-such-command')).toMatchObject({ code: 127, stderr });
  });

  it.each([
    ['SIGTERM', ['--url', server.url]],
    ['SIGHUP', ['--url', server.url]],
    ['SIGINT', ['--start']],
  ] as const)('passes %s on to the command, and ends the sandbox after it: %j', async (signal, flags) => {
    const text = `process.on('${signal}', async () => { await get('/pets'); console.log('ended in order'); process.exit(9); });
       setInterval(() => undefined, 1000); console.log('runs');`;
    const running = startProgram(['exec', ...flags, ...script(text)]);
    await runs(running);
    running.child.kill(signal);
    const stderr = expect.stringMatching(PASSED);
    expect(await running.ended).toEqual({ code: 9, stdout: 'runs\nended in order\n', stderr });
    expect(sandboxes()).toBe(0);
  });

  it('ends the sandbox of a command that a signal killed', async () => {
    const running = start(`console.log('runs'); setInterval(() => undefined, 1000);`);
    await runs(running);
    expect(sandboxes()).toBe(1);
    running.child.kill('SIGTERM');
    expect([(await running.ended).code, sandboxes()]).toEqual([143, 0]);
  });

  it('ends at the second signal where a server does not answer', async () => {
    let asked = 0;
    const url = await listen(() => void asked++);
    const { child, ended } = start('', url);
    await expect.poll(() => asked, { timeout: limit(20_000) }).toBe(1);
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
    const text = `await get('/pets'); console.log(key, process.env.SANDBOX_ADMIN_TOKEN);`;
    const { code, stdout } = await runProgram(['exec', ...script(text)], environment);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^petsbx_\w+ undefined\n$/)]);
  });

  it('ends with 3 when the server went meanwhile, unless the command failed', async () => {
    const own = await startTestServer();
    const running = start(`process.stdin.once('data', () => process.exit(0)); console.log('runs');`, own.url);
    await runs(running);
    await own.end();
    running.child.stdin.write('go on\n');
    const stderr = expect.stringContaining(`the contract could not be validated: ${own.url} cannot be reached`);
    expect(await running.ended).toMatchObject({ code: 3, stderr });
  });
});

describe('petstore-sandbox exec --start', () => {
  const run = (text: string, environment: Record<string, string>, ...flags: string[]) =>
    runProgram(['exec', '--start', ...flags, ...script(text)], environment);
  const STATUS = `console.log((await get('/pets')).status, url);`;

  it('brings its own server, with a validator that is loaded, and leaves nothing listening', async () => {
    const environment = {
      SANDBOX_URL: server.url,
      SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN,
      SANDBOX_KEY: 'another-key-of-mine',
    };
    const { code, stdout, stderr } = await run(STATUS, environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(PASSED) });
    const [status, url = ''] = stdout.trim().split(' ');
    expect([status, url]).toEqual(['200', expect.not.stringContaining(server.url)]);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(sandboxes()).toBe(0);
  });

  describe('in a project', () => {
    const FIXED = `await post('/pets', { name: 'Rex', categoryId: 1 });`;
    const inProject = (folder: string, CLIENT: string, environment: Record<string, string> = {}, ...flags: string[]) =>
      runProgram(
        ['exec', ...(flags.length > 0 ? flags : ['--start']), ...SCRIPT_OF_CLIENT],
        { CI: '', CLIENT, ...environment },
        folder,
      );
    const opened = async (folder: string): Promise<string> => {
      const { child, said, ended } = startProgram(['open'], {}, folder);
      await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/dashboard {2}http:\S+\/#\/sign-in\//);
      child.kill('SIGTERM');
      await ended;
      return said.stdout;
    };

    it('keeps the last run, passed or failed, says what it fixed since the one before, and open shows it', async () => {
      const project = await newFolder({ 'sub/a.txt': '', 'node_modules/x/a.txt': '' });
      const kept = join(project, 'node_modules/.cache/petstore-sandbox/tests.jsonl');
      const nothing = await startProgram(['open'], {}, project).ended;
      expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('no run of exec or ready is kept') });
      const advice = expect.stringMatching(/\n→ to keep .*--artifacts DIR\n$/);
      expect(await inProject(project, INVALID, { CI: 'true' })).toMatchObject({ code: 1, stderr: advice });
      expect(await readdir(join(project, 'node_modules'))).toEqual(['x']);

      const red = await inProject(project, INVALID);
      expect(red).toMatchObject({ code: 1, stderr: expect.stringMatching(/\n→ npx petstore-sandbox open\n$/) });
      expect(red.stderr).not.toContain('since');
      const two = `${INVALID} await get('/pets?limit=500');`;
      const worse = await inProject(join(project, 'sub'), two, {}, '--url', server.url);
      expect(worse.stderr).toMatch(/failed · fixed 0, new 1, still 1 since \d\d:\d\d \(exit 1\)/);
      const away = await inProject(project, `await get('/pets?limit=5');`);
      expect(away.stderr).toMatch(/passed · fixed 1, new 0, not tried 1 since/);
      expect(await opened(join(project, 'sub'))).toMatch(
        /recording {2}\/\S+node .*\(exit 0\), fixed 1, new 0, not tried 1/,
      );
      const { mode } = await stat(kept);
      expect([mode & 0o777, await readdir(dirname(kept))]).toEqual([0o600, ['tests.jsonl']]);
      const [, , ...recording] = (await readFile(kept, 'utf8')).split('\n');
      expect(partsOf(recording.join('\n')).exchanges).toMatchObject([{ run: expect.stringContaining('node') }]);
      expect(sandboxes()).toBe(0);
      const other = await runProgram(['exec', '--start', ...script(INVALID)], { CI: '' }, project);
      expect(other.stderr).not.toContain('since');
    });

    it("is not another project's, and has a place without node_modules", async () => {
      const both = await newFolder({ 'package.json': '{}', 'a/go.mod': '', 'b/pyproject.toml': '', 'cache/a': '' });
      const cache = { XDG_CACHE_HOME: join(both, 'cache') };
      await inProject(join(both, 'a'), INVALID, cache);
      const { stderr } = await inProject(join(both, 'b'), FIXED, cache);
      expect(stderr).toMatch(PASSED);
      expect(await readdir(join(both, 'cache/petstore-sandbox'))).toHaveLength(2);
    });

    it('replaces what is damaged or of another version, and says where nothing can be kept', async () => {
      const project = await newFolder({ 'node_modules/x/a.txt': '', 'a file': '' });
      const kept = join(project, 'node_modules/.cache/petstore-sandbox/tests.jsonl');
      await inProject(project, FIXED);
      const [head] = (await readFile(kept, 'utf8')).split('\n');
      for (const [text, why, ofOpen] of [
        ['garbage', 'cannot be used: Unexpected', 'cannot be used: Unexpected'],
        [`${head}\n{"program":"0.0.1"}\n`, 'version 0.0.1 of the program wrote it', 'this is no recording'],
      ] as const) {
        await writeFile(kept, text);
        const failed = await startProgram(['open'], {}, project).ended;
        expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(ofOpen) });
        const replaced = await inProject(project, FIXED);
        expect(replaced).toMatchObject({
          code: 0,
          stderr: expect.stringMatching(new RegExp(`${why}.*; it is replaced`)),
        });
        expect((await inProject(project, FIXED)).stderr).toMatch(PASSED);
      }
      const nowhere = { XDG_CACHE_HOME: join(project, 'a file') };
      const unkept = await inProject(await newFolder(), INVALID, nowhere);
      expect(unkept).toMatchObject({ code: 1, stderr: expect.stringMatching(/this run is not kept: .*\n→ to keep/s) });
    });
  });
});
