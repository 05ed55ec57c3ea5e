/** The first tests of `examples/start` work in each runner as they are. */
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { junit, PYTEST, run } from './support.ts';

/** The files of `examples/start`, and where docs/start/ci.md says that they go. */
const places = new Map<string, string>();
for (const [, file = '', place = ''] of (await readFile('docs/start/ci.md', 'utf8')).matchAll(
  /^\|[^|]+\|`([\w.]+)`\|`([\w./]+)`\|/gm,
))
  places.set(file, place);

it('the page on CI has a row for each first test', async () => {
  const files = (await readdir('examples/start')).filter((name) => !name.endsWith('.yml'));
  expect([...places.keys()].sort()).toEqual(files.sort());
});

/** A project with its first test. */
async function projectWith(example: string, files: Record<string, string> = {}): Promise<string> {
  const folder = await newFolder(files);
  const target = join(folder, places.get(example) as string);
  await mkdir(dirname(target), { recursive: true });
  await cp(join('examples/start', example), target);
  return folder;
}

const GO = { 'go.mod': 'module example.org/pets\n\ngo 1.19\n' };

it("Go's ./... leaves out the examples of the package in node_modules", async () => {
  const folder = await projectWith('petstore_test.go', GO);
  await cp('examples', join(folder, 'node_modules/petstore-sandbox/examples'), { recursive: true });
  expect((await run('go', ['list', './...'], { folder })).stdout).toBe('example.org/pets/petstore\n');
});

it('the page on CI shows the jobs as they are written', async () => {
  const page = await readFile('docs/start/ci.md', 'utf8');
  for (const name of ['github.yml', 'gitlab.yml'])
    expect(page).toContain(`\`\`\`yaml\n${await readFile(join('examples/start', name), 'utf8')}\`\`\``);
});

const VITEST = [process.execPath, resolve('node_modules/vitest/vitest.mjs'), 'run'];

/** How each runner runs the first test here, and what its project has besides. */
const RUNS: Readonly<Record<string, readonly [command: readonly string[], files?: Record<string, string>]>> = {
  'vitest.test.ts': [[...VITEST]],
  // Jest isn't installed here; Vitest has its functions.
  'jest.test.js': [[...VITEST, '--globals']],
  'node.test.mjs': [[process.execPath, '--test']],
  'test_petstore.py': [PYTEST],
  'petstore_test.go': [['go', 'test', './...'], GO],
  'PetstoreTest.java': [junit('src/test/java')],
  'petstore_spec.rb': [['rspec']],
};

it.for(Object.entries(RUNS))(
  'the first test %s passes in a sandbox, and its contract check, too',
  { timeout: limit(120_000) },
  async ([example, [command, files]]) => {
    const server = await startTestServer();
    const folder = await projectWith(example, files);
    if (command.includes('run')) await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const args = [CLI, 'exec', '--url', server.url, '--', ...command];
    const { code, stdout, stderr } = await run(process.execPath, args, { folder });
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('contract check passed'),
    });
  },
);
