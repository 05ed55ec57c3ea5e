/** The repository's own workflow: GitHub's parser takes it, it checks with .ci/run, and publishes only what is public. */
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Job, type Step } from './runner.ts';
import { newFolder } from './support.ts';
import { loadParser, type Parser } from './workflow-parser.ts';

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<'check' | 'release', { readonly if?: string; readonly steps: readonly Step[] }>>;
}

const text = await readFile('.github/workflows/ci.yml', 'utf8');
const { permissions, jobs } = parse(text) as Workflow;

let parser: Parser;
beforeAll(async () => {
  parser = await loadParser();
});

it('is a workflow that pins the actions of others', async () => {
  expect(await parser.workflow(text)).toEqual([]);
  expect((await parser.workflow(text.replace('needs: check', 'needs: chuck'))).join('\n')).toMatch(/chuck/);
  const uses = [...text.matchAll(/uses: (.+)/g)].map(([, name]) => name);
  expect(uses.length).toBeGreaterThan(3);
  for (const name of uses) expect(name).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  // Only the release may write.
  expect(permissions).toEqual({ contents: 'read' });
});

it('checks with .ci/run, and releases by tag with scripts that there are', async () => {
  expect(jobs.check.steps.at(-1)?.run).toBe('.ci/run');
  expect(jobs.release.if).toContain('refs/tags/v');
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const called = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  expect(called).toEqual(['release']);
  expect(scripts).toHaveProperty('release');
});

it.each([
  ['a private package is not published, and the log says so', true, /^::notice::.*not published\n$/],
  [
    'a public package is published with provenance',
    undefined,
    /^npm publish \.\/release\/package\.tgz --provenance\n$/,
  ],
])('%s', async (_, isPrivate, printed) => {
  const folder = await newFolder();

  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: isPrivate }));
  await writeFile(join(folder, 'npm'), '#!/bin/sh\necho npm "$@"\n', { mode: 0o755 });
  const step = jobs.release.steps.at(-1) as Step;
  const job = new Job(folder, { PATH: [folder, process.env['PATH']].join(delimiter) });
  const lines = `mkdir release; touch release/package.tgz\n${step.run}`;
  await job.steps([{ run: lines }]);
  expect(job.done[0]).toMatchObject({ code: 0, stdout: expect.stringMatching(printed), stderr: '' });
});
