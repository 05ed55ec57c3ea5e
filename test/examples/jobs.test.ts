/** The jobs that are copied: each passes a good client, breaks the build for a bad one, and leaves what shows why. */
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { Job, type Step } from './runner.ts';
import { writeProject } from './support.ts';

/** What expressions stand for, in the job that is run. */
const CONTEXT: Record<string, string> = { 'matrix.node': '24', 'strategy.job-index': '1', 'github.run_id': '17' };
const filledIn = (lines: string) => lines.replace(/\$\{\{ (\S+) \}\}/g, (whole, name) => CONTEXT[name] ?? whole);
/** The variables of GitLab's job; all its lines run in one shell. */
const GITLAB = { NODE: '24', CI_PIPELINE_ID: '17', CI_NODE_INDEX: '1' };

const read = async (file: string) => parse(await readFile(file, 'utf8'));
const github = (await read('examples/github-actions.yml')).jobs.test;
const gitlab = (await read('examples/gitlab-ci.yml'))['petstore-client'];
const start = { github: await read('examples/start/github.yml'), gitlab: await read('examples/start/gitlab.yml') };
const { steps } = start.github.jobs.contract;

interface Copied {
  readonly steps: readonly Step[];
  /** Where its report and its recording are, and what else is true of them. */
  readonly report: RegExp;
  readonly recording: RegExp;
  readonly label?: string;
}

const JOBS: Readonly<Record<string, Copied>> = {
  'examples/github-actions.yml': {
    steps: (github.steps as Step[]).map((step) => ({ ...step, ...(step.run && { run: filledIn(step.run) }) })),
    ...{ report: /^contract\/report-1\.json$/, recording: /^recording-1\.jsonl$/, label: '17, Node 24' },
  },
  'examples/gitlab-ci.yml': {
    steps: [{ run: [...gitlab.before_script, ...gitlab.script].join('\n') }],
    ...{ report: /^contract\/report-1\.json$/, recording: /^contract\/recording-1\.jsonl$/, label: '17, Node 24' },
  },
  // Its line starts a server of its own, and the program is installed before.
  'examples/start/github.yml': {
    steps: [{ run: steps.flatMap(({ run }: Step) => run ?? []).at(-1) }],
    ...{ report: /\/report-sbx_\w+\.json$/, recording: /\/recording-sbx_\w+\.jsonl$/ },
  },
};

const server = await startTestServer();

/** Runs a job for a client that sends one request. */
async function runJob({ steps, report, recording }: Copied, request: { path: string; body?: unknown }) {
  const folder = await newFolder();
  await writeProject(folder, request);
  const bin = join(folder, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  await symlink(resolve('dist/cli.cjs'), join(bin, 'petstore-sandbox'));
  const job = new Job(folder, { ...GITLAB, SANDBOX_URL: `${server.url}/v1` });
  const failed = await job.steps(steps, { ...CONTEXT });
  const files = (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('node_modules'));
  const textOf = async (name: RegExp) => {
    const file = files.find((each) => name.test(each));
    return file && readFile(join(folder, file), 'utf8');
  };
  return { failed, job, folder, report: await textOf(report), recording: await textOf(recording) };
}

describe.each(Object.entries(JOBS))('the job of %s', (_, copied) => {
  it('passes, and leaves the report and no recording', { timeout: limit(60_000) }, async () => {
    const { failed, job, report = '{}', recording } = await runJob(copied, { path: '/pets' });
    expect({ failed, log: job.log }).toEqual({ failed: false, log: expect.stringContaining('answered 200') });
    // What exec keeps, it keeps where something failed.
    if (copied.label) expect(JSON.parse(report)).toMatchObject({ verdict: 'pass', label: copied.label });
    if (copied.label) expect(recording).toBe(undefined);
  });

  it.each([
    ['the client breaks the description, though its tests pass', { path: '/pets', body: { name: 'Rex' } }, 400],
    ['its tests fail', { path: '/pets/404' }, 404],
  ])(
    'breaks the build where %s, and leaves report and recording',
    { timeout: limit(60_000) },
    async (_, request, status) => {
      const { failed, job, report = '{}', recording = '' } = await runJob(copied, request);
      expect({ failed, log: job.log }).toEqual({ failed: true, log: expect.stringContaining(`answered ${status}`) });
      expect(JSON.parse(report)).toMatchObject({ verdict: status === 400 ? 'fail' : expect.any(String) });
      expect(partsOf(recording).exchanges).toMatchObject([{ status, target: `/v1${request.path}` }]);
    },
  );
});

it("GitHub's job masks the key, and says in the summary what was found", async () => {
  const { job, folder } = await runJob(JOBS['examples/github-actions.yml'] as Copied, { path: '/pets' });
  expect(job.log).toMatch(/^::add-mask::petsbx_\w+\n.*\nanswered 200\n/s);
  expect(job.log.match(/petsbx_/g)).toHaveLength(1);
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toMatch(
    /^## Contract: pass\n\n1 requests; 1 of \d+ documented responses seen\n- never seen: /,
  );
});

it('the first jobs of docs/start/ci.md run the same lines, and upload what a failed one keeps', () => {
  expect(start.gitlab.contract.script).toEqual(steps.flatMap(({ run }: Step) => run ?? []));
  const upload = steps.at(-1);
  const { path } = upload.with;
  expect([upload.if, start.gitlab.contract.artifacts]).toEqual([
    'failure()',
    { when: 'on_failure', paths: [path], reports: { junit: `${path}/*.xml` } },
  ]);
  expect(steps.flatMap(({ run }: Step) => run ?? []).at(-1)).toContain(` --artifacts ${path} `);
});
