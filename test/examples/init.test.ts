/** `petstore-sandbox init`: what it writes works in each runner as it is. */
import { chmod, cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/core/shipped.ts';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { texts } from '../support/texts.ts';
import { junit, PYTEST, run, runLines } from './support.ts';

const init = (folder: string, ...flags: string[]) => run(process.execPath, [CLI, 'init', ...flags], { folder });

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
}

/** A package.json with these scripts. */
const manifest = (scripts: Record<string, string>, packageManager?: string) => ({
  'package.json': JSON.stringify({ scripts, packageManager }),
});

const GITHUB_JOB = '.github/workflows/petstore-sandbox.yml';
/** How a project without Node gets the program. */
const GLOBAL = `npm install --global ./tools/petstore-sandbox-${version}.tgz`;

const withPackage = (name: string) => ({ 'package.json': JSON.stringify({ devDependencies: { [name]: '*' } }) });

/** Projects, and the first test that each gets. */
const PROJECTS = {
  vitest: { files: withPackage('vitest'), test: 'test/petstore.test.ts' },
  jest: { files: withPackage('jest'), test: 'test/petstore.test.js' },
  playwright: { files: withPackage('@playwright/test'), test: 'tests/petstore.spec.ts' },
  'node:test': { files: withPackage('undici'), test: 'test/petstore.test.mjs' },
  pytest: { files: { 'pyproject.toml': '' }, test: 'tests/test_petstore.py' },
  Go: { files: { 'go.mod': 'module example.org/pets\n\ngo 1.19\n' }, test: 'petstore/petstore_test.go' },
  Maven: { files: { 'pom.xml': '<artifactId>junit-jupiter</artifactId>' }, test: 'src/test/java/PetstoreTest.java' },
  Gradle: { files: { 'build.gradle.kts': 'useJUnitPlatform()' }, test: 'src/test/java/PetstoreTest.java' },
  RSpec: { files: { Gemfile: "gem 'rspec'" }, test: 'spec/petstore_spec.rb' },
};

describe('init', () => {
  it.for(Object.entries(PROJECTS))('writes a job, a first test and an environment file for %s', async ([, project]) => {
    const folder = await newFolder(project.files);
    const { code, stdout, stderr } = await init(folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const job = GITHUB_JOB;
    expect((await filesIn(folder)).sort()).toEqual(
      [...Object.keys(project.files), '.env.sandbox', job, project.test].sort(),
    );
    for (const file of ['.env.sandbox', job, project.test]) expect(stdout).toContain(`wrote ${file}`);
    // The next step is what the job runs.
    const [, program, test] = /^ {2}(.*petstore-sandbox) exec --start -- (.+)/m.exec(stdout) ?? [];
    const { steps } = parse(await readFile(join(folder, job), 'utf8')).jobs.contract;
    const lines = steps.map((step: { run?: string }) => step.run);
    expect(lines).toContain(`${program} exec --start --artifacts sandbox-artifacts -- ${test}`);
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
      'petstore-sandbox exec --start --artifacts sandbox-artifacts -- go test ./...',
    );
    const fresh = await newFolder(withPackage('vitest'));
    expect((await init(fresh, '--ci', 'gitlab', '--runner', 'none')).stdout).toContain('wrote .gitlab-ci.yml');
  });

  it('writes no job and no test where it knows no runner, and names the flag', async () => {
    const folder = await newFolder({});
    const { code, stdout } = await init(folder);
    expect(code).toBe(0);
    expect(stdout).toContain('--runner vitest');
    expect(await filesIn(folder)).toEqual(['.env.sandbox']);
  });

  it.runIf(process.platform === 'linux')('ends where no directory can be created', async () => {
    const stderr = expect.stringMatching(/^petstore-sandbox: \.github\/\S+ cannot be written: [^\n]+\n$/);
    expect(await init('/proc', '--runner', 'node')).toMatchObject({ code: 2, stderr });
  });

  it('says where jobs are read if that is another folder', async () => {
    const project = { 'client/package.json': '{"devDependencies":{"jest":"*"}}' };
    const [root, outside] = [await newFolder({ '.git/HEAD': '', ...project }), await newFolder(project)];
    expect((await init(join(root, 'client'))).stdout).toContain(`GitHub reads jobs in ${root} only`);
    expect((await init(join(outside, 'client'))).stdout).not.toContain('reads jobs in');
  });

  it('names a file that it cannot read', async () => {
    const stderr = expect.stringContaining('package.json cannot be read');
    expect(await init(await newFolder({ 'package.json': '{' }))).toMatchObject({ code: 2, stderr });
  });

  it('writes no test that would not compile', async () => {
    const folder = await newFolder({ 'pom.xml': '<artifactId>junit</artifactId>' });
    expect((await init(folder)).stdout).toContain('No first test was written: it needs JUnit 5');
    expect(await filesIn(folder)).not.toContain('src/test/java/PetstoreTest.java');
  });
});

