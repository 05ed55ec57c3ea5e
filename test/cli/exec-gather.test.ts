/** `exec` around tests with a sandbox each: the reports of these sandboxes and its own are one. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../examples/support.ts';
import { newFolder } from '../support/folder.ts';
import { CLI, runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const built = (name: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url)));

/** A run of tests: `server` is that of `exec`, `own` one in this process, and `get` sends a request to a sandbox. */
const script = (text: string): string[] => [
  process.execPath,
  '--input-type=module',
  '-e',
  `import { writeFileSync } from 'node:fs';
   import { expectContractPassed, openSandbox, withSandbox } from ${built('testing')};
   const { SANDBOX_URL: url, SANDBOX_KEY: key, SANDBOX_REPORTS: reports } = process.env;
   const server = { url };
   const own = async () => (await import(${built('index')})).startSandbox();
   const get = ({ url, key }, path, headers = {}) => fetch(url + path, { headers: { Authorization: 'Bearer ' + key, ...headers } });
   ${text}`,
];

/** The exit code, and the report that `exec` printed. */
async function exec(command: readonly string[], flags: readonly string[] = [], environment = {}) {
  const args = ['exec', '--url', server.url, '--json', ...flags, '--', ...command];
  const { code, stderr } = await runProgram(args, environment);
  return { code, report: JSON.parse(stderr) };
}

describe('exec, around tests with a sandbox each', () => {
  it.each<[string, string, number, object, string[]?]>([
    [
      'passes where all of them pass, and counts the requests of all',
      `await withSandbox(server, (sandbox) => get(sandbox, '/pets'), { label: 'one' });
       await withSandbox(server, (sandbox) => get(sandbox, '/pets/404', { 'Sandbox-Expect': 'invalid' }));
       await withSandbox(server, () => 0, { label: 'needs no request' });`,
      0,
      {
        verdict: 'pass',
        sandbox: '2 reports',
        account: { total: 2, validated: 1, expectedInvalid: 1 },
        coverage: { seen: 2 },
        merged: { reports: expect.arrayContaining([expect.objectContaining({ name: 'one', verdict: 'pass' })]) },
      },
    ],
    [
      'counts its own sandbox too, on which other tests may work, and once a sandbox that is ended twice',
      `await get({ url, key }, '/pets');
       const sandbox = await openSandbox(server);
       await get(sandbox, '/pets'); await sandbox.end(); await sandbox.end();`,
      0,
      { sandbox: '2 reports', account: { total: 2 } },
    ],
    [
      'is strict for all of them',
      `await withSandbox(server, (sandbox) => get(sandbox, '/pets/1'));`,
      1,
      { reasons: ['1 use of a deprecated operation'] },
      ['--strict'],
    ],
    [
      'takes the sandboxes of a server in the process of the tests, each with its requests without a key',
      `const inProcess = await own();
       for (const each of [server, inProcess])
         await withSandbox(each, async (sandbox) => { await get(sandbox, '/pets'); await fetch(sandbox.url + '/pets'); });
       await inProcess.close();`,
      1,
      { account: { total: 4 }, counts: { unmatched: 0, violation: 2 } },
    ],
    [
      'is incomplete where no test sent a request',
      'await withSandbox(server, () => 0);',
      1,
      { reasons: ['no request was seen'] },
    ],
    [
      'is incomplete where a report is damaged, or a sandbox ended before it',
      `await get({ url, key }, '/pets'); writeFileSync(reports + '/a.json', '{"verdict":');
       await withSandbox(server, (sandbox) => sandbox.client.request('DELETE /'));`,
      1,
      {
        reasons: [
          expect.stringMatching(/^a\.json .* not valid JSON/),
          expect.stringMatching(/^sbx_\w+\.json .* an error: /),
        ],
      },
    ],
  ])('%s', async (_, text, code, report, flags) => {
    expect(await exec(script(text), flags)).toMatchObject({ code, report });
    expect([...server.sandboxes.all()].length).toBe(0);
  });

  it('fails where one of them fails, and names it, whether or not the test looked', async () => {
    const kept = join(await newFolder(), 'artifacts');
    const text = `await withSandbox(server, (sandbox) => get(sandbox, '/pets'));
      await withSandbox(server, (sandbox) => get(sandbox, '/pets?limit=500'), { label: 'a bad one' });`;
    const report = { verdict: 'fail', counts: { violation: 1 } };
    expect(await exec(script(text), ['--artifacts', kept])).toMatchObject({ code: 1, report });
    const names = await readdir(kept);
    const file = names.find((name) => /^report-sbx_\w+\.txt$/.test(name)) ?? 'none';
    expect(await readFile(join(kept, file), 'utf8')).toContain('1 of 2 reports failed: a bad one\n');
    // The requests are in the recordings of the tests.
    expect(names).not.toContainEqual(expect.stringContaining('recording'));
  });

  it('may be within another one, and leaves nothing behind', async () => {
    const TMPDIR = join(await newFolder(), 'temporary');
    await mkdir(TMPDIR);
    const inner = [process.execPath, CLI, 'exec', '--start', '--', ...script(`await get({ url, key }, '/pets');`)];
    const twice = `const { spawnSync } = require('node:child_process');
      const [file, ...args] = ${JSON.stringify(inner)};
      for (const _ of [1, 2]) spawnSync(file, args);`;
    const report = { account: { total: 2 }, sandbox: '2 reports' };
    expect(await exec([process.execPath, '-e', twice], [], { TMPDIR })).toMatchObject({ code: 0, report });
    // Since Node 22, Node itself leaves compiled code there.
    expect((await readdir(TMPDIR)).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  });

  it.each(['/proc/nowhere', '/dev/null'])(
    'fails a test whose report would be left out: TMPDIR is %s',
    async (TMPDIR) => {
      const text = `await get({ url, key }, '/pets');
      await withSandbox(server, (sandbox) => get(sandbox, '/pets?limit=500')).catch(({ message }) => {
        console.log(message); process.exitCode = 3;
      });`;
      const args = ['exec', '--url', server.url, '--', ...script(text)];
      const { code, stdout } = await runProgram(args, { TMPDIR });
      expect({ code, stdout }).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('Set SANDBOX_REPORTS, or TMPDIR'),
      });
    },
  );
});

it('tests without exec leave their reports in a directory of their user, to be merged', async () => {
  const reports = await newFolder();
  const [file = '', ...args] = script(`for (const path of ['/pets', '/pets?limit=500'])
    await withSandbox(server, (sandbox) => get(sandbox, path), { label: path });`);
  await run(file, args, { folder: reports, env: { SANDBOX_URL: `${server.url}/v1`, SANDBOX_REPORTS: reports } });
  const { code, stdout } = await runProgram(['report', '--merge', reports, '--json']);
  expect([code, JSON.parse(stdout).sandbox, JSON.parse(stdout).counts.violation]).toEqual([1, '2 reports', 1]);
});
