/** The workflow for GitHub Actions: its shell lines do what they say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { Job, type Step } from './runner.ts';
import { writeProject } from './support.ts';

/** What expressions stand for, in the job that is run. */
const CONTEXT: Record<string, string> = { 'matrix.node': '24', 'strategy.job-index': '1', 'github.run_id': '17' };

const workflow = parse(await readFile('examples/github-actions.yml', 'utf8'));
const steps = (workflow.jobs.test.steps as readonly Step[]).map(({ run, ...step }) => ({
  ...step,
  ...(run !== undefined && { run: run.replace(/\$\{\{ (\S+) \}\}/g, (whole, name) => CONTEXT[name] ?? whole) }),
}));

describe('its lines', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });

  /** A job for one Node of the matrix. */
  async function runJob(request: { path: string; body?: unknown }) {
    const folder = await newFolder();
    await writeProject(folder, request);
    const job = new Job(folder, { SANDBOX_URL: `${server.url}/v1` });
    await job.steps(steps, { ...CONTEXT });
    const codes = Object.fromEntries(job.done.map(({ step, code }) => [step, code]));
    return { codes, log: job.log, folder, summary: await readFile(join(folder, 'summary.md'), 'utf8') };
  }

  it('take a key, test, report and pass', async () => {
    const { codes, log, folder, summary } = await runJob({ path: '/pets' });
    expect(codes).toEqual({ 'Take a key': 0, Test: 0, 'Fetch the contract report': 0, 'Keep to the contract': 0 });
    expect(log).toMatch(/^::add-mask::petsbx_\w+\n.*\nanswered 200\n/s);
    expect(log.match(/petsbx_/g)).toHaveLength(1);
    expect(summary).toMatch(/^## Contract: pass\n\n1 requests; 1 of \d+ documented responses seen\n- never seen: /);
    expect(JSON.parse(await readFile(join(folder, 'contract/report-1.json'), 'utf8')).label).toBe('17, Node 24');
    expect(JSON.parse(await readFile(join(folder, 'contract/report-1.sarif'), 'utf8')).version).toBe('2.1.0');
    expect(await readFile(join(folder, 'contract/report-1.junit'), 'utf8')).toContain('<testsuites');
    expect(await readFile(join(folder, 'contract/report-1.html'), 'utf8')).toMatch(/<!doctype html>/i);
  });

  it('break the build where the client breaks the description, though its tests pass', async () => {
    const { codes, folder, summary } = await runJob({ path: '/pets', body: { name: 'Rex' } });
    expect(codes).toMatchObject({ Test: 0, 'Keep to the contract': 1, 'Save the recording of a failed job': 0 });
    const { exchanges } = partsOf(await readFile(join(folder, 'recording-1.jsonl'), 'utf8'));
    expect(exchanges).toMatchObject([{ status: 400, request: { body: '{"name":"Rex"}' } }]);
    expect(summary).toContain('## Contract: fail\n- `1 violation of the specification`');
  });
});