/** A project's files, and what its job calls: what comes before the tests, how it calls the program, and the tests. */
const JOBS: Readonly<Record<string, readonly [files: Record<string, string>, calls: string]>> = {
  npm: [{ ...manifest({ test: 'mocha' }), 'package-lock.json': '{}' }, 'npm ci | npx petstore-sandbox | npm test'],
  'npm without a lock file': [withPackage('vitest'), 'npm install | npx petstore-sandbox | npx vitest run'],
  'npm with what npm init writes': [
    { ...manifest({ test: 'echo "Error: no test specified" && exit 1' }), 'package-lock.json': '{}' },
    'npm ci | npx petstore-sandbox | node --test',
  ],
  Playwright: [
    { ...withPackage('@playwright/test'), 'package-lock.json': '{}' },
    'npm ci | npx playwright install --with-deps | npx petstore-sandbox | npx playwright test',
  ],
  'pnpm, by its lock file': [
    { ...manifest({ test: 'vitest' }), 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
    'npm install --global pnpm@10 | pnpm install --frozen-lockfile | npx petstore-sandbox | pnpm test',
  ],
  'pnpm, by its older lock file': [
    { ...withPackage('jest'), 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" },
    'npm install --global pnpm@8 | pnpm install --frozen-lockfile | npx petstore-sandbox | npx jest',
  ],
  'pnpm, by packageManager': [
    { ...manifest({ test: 'jest' }, 'pnpm@9.15.0+sha512.abc'), 'pnpm-lock.yaml': '', 'package-lock.json': '{}' },
    'npm install --global pnpm@9.15.0 | pnpm install --frozen-lockfile | npx petstore-sandbox | pnpm test',
  ],
  'Yarn 1': [
    { ...manifest({ test: 'jest' }), 'yarn.lock': '# yarn lockfile v1\n' },
    'yarn install --frozen-lockfile | npx petstore-sandbox | yarn test',
  ],
  'Yarn 4, by packageManager': [
    { ...manifest({ test: 'jest' }, 'yarn@4.9.1'), 'yarn.lock': '__metadata:\n  version: 8\n' },
    'corepack enable | yarn install --immutable | yarn petstore-sandbox | yarn test',
  ],
  'Yarn 4, by its lock file': [
    { ...withPackage('vitest'), 'yarn.lock': '__metadata:\n  version: 8\n' },
    'corepack enable | corepack install --global yarn@4 | yarn install --immutable | yarn petstore-sandbox | yarn vitest run',
  ],
  Bun: [
    { ...manifest({ test: 'bun test' }), 'bun.lock': '{}' },
    'npm install --global bun@1 | bun install --frozen-lockfile | npx petstore-sandbox | bun run test',
  ],
  'uv with pytest': [
    { 'pyproject.toml': '[project]\nname = "p"\n', 'uv.lock': 'name = "pytest"' },
    'pip install uv | uv sync --locked --all-extras --all-groups | petstore-sandbox | uv run --no-sync pytest',
  ],
  'uv without pytest': [
    { 'pyproject.toml': '[project]\nname = "p"\n', 'uv.lock': '' },
    'pip install uv | uv sync --locked | petstore-sandbox | uv run --with pytest pytest',
  ],
  Poetry: [
    { 'pyproject.toml': '[tool.poetry]\nname = "p"\n', 'poetry.lock': 'name = "pytest"' },
    'pip install poetry | poetry install --all-extras | petstore-sandbox | poetry run pytest',
  ],
  Pipenv: [
    { Pipfile: 'requests = "*"', 'Pipfile.lock': '{}' },
    'pip install pipenv | pipenv sync --dev | pipenv run pip install pytest | petstore-sandbox | pipenv run python -m pytest',
  ],
  'requirements of Python': [
    { 'requirements.txt': 'requests', 'requirements-dev.txt': 'pytest', 'notes.txt': '' },
    'pip install -r requirements-dev.txt | pip install -r requirements.txt | pip install pytest | petstore-sandbox | python -m pytest',
  ],
  'a package of Python': [
    { 'pyproject.toml': '[project]\nname = "p"\n[project.optional-dependencies]\ntest = ["pytest"]\n' },
    'pip install -e .[test] | pip install pytest | petstore-sandbox | python -m pytest',
  ],
  'only tools of Python': [
    { 'pyproject.toml': '[tool.ruff]\n', 'setup.cfg': '[flake8]\n' },
    'pip install pytest | petstore-sandbox | python -m pytest',
  ],
  'Python that has the program in its package.json': [
    { ...withPackage('petstore-sandbox'), 'package-lock.json': '{}', 'conftest.py': '' },
    'npm ci | pip install pytest | npx petstore-sandbox | python -m pytest',
  ],
  Go: [{ 'go.mod': 'module m\n' }, 'petstore-sandbox | go test ./...'],
  Maven: [{ 'pom.xml': '' }, 'petstore-sandbox | mvn -B test'],
  'Maven with its wrapper': [{ 'pom.xml': '', mvnw: '' }, 'petstore-sandbox | ./mvnw -B test'],
  'Gradle with its wrapper': [
    { 'build.gradle': '', gradlew: '' },
    'petstore-sandbox | ./gradlew cleanTest test --no-build-cache',
  ],
  Gradle: [{ 'build.gradle': '' }, 'petstore-sandbox | gradle cleanTest test --no-build-cache'],
  RSpec: [{ Gemfile: "gem 'rspec'" }, 'bundle install | petstore-sandbox | bundle exec rspec'],
  Minitest: [{ Gemfile: "gem 'minitest'", Rakefile: '' }, 'bundle install | petstore-sandbox | bundle exec rake test'],
};

const TOOLS = texts(
  'npm | pnpm | yarn | bun | corepack | pip | uv | poetry | pipenv | python | go | mvn | gradle | bundle | gem | curl | tar | node',
);

async function asProgram(file: string, lines: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${lines}`);
  await chmod(file, 0o755);
}

/** A folder of programs that write down how they were called; the sandbox and what leads to it run what follows a `--`. */
async function recorders(): Promise<{ path: string; called: () => Promise<string[]> }> {
  const path = await newFolder();
  const line = `echo "$(basename "$0") $*" >> '${path}/calls'\n`;
  const onward = 'while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done; [ $# = 0 ] || { shift; "$@"; }\n';
  for (const name of [...TOOLS, 'npx', 'petstore-sandbox'])
    await asProgram(join(path, name), line + (/npx|yarn|sandbox/.test(name) ? onward : ''));
  return { path, called: async () => (await readFile(join(path, 'calls'), 'utf8')).trimEnd().split('\n') };
}

const NODE_OF_GITLAB = ['curl -fsSL https://nodejs.org/', 'tar -xz -C /usr/local --strip-components=1'];

/** The lines are the same in both; GitLab's images of other languages have no Node. */
const JOBS_OF = {
  github: Object.keys(JOBS),
  gitlab: ['npm', 'Playwright', 'uv with pytest', 'Maven with its wrapper'],
};

describe.each(Object.entries(JOBS_OF))('the job for %s', (ci, names) => {
  it.for(Object.entries(JOBS).filter(([name]) => names.includes(name)))(
    'of %s calls what the project has',
    async ([, [files, text]]) => {
      const calls = text.split(' | ');
      const [program, test] = calls.slice(-2);
      // A project without Node gets the program first.
      const install = [...(program === 'petstore-sandbox' ? [GLOBAL] : []), ...calls.slice(0, -2)];
      const folder = await newFolder(files);
      for (const wrapper of ['mvnw', 'gradlew'].filter((name) => name in files))
        await asProgram(join(folder, wrapper), `echo "./${wrapper} $*" >> "$CALLS"\n`);
      expect((await init(folder, '--ci', ci)).code).toBe(0);
      const job = parse(await readFile(join(folder, ci === 'github' ? GITHUB_JOB : '.gitlab-ci.yml'), 'utf8'));
      const lines: string[] =
        ci === 'gitlab'
          ? job.contract.script
          : job.jobs.contract.steps.flatMap(({ run }: { run?: string }) => run ?? []);
      const { path, called } = await recorders();
      const env = { PATH: `${path}:${process.env['PATH']}`, CALLS: join(path, 'calls') };
      const ran = await runLines(lines.join('\n'), { folder, env });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      const all = (await called()).filter((each) => !NODE_OF_GITLAB.some((prefix) => each.startsWith(prefix)));
      const exec = `${program} exec --start --artifacts sandbox-artifacts -- ${test}`;
      expect(all).toEqual([...install, exec, test]);
      // The sandbox needs Node, which other languages' images do not have.
      const image = job.contract?.image ?? 'node:24';
      expect(image === 'node:24' || lines[0]?.includes('nodejs.org')).toBe(true);
    },
  );
});

it("Go's ./... leaves out the examples of the package in node_modules", async () => {
  const folder = await newFolder(PROJECTS.Go.files);
  await init(folder);
  await cp('examples', join(folder, 'node_modules/petstore-sandbox/examples'), { recursive: true });
  expect((await run('go', ['list', './...'], { folder })).stdout).toBe('example.org/pets/petstore\n');
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
  RSpec: ['rspec'],
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
