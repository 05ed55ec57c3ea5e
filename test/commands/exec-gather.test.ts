/** `exec` around tests with a sandbox each: the reports of these sandboxes and its own are one. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { run } from '../examples/support.ts';
import { newFolder } from '../support/folder.ts';
import { CLI, type Ran, runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const built = (name: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url)));

/** A run of tests: `server` is that of `exec`, `own` one in this process, and `get` sends a request to a sandbox. */
const script = (text: string): string[] => [
  process.execPath,
  '--input-type=module',
  '-e',
  `import { expectContractPassed, openSandbox, withSandbox } from ${built('testing')};
   const { SANDBOX_URL: url, SANDBOX_KEY: key, SANDBOX_REPORTS: reports } = process.env;
   const server = { url };
   const own = async () => (await import(${built('index')})).startSandbox();
   const get = ({ url, key }, path, headers = {}) => fetch(url + path, { headers: { Authorization: 'Bearer ' + key, ...headers } });
   ${text}`,
];

const exec = (text: string, ...flags: string[]): Promise<Ran> =>
  runProgram(['exec', '--url', server.url, '--json', ...flags, '--', ...script(text)]);

/** The report that `exec` printed. */
const reportOf = ({ stderr }: Ran): Report => JSON.parse(stderr);

describe('exec, around tests with a sandbox each', () => {
  it('passes where all of them pass, and counts the requests of all', async () => {
    const ran = await exec(`
      await withSandbox(server, (sandbox) => get(sandbox, '/pets'), { label: 'one' });
      await withSandbox(server, (sandbox) => get(sandbox, '/pets/404', { 'Sandbox-Expect': 'invalid' }), { label: 'two' });
      await withSandbox(server, () => 0, { label: 'needs no request' });`);
    expect(ran.code).toBe(0);
    expect(reportOf(ran)).toMatchObject({
      verdict: 'pass',
      sandbox: '2 reports',
      account: { total: 2, validated: 1, expectedInvalid: 1 },
      coverage: { seen: 2 },
      merged: { reports: expect.arrayContaining([expect.objectContaining({ name: 'one', verdict: 'pass' })]) },
    });
    expect([...server.sandboxes.all()].length).toBe(0);
  });

  it('fails where one of them fails, and names it, whether or not the test looked', async () => {
    const kept = join(await newFolder(), 'artifacts');
    const ran = await exec(
      `await withSandbox(server, (sandbox) => get(sandbox, '/pets'));
       await withSandbox(server, (sandbox) => get(sandbox, '/pets?limit=500'), { label: 'a bad one' });`,
      '--artifacts',
      kept,
    );
    expect([ran.code, reportOf(ran).verdict, reportOf(ran).totals.violations]).toEqual([1, 'fail', 1]);
    expect(await readFile(join(kept, 'report.txt'), 'utf8')).toContain('1 of 2 reports failed: a bad one\n');
    // The requests are in the recordings of the tests.
    expect(await readdir(kept)).not.toContain('recording.jsonl');
  });

  it('counts its own sandbox too, on which other tests may work', async () => {
    const ran = await exec(`await get({ url, key }, '/pets');
      await withSandbox(server, (sandbox) => get(sandbox, '/pets'));`);
    expect([ran.code, reportOf(ran).account.total, reportOf(ran).sandbox]).toEqual([0, 2, '2 reports']);
  });

  it('has what a test declares to be invalid', async () => {
    const ran = await exec(`await withSandbox(server, async (sandbox) => {
      await get(sandbox, '/pets?limit=500');
      await get(sandbox, '/pets');
      await expectContractPassed(sandbox, { expectedInvalid: ['listPets:400'] });
    });`);
    expect([ran.code, reportOf(ran).account]).toEqual([0, expect.objectContaining({ total: 2, expectedInvalid: 1 })]);
  });

  it('is strict for all of them', async () => {
    const text = `await withSandbox(server, (sandbox) => get(sandbox, '/pets/1'));`;
    expect((await exec(text)).code).toBe(0);
    const ran = await exec(text, '--strict');
    expect([ran.code, reportOf(ran).reasons]).toEqual([1, ['1 use of a deprecated operation']]);
  });

  it('takes the sandboxes of a server in the process of the tests, with its unmatched requests', async () => {
    const ran = await exec(`const inProcess = await own();
      await withSandbox(inProcess, async (sandbox) => {
        await get(sandbox, '/pets');
        await fetch(sandbox.url + '/pets');
      });
      await inProcess.close();`);
    expect([ran.code, reportOf(ran).account.total, reportOf(ran).totals.unmatched]).toEqual([1, 2, 1]);
  });

  it('counts an unmatched request of its own server once', async () => {
    const ran = await exec(`await withSandbox(server, async (sandbox) => {
      await get(sandbox, '/pets');
      await fetch(url + '/pets');
    });`);
    expect([ran.code, reportOf(ran).account.total, reportOf(ran).totals.unmatched]).toEqual([1, 2, 1]);
  });

  it('is incomplete where no test sent a request', async () => {
    const ran = await exec('await withSandbox(server, () => 0);');
    expect([ran.code, reportOf(ran).reasons]).toEqual([1, ['no request was seen']]);
  });

  it('is incomplete where a sandbox ended before its report, or its report is damaged', async () => {
    const ended = await exec(`await withSandbox(server, async (sandbox) => {
      await get(sandbox, '/pets');
      await sandbox.client.request('DELETE /');
    });`);
    expect([ended.code, reportOf(ended).reasons]).toEqual([
      1,
      ['no request was seen', expect.stringMatching(/^sbx_\w+\.json is not counted: it is an error: /)],
    ]);
    const damaged = await exec(`import { writeFileSync } from 'node:fs';
      await get({ url, key }, '/pets');
      writeFileSync(reports + '/sbx_x.json', '{"verdict":');`);
    expect([damaged.code, reportOf(damaged).reasons]).toEqual([
      1,
      [expect.stringMatching(/^sbx_x\.json is not counted: not valid JSON/)],
    ]);
  });

  it('writes a report once, however often a sandbox is ended', async () => {
    const ran = await exec(`const sandbox = await openSandbox(server);
      await get(sandbox, '/pets');
      await sandbox.end();
      await sandbox.end();`);
    expect([ran.code, reportOf(ran).account.total]).toEqual([0, 1]);
  });

  it('may be within another one, and leaves nothing behind', async () => {
    const TMPDIR = join(await newFolder(), 'temporary');
    await mkdir(TMPDIR);
    const inner = [process.execPath, CLI, 'exec', '--start', '--', ...script(`await get({ url, key }, '/pets');`)];
    const outer = ['exec', '--url', server.url, '--json', '--', process.execPath, '-e'];
    const run = `const { spawnSync } = require('node:child_process');
      const [file, ...args] = ${JSON.stringify(inner)};
      for (const _ of [1, 2]) spawnSync(file, args);`;
    const ran = await runProgram([...outer, run], { TMPDIR });
    expect([ran.code, reportOf(ran).account.total, reportOf(ran).sandbox]).toEqual([0, 2, '2 reports']);
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  it('works where nothing can be written', async () => {
    const ran = await runProgram(
      ['exec', '--url', server.url, '--json', '--', ...script(`await get({ url, key }, '/pets');`)],
      { TMPDIR: '/proc/nowhere' },
    );
    expect([ran.code, reportOf(ran).verdict]).toEqual([0, 'pass']);
  });
});

it('tests without exec leave their reports in a directory of their user, to be merged', async () => {
  const reports = await newFolder();
  const [file = '', ...args] = script(`for (const path of ['/pets', '/pets?limit=500'])
    await withSandbox(server, (sandbox) => get(sandbox, path), { label: path });`);
  await run(file, args, { folder: reports, env: { SANDBOX_URL: `${server.url}/v1`, SANDBOX_REPORTS: reports } });
  const { code, stdout } = await runProgram(['report', '--merge', reports, '--json']);
  expect([code, JSON.parse(stdout).sandbox, JSON.parse(stdout).totals.violations]).toEqual([1, '2 reports', 1]);
});
