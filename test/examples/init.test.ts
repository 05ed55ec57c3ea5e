/** `petstore-sandbox init`: what it writes works in each runner as it is. */
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { junit, PYTEST, run } from './support.ts';

const init = (folder: string, ...flags: string[]) => run(process.execPath, [CLI, 'init', ...flags], { folder });

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
}

const withPackage = (name: string) => ({ 'package.json': JSON.stringify({ devDependencies: { [name]: '*' } }) });

/** Projects, and the first test that each gets. */
const PROJECTS = {
  vitest: { files: withPackage('vitest'), test: 'test/petstore.test.ts' },
  jest: { files: withPackage('jest'), test: 'test/petstore.test.js' },
  playwright: { files: withPackage('@playwright/test'), test: 'tests/petstore.spec.ts' },
  'node:test': { files: withPackage('undici'), test: 'test/petstore.test.mjs' },
  pytest: { files: { 'pyproject.toml': '' }, test: 'tests/test_petstore.py' },
  Go: { files: { 'go.mod': 'module example.org/pets\n\ngo 1.19\n' }, test: 'petstore/petstore_test.go' },
  Maven: { files: { 'pom.xml': '<project/>' }, test: 'src/test/java/PetstoreTest.java' },
  Gradle: { files: { 'build.gradle.kts': '' }, test: 'src/test/java/PetstoreTest.java' },
};

describe('init', () => {
  it.for(Object.entries(PROJECTS))('writes a job, a first test and an environment file for %s', async ([, project]) => {
    const folder = await newFolder(project.files);
    const { code, stdout, stderr } = await init(folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const job = '.github/workflows/petstore-sandbox.yml';
    expect((await filesIn(folder)).sort()).toEqual(
      [...Object.keys(project.files), '.env.sandbox', job, project.test].sort(),
    );
    for (const file of ['.env.sandbox', job, project.test]) expect(stdout).toContain(`wrote ${file}`);
    // The next step is what the job runs.
    const next = /npx petstore-sandbox (exec --start) -- (.+)/.exec(stdout) ?? [];
    const { steps } = parse(await readFile(join(folder, job), 'utf8')).jobs.contract;
    const lines = steps.map((step: { run?: string }) => step.run);
    expect(lines).toContain(`npx petstore-sandbox ${next[1]} --artifacts sandbox-artifacts -- ${next[2]}`);
  });

  it('never writes over a file, and says which it kept', async () => {
    const folder = await newFolder({ ...withPackage('vitest'), '.env.sandbox': 'MINE=1\n' });
    const first = await init(folder);
    expect(first.stdout).toContain('kept  .env.sandbox');
    const before = await Promise.all((await filesIn(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    const second = await init(folder);
    expect(second).toMatchObject({ code: 0, stdout: expect.not.stringContaining('wrote') });
    const after = await Promise.all((await filesIn(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    expect(after).toEqual(before);
    expect(before).toContain('MINE=1\n');
  });

  it("writes GitLab's job beside a .gitlab-ci.yml of the project, and says how to include it", async () => {
    const folder = await newFolder({ '.gitlab-ci.yml': 'stages: [test]\n', 'go.mod': 'module m\n' });
    const { stdout } = await init(folder);
    expect(stdout).toContain('include: .gitlab/petstore-sandbox.yml');
    expect(parse(await readFile(join(folder, '.gitlab/petstore-sandbox.yml'), 'utf8')).contract.script).toContain(
      'npx petstore-sandbox exec --start --artifacts sandbox-artifacts -- go test ./...',
    );
    const fresh = await newFolder({});
    expect((await init(fresh, '--ci', 'gitlab', '--runner', 'none')).stdout).toContain('wrote .gitlab-ci.yml');
  });

  it('writes no test where it finds no runner, and names the flag', async () => {
    const folder = await newFolder({});
    const { code, stdout } = await init(folder, '--ci', 'none');
    expect(code).toBe(0);
    expect(stdout).toContain('--runner vitest');
    expect(await filesIn(folder)).toEqual(['.env.sandbox']);
  });

  it.runIf(process.platform === 'linux')('ends where no directory can be created', async () => {
    const stderr = expect.stringMatching(/^petstore-sandbox: \.github\/\S+ cannot be written: [^\n]+\n$/);
    expect(await init('/proc')).toMatchObject({ code: 2, stderr });
  });

  it('names a file that it cannot read or write', async () => {
    const damaged = await newFolder({ 'package.json': '{' });
    expect(await init(damaged)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('package.json cannot be read'),
    });
    const blocked = await newFolder({ ...withPackage('jest'), test: 'a file' });
    expect(await init(blocked)).toMatchObject({ code: 2, stderr: expect.stringContaining('test/petstore.test.js') });
  });
});

it('the page on CI shows the jobs as they are written', async () => {
  const page = await readFile('docs/start/ci.md', 'utf8');
  for (const name of ['github.yml', 'gitlab.yml'])
    expect(page).toContain(`\`\`\`yaml\n${await readFile(join('examples/start', name), 'utf8')}\`\`\``);
});

/** How each runner runs the first test here. */
const RUNS = {
  vitest: [process.execPath, resolve('node_modules/vitest/vitest.mjs'), 'run'],
  'node:test': [process.execPath, '--test'],
  pytest: PYTEST,
  Go: ['go', 'test', './...'],
  Maven: junit('PetstoreTest', 'src/test/java'),
} as const satisfies Partial<Record<keyof typeof PROJECTS, readonly string[]>>;

it.for(Object.entries(RUNS))(
  'the first test of %s passes in a sandbox, and its contract check, too',
  { timeout: limit(120_000) },
  async ([name, command]) => {
    const server = await startTestServer();
    const folder = await newFolder(PROJECTS[name as keyof typeof RUNS].files);
    await init(folder);
    if (name === 'vitest') await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const args = [CLI, 'exec', '--url', server.url, '--', ...command];
    const { code, stdout, stderr } = await run(process.execPath, args, { folder });
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('contract check passed'),
    });
  },
);
