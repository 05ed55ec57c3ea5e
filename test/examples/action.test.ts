/** The action at the top, and that of the report: their steps do what docs/guides/ci.md says. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/ports.ts';
import { Job, type Step } from './runner.ts';
import { writeProject } from './support.ts';

const ACTIONS = ['action.yml', '.github/actions/report/action.yml'];
const page = await readFile('docs/guides/ci.md', 'utf8');
const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];

it.each(ACTIONS)('%s is a composite action with documented inputs, and pins the actions of others', async (file) => {
  const text = await readFile(file, 'utf8');
  const { name, inputs, runs } = parse(text) as {
    name: string;
    inputs: Record<string, { description?: string }>;
    runs: { using: string; steps: readonly { uses?: string; run?: string; shell?: string }[] };
  };
  expect([name, runs.using]).toEqual([expect.any(String), 'composite']);
  for (const { description } of Object.values(inputs)) expect(description).toMatch(/\.$/);
  // GitHub rejects a line of a composite action that names no shell.
  for (const { uses, run, shell } of runs.steps)
    expect([typeof (uses ?? run), shell]).toEqual(['string', uses ? undefined : 'bash']);
  for (const [, uses] of text.matchAll(/uses: (\S+)/g)) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
});

/** A job in a folder that goes with the test. */
async function newJob(variables: Record<string, string> = {}): Promise<{ job: Job; folder: string }> {
  const folder = await newFolder();
  return { folder, job: new Job(folder, variables) };
}

/** The server goes with the test, as it goes with a job. */
async function endWithTest(log: string): Promise<void> {
  const pid = Number(await readFile(join(dirname(log), 'server.pid'), 'utf8'));
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
}

/** The job of the example, with a client that sends one request. */
async function runExample(
  request: { path: string; body?: unknown },
  inputs: Record<string, string> = {},
  { variables = {}, before = [] }: { variables?: Record<string, string>; before?: readonly Step[] } = {},
) {
  const { job, folder } = await newJob(variables);
  await writeProject(folder, request);
  const known: Record<string, string> = {};
  const { steps } = (parse(example) as { jobs: { test: { steps: readonly Step[] } } }).jobs.test;
  const given = steps.flatMap((step) =>
    step.uses?.includes('actions/report@') ? [...before, { ...step, with: inputs }] : [step],
  );
  const failed = await job.steps(given, known);
  await endWithTest(known['steps.sandbox.outputs.log'] ?? '');
  return { job, folder, failed, known };
}

