/** The package as its user has it: installed in a project of its own, where the examples run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limit } from '../support/slow.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let project: string;

beforeAll(async () => {
  await run([join(root, 'scripts/build-types.mjs')], root);
  project = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
  const installed = join(project, 'node_modules/petstore-sandbox');
  await mkdir(installed, { recursive: true });
  for (const part of ['package.json', 'dist', 'fixtures', 'spec']) {
    await cp(join(root, part), join(installed, part), { recursive: true });
  }
  for (const tool of ['vitest', 'typescript', '@types']) {
    await symlink(join(root, 'node_modules', tool), join(project, 'node_modules', tool));
  }
  for (const part of ['vitest', 'node-test'])
    await cp(join(root, 'examples', part), join(project, part), { recursive: true });
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
}, limit(180_000));
afterAll(() => rm(project, { recursive: true, force: true }));

/** Runs Node with nothing of this environment but the PATH. */
async function run(args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

const vitest = (cwd: string, ...flags: string[]) =>
  run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...flags], cwd);

it(
  'runs the example of Vitest',
  async () => {
    const { code, output } = await vitest(join(project, 'vitest'));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('2 passed') });
  },
  limit(60_000),
);

it(
  'shows the request log of a test that fails and attaches its recording; one server serves all files, or each its own',
  async () => {
    const folder = join(project, 'failing');
    await mkdir(folder);
    const failing = (name: string) => `
    import { writeFileSync } from 'node:fs';
    import { test } from 'petstore-sandbox/vitest';
    import { expect } from 'vitest';
    test('${name}', async ({ sandbox: { url, key } }) => {
      writeFileSync('${name}.url', url);
      const answer = await fetch(url + '/pets?limit=500', { headers: { Authorization: 'Bearer ' + key } });
      expect(answer.status).toBe(200);
    });`;
    for (const name of ['one', 'two']) await writeFile(join(folder, `${name}.test.ts`), failing(name));
    const urls = () => Promise.all(['one', 'two'].map((name) => readFile(join(folder, `${name}.url`), 'utf8')));

    const apart = await vitest(folder);
    expect(apart.code).toBe(1);
    expect(apart.output.match(/> GET \/v1\/pets\?limit=500/g)).toHaveLength(2);
    expect(apart.output).toContain('violation (request) at query/limit');
    expect(apart.output).not.toContain('petsbx_');
    const recordings = [...apart.output.matchAll(/petstore-sandbox open (\S+)/g)].map(([, path = '']) => path);
    expect(recordings.map((path) => dirname(path))).toEqual(
      Array(2).fill(join(await realpath(folder), '.vitest-attachments')),
    );
    const { recording: version, requestLog } = JSON.parse(await readFile(recordings[0] as string, 'utf8'));
    expect([version, requestLog.exchanges]).toEqual([1, [expect.objectContaining({ target: '/v1/pets?limit=500' })]]);
    expect(new Set(await urls()).size).toBe(2);

    await cp(join(project, 'vitest/vitest.config.ts'), join(folder, 'vitest.config.ts'));
    expect((await vitest(folder)).code).toBe(1);
    expect(new Set(await urls()).size).toBe(1);
  },
  limit(120_000),
);

it(
  'loads the validator before the first test, which does not pay for it',
  async () => {
    const folder = join(project, 'warm');
    await mkdir(folder);
    const isReady = (name: string) => `
    import { test as plain } from 'petstore-sandbox/vitest';
    import { expect } from 'vitest';
    const test = '${name}' === 'plain' ? plain : plain.extend({ sandboxOptions: { fixture: 'empty' } });
    // No sandbox is opened here: that would wait, too.
    test('${name}', async ({ sandboxServer: { ready } }) => {
      const now = new Promise((resolve) => setImmediate(resolve, 'still loading'));
      expect(await Promise.race([ready.then(() => 'ready'), now])).toBe('ready');
    });`;
    for (const name of ['plain', 'extended']) await writeFile(join(folder, `${name}.test.ts`), isReady(name));
    expect(await vitest(folder)).toEqual({ code: 0, output: expect.stringContaining('2 passed') });
  },
  limit(120_000),
);

it(
  'runs the example of node:test',
  async () => {
    const { code, output } = await run(['--test', 'node-test/pets.test.mjs'], project);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/pass 1\n/) });
  },
  limit(60_000),
);

it(
  'brings types that hold',
  async () => {
    await writeFile(
      join(project, 'wrong.ts'),
      `import { openSandbox } from 'petstore-sandbox/testing';
     const { client } = await openSandbox({ url: '' });
     // @ts-expect-error no such path
     await client.request('GET /nothing');
     // @ts-expect-error the count is missing
     await client.request('POST /pets', { body: {} });
     const { nextId } = await client.request('GET /');
     // @ts-expect-error an int64 is a bigint
     const id: number | null = nextId;`,
    );
    const options = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['node'],
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['wrong.ts', 'vitest/*.ts'] }),
    );
    expect(await run([join(root, 'node_modules/typescript/bin/tsc'), '-p', project], project)).toEqual({
      code: 0,
      output: '',
    });
  },
  limit(120_000),
);
