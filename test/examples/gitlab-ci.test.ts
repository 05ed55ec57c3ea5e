/** The jobs for GitLab CI: their shell lines do what they say. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Ran, runLines, writeProject } from './support.ts';

const { 'petstore-client': job } = parse(await readFile('examples/gitlab-ci.yml', 'utf8'));

describe('its lines', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });

  /** One job of the matrix: all its lines in one shell, as GitLab's runner has it. */
  async function runJob(request: { path: string; body?: unknown }): Promise<Ran & { readonly folder: string }> {
    const folder = await newFolder();
    await writeProject(folder, request);
    const env = { SANDBOX_URL: `${server.url}/v1`, NODE: '24', CI_PIPELINE_ID: '17', CI_NODE_INDEX: '2' };
    return { folder, ...(await runLines([...job.before_script, ...job.script].join('\n'), { folder, env })) };
  }

  it('take a key, test, report and pass', async () => {
    const { code, stdout, folder } = await runJob({ path: '/pets' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('answered 200') });
    expect(await readFile(join(folder, 'contract/report-2.xml'), 'utf8')).toContain('<testsuites');
    expect(JSON.parse(await readFile(join(folder, 'contract/report-2.json'), 'utf8')).label).toBe('17, Node 24');
    expect(await readdir(join(folder, 'contract'))).not.toContain('recording-2.jsonl');
  });

  it('break the build where the client breaks the description, though its tests pass', async () => {
    const { code, stdout, folder } = await runJob({ path: '/pets', body: { name: 'Rex' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('answered 400') });
    expect(JSON.parse(await readFile(join(folder, 'contract/report-2.json'), 'utf8')).verdict).toBe('fail');
    const { exchanges } = partsOf(await readFile(join(folder, 'contract/recording-2.jsonl'), 'utf8'));
    expect(exchanges).toMatchObject([{ status: 400, request: { body: '{"name":"Rex"}' } }]);
  });

  it('break the build where the tests fail, and report all the same', async () => {
    const { code, folder } = await runJob({ path: '/../nowhere' });
    expect(code).toBe(1);
    expect(await readFile(join(folder, 'contract/report-2.json'), 'utf8')).toContain('"verdict"');
    expect(await readFile(join(folder, 'contract/recording-2.jsonl'), 'utf8')).toContain('"recording":1');
  });
});