describe('the example of docs/guides/ci.md', () => {
  it('starts a sandbox, tests, and hands over the report', async () => {
    const { job, folder, failed, known } = await runExample({ path: '/pets' });
    expect({ failed, log: job.log }).toEqual({ failed: false, log: expect.stringContaining('answered 200') });
    const upload = job.used.find(({ uses }) => uses.startsWith('actions/upload-artifact@'));
    expect(upload?.with).toEqual({ name: 'petstore-contract-test-0', path: 'petstore-contract' });
    const report = join(folder, 'petstore-contract/petstore-contract-test-0');
    expect(JSON.parse(await readFile(`${report}.json`, 'utf8'))).toMatchObject({
      verdict: 'pass',
      counts: { exchanges: 1 },
    });
    expect(await readFile(`${report}.xml`, 'utf8')).toContain('<testsuites');
    for (const form of ['txt', 'html']) expect(await readFile(`${report}.${form}`, 'utf8')).toMatch(/./);
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toMatch(/^## ✅ contract check passed/);

    const { key = '', 'admin-token': token = '', 'admin-url': server } = outputsOf(known);
    expect(job.log.match(/^::add-mask::.*$/gm)).toEqual([`::add-mask::${token}`, `::add-mask::${key}`]);
    expect(job.log.replaceAll(/^::add-mask::.*$/gm, '')).not.toMatch(new RegExp(`${key}|${token}`));
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${server}/_sandbox/sandboxes`, { headers })).status).toBe(200);
    const log = await readFile(outputsOf(known)['log'] ?? '', 'utf8');
    expect(log).toContain('"listening"');
    expect(log).not.toMatch(new RegExp(`${key}|${token}`));
  });

  it('fails where a request stops working by a date that the report is given, and says which', async () => {
    const { job, folder, failed } = await runExample({ path: '/pets/1' }, { at: '2030-12-04' });
    expect({ failed, log: job.log }).toMatchObject({ failed: false });
    const later = await job.action('.github/actions/report', { at: '2030-12-05' });
    expect({ failed: later.failed, last: job.last }).toEqual({ failed: true, last: ['Check the verdict', 1] });
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toMatch(
      /^## ✅ contract check passed[\s\S]*\n## ❌ preview failed\n[\s\S]*\n### Requests that stop working\n/,
    );
  });

  it('counts the reports that tests left in SANDBOX_REPORTS, and fails for one of them', async () => {
    const reports = await newFolder();
    const run = `key=$(petstore-sandbox keys create --quiet)
      curl -s -o /dev/null -H "Authorization: Bearer $key" "$SANDBOX_URL/pets?limit=500"
      curl -s -o "$SANDBOX_REPORTS/one.json" -H "Authorization: Bearer $key" "\${SANDBOX_URL%/v1}/_sandbox/report"`;
    const { job, folder, failed } = await runExample(
      { path: '/pets' },
      {},
      { variables: { SANDBOX_REPORTS: reports }, before: [{ name: 'A test with a sandbox of its own', run }] },
    );
    expect({ failed, last: job.last }).toEqual({ failed: true, last: ['Check the verdict', 1] });
    const report = join(folder, 'petstore-contract/petstore-contract-test-0');
    expect(JSON.parse(await readFile(`${report}.json`, 'utf8'))).toMatchObject({
      account: { total: 2 },
      counts: { violation: 1 },
    });
    for (const form of ['txt', 'html', 'md'])
      expect(await readFile(`${report}.${form}`, 'utf8')).toContain('limit=500');
  });
});

const outputsOf = (known: Record<string, string>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(known).map(([name, value]) => [name.replace('steps.sandbox.outputs.', ''), value]));

describe('its inputs', () => {
  it('choose the data, the port and any flag', async () => {
    const { job } = await newJob();
    const port = String(await freePort());
    const flags = '--max-pets 5\n--key-issuing admin';
    const { outputs, failed } = await job.action('.', { fixture: 'empty', port, flags });
    expect({ failed, log: job.log }).toMatchObject({ failed: false });
    await endWithTest(outputs['log'] ?? '');
    expect(outputs['url']).toBe(`http://127.0.0.1:${port}/v1`);
    const headers = { Authorization: `Bearer ${outputs['key']}` };
    expect(await (await fetch(`${outputs['url']}/pets`, { headers })).json()).toEqual([]);
    expect((await fetch(`${outputs['admin-url']}/_sandbox/keys`, { method: 'POST' })).status).toBe(403);
  });
});

describe('a fault', () => {
  const error = (text: RegExp) => new RegExp(`^::error title=Petstore sandbox::.*${text.source}`, 'm');

  it.each([
    ['a package that is not there', { package: './nowhere.tgz' }, 'Get the program', /cannot install .*nowhere\.tgz/],
    ['a fixture that is not there', { fixture: 'no-such' }, 'Start, and wait until it is ready', /stopped.*no-such/],
    ['a start without time', { timeout: '0' }, 'Start, and wait until it is ready', /not ready within 0 seconds/],
  ])('%s is named, and ends the job', async (_, inputs, step, message) => {
    const { job } = await newJob();
    const { failed } = await job.action('.', inputs);
    expect({ failed, last: job.last }).toEqual({ failed: true, last: [step, expect.any(Number)] });
    expect(job.log).toMatch(error(message));
  });

  it('a report without a sandbox is named', async () => {
    const { job } = await newJob();
    await job.action('.github/actions/report');
    expect({ last: job.last, log: job.log }).toEqual({
      last: ['Write the report', 1],
      log: expect.stringMatching(error(/there is no sandbox/)),
    });
  });

  it('a Node that is too old is named', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'old'));
    // Says of its version what any Node before 20.19 does.
    await writeFile(join(folder, 'old/node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const job = new Job(folder, { PATH: [join(folder, 'old'), process.env['PATH']].join(delimiter) });
    expect(await job.action('.')).toMatchObject({ failed: true });
    expect(job.log).toMatch(error(/Node 20\.19 or later/));
  });
});
