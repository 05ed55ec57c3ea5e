/** The workflow for GitHub Actions: its shell lines do what they say. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Ran, runLines, writeProject } from './support.ts';

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
}
interface Workflow {
  readonly jobs: {
    readonly test: {
      readonly services: { readonly sandbox: { readonly env: Record<string, string> } };
      readonly env: { readonly SANDBOX_URL: string };
      readonly steps: readonly Step[];
    };
  };
}

/** What expressions in its lines stand for, in the job that is run. */
const CONTEXT: Record<string, string> = { 'matrix.node': '24', 'github.run_id': '17' };

const text = await readFile('examples/github-actions.yml', 'utf8');
const { test: job } = (parse(text) as Workflow).jobs;

describe('its lines', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });

  /** A job for one Node of the matrix: its steps in order, each in a shell of its own, as the runner has it. */
  async function runJob(request: { path: string; body?: unknown }) {
    const folder = await newFolder();
    await writeProject(folder, request);
    const [kept, summary] = [join(folder, 'env'), join(folder, 'summary.md')];
    await writeFile(kept, '');
    const ran: Record<string, Ran> = {};
    for (const { name = '', if: condition = '', run } of job.steps) {
      if (run === undefined) continue;
      const hasFailed = Object.values(ran).some(({ code }) => code !== 0);
      if (condition.includes('failure()') && !hasFailed) continue;
      const lines = run.replace(/\$\{\{ (\S+) \}\}/g, (whole, name: string) => CONTEXT[name] ?? whole);
      expect(lines).not.toContain('${{');
      const before = (await readFile(kept, 'utf8')).split('\n').filter(Boolean);
      const env = {
        SANDBOX_URL: `${server.url}/v1`,
        GITHUB_ENV: kept,
        GITHUB_STEP_SUMMARY: summary,
        ...Object.fromEntries(before.map((line) => line.split(/=(.*)/).slice(0, 2))),
      };
      ran[name] = await runLines(lines, { folder, env });
    }
    return { ran, folder, summary: await readFile(summary, 'utf8') };
  }
  const codesOf = (ran: Record<string, Ran>) =>
    Object.fromEntries(Object.entries(ran).map(([name, { code }]) => [name, code]));

  it('take a key, test, report and pass', async () => {
    const { ran, folder, summary } = await runJob({ path: '/pets' });
    expect(codesOf(ran)).toEqual({
      'Take a key': 0,
      Test: 0,
      'Fetch the contract report': 0,
      'Keep to the contract': 0,
    });
    expect(ran['Test']?.stdout).toContain('answered 200');
    expect(ran['Take a key']?.stdout).toMatch(/^::add-mask::petsbx_\w+\n$/);
    expect(summary).toMatch(/^## Contract: pass\n\n1 requests; 1 of \d+ documented responses seen\n- never seen: /);
    expect(JSON.parse(await readFile(join(folder, 'contract/report.json'), 'utf8')).label).toBe('17, Node 24');
    expect(JSON.parse(await readFile(join(folder, 'contract/report.sarif'), 'utf8')).version).toBe('2.1.0');
    expect(await readFile(join(folder, 'contract/report.junit'), 'utf8')).toContain('<testsuites');
    expect(await readFile(join(folder, 'contract/report.html'), 'utf8')).toMatch(/<!doctype html>/i);
  });

  it('break the build where the client breaks the description, though its tests pass', async () => {
    const { ran, folder, summary } = await runJob({ path: '/pets', body: { name: 'Rex' } });
    expect(codesOf(ran)).toEqual({
      'Take a key': 0,
      Test: 0,
      'Fetch the contract report': 0,
      'Keep to the contract': 1,
      'Save the recording of a failed job': 0,
    });
    const { exchanges } = partsOf(await readFile(join(folder, 'recording.jsonl'), 'utf8'));
    expect(exchanges).toMatchObject([{ status: 400, request: { body: '{"name":"Rex"}' } }]);
    expect(summary).toContain('## Contract: fail\n- `1 violation of the specification`');
  });
});
