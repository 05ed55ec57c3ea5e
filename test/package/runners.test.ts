/** The package in the test runners of its users, on every Node. */
import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { partsOf } from '../support/recording.ts';
import { limit } from '../support/slow.ts';
import { packed } from './packed.ts';
import { type Ran, run } from './run.ts';

const { tools, nodes } = await packed();
const folderOf = (name: string): string => join(tools, name);

/** The same test for both kinds of modules: a server, a sandbox, the contract, and an error of the library. */
const JEST = `
  let server;
  beforeAll(async () => { server = await startSandbox({ fixture: 'empty' }); await server.ready; }, 60000);
  afterAll(() => server.close());
  test('a pet is kept', () => withSandbox(server, async (sandbox) => {
    const headers = { Authorization: 'Bearer ' + sandbox.key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
    expect((await fetch(sandbox.url + '/pets', { method: 'POST', headers, body })).status).toBe(201);
    await expectContractPassed(sandbox);
    await expect(startSandbox({ fixture: 'nothing' })).rejects.toThrow('nothing');
  }), 60000);
  test('a violation is a ContractError', () => withSandbox(server, async (sandbox) => {
    await fetch(sandbox.url + '/pets?limit=500', { headers: { Authorization: 'Bearer ' + sandbox.key } });
    await expect(expectContractPassed(sandbox)).rejects.toBeInstanceOf(ContractError);
  }), 60000);
`;

beforeAll(async () => {
  for (const folder of ['jest-esm', 'jest-cjs']) await mkdir(folderOf(folder), { recursive: true });
  await writeFile(join(folderOf('jest-esm'), 'package.json'), '{ "type": "module", "jest": { "transform": {} } }');
  await writeFile(
    join(folderOf('jest-esm'), 'pets.test.js'),
    `import { startSandbox } from 'petstore-sandbox';
     import { ContractError, expectContractPassed, withSandbox } from 'petstore-sandbox/testing';${JEST}`,
  );
  // With Jest's defaults, and so through its transformer.
  await writeFile(join(folderOf('jest-cjs'), 'package.json'), '{ "jest": {} }');
  await writeFile(
    join(folderOf('jest-cjs'), 'pets.test.js'),
    `const { startSandbox } = require('petstore-sandbox');
     const { ContractError, expectContractPassed, withSandbox } = require('petstore-sandbox/testing');${JEST}`,
  );
  await cp('examples/vitest', folderOf('vitest'), { recursive: true });
  await writeFile(join(folderOf('vitest'), 'package.json'), '{ "type": "module" }');
});

const jest = (node: string, folder: string, ...flags: string[]): Promise<Ran> =>
  run(node, [...flags, join(tools, 'node_modules/jest/bin/jest.js')], { cwd: folderOf(folder), node });

const vitest = (node: string, folder: string): Promise<Ran> =>
  run(node, [join(tools, 'node_modules/vitest/vitest.mjs'), 'run'], { cwd: folderOf(folder), node });

describe.each(Object.entries(nodes))('on Node %s', (_, node) => {
  test(
    'Jest imports it, with its ES modules',
    async () => {
      const { code, stderr } = await jest(node, 'jest-esm', '--experimental-vm-modules');
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/2 passed, 2 total/) });
    },
    limit(120_000),
  );

  test(
    'Jest requires it, with its defaults',
    async () => {
      const { code, stderr } = await jest(node, 'jest-cjs');
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/2 passed, 2 total/) });
      expect(stderr).not.toMatch(/did not exit|open handle/);
    },
    limit(120_000),
  );

  test(
    'Vitest has its fixtures',
    async () => {
      const { code, stdout, stderr } = await vitest(node, 'vitest');
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('2 passed'), stderr: '' });
    },
    limit(120_000),
  );
});

/** Makes a folder with a test file of each name. */
async function testsIn(folder: string, names: readonly string[], textOf: (name: string) => string): Promise<void> {
  await mkdir(folderOf(folder), { recursive: true });
  await writeFile(join(folderOf(folder), 'package.json'), '{ "type": "module" }');
  for (const name of names) await writeFile(join(folderOf(folder), `${name}.test.ts`), textOf(name));
}

test(
  'Vitest shows the request log of a test that fails and attaches its recording; one server serves all files, or each its own',
  async () => {
    const folder = folderOf('failing');
    await testsIn(
      'failing',
      ['one', 'two'],
      (name) => `
      import { writeFileSync } from 'node:fs';
      import { test } from 'petstore-sandbox/vitest';
      import { expect } from 'vitest';
      test('${name}', async ({ sandbox: { url, key } }) => {
        writeFileSync('${name}.url', url);
        const answer = await fetch(url + '/pets?limit=500', { headers: { Authorization: 'Bearer ' + key } });
        expect(answer.status).toBe(200);
      });`,
    );
    const urls = () =>
      Promise.all(
        ['one', 'two'].map(async (name) => new URL(await readFile(join(folder, `${name}.url`), 'utf8')).origin),
      );

    const apart = await vitest(process.execPath, 'failing');
    const output = apart.stdout + apart.stderr;
    expect(apart.code).toBe(1);
    expect(output.match(/> GET \/v1\/pets\?limit=500/g)).toHaveLength(2);
    expect(output).toContain('violation (request) at query/limit');
    expect(output).not.toContain('petsbx_');
    const recordings = [...output.matchAll(/petstore-sandbox open (\S+)/g)].map(([, path = '']) => path);
    expect(recordings.map((path) => dirname(path))).toEqual(
      Array(2).fill(join(await realpath(folder), '.vitest-attachments')),
    );
    const { exchanges } = partsOf(await readFile(recordings[0] as string, 'utf8'));
    expect(exchanges).toEqual([expect.objectContaining({ target: '/v1/pets?limit=500' })]);
    expect(new Set(await urls()).size).toBe(2);

    await cp('examples/vitest/vitest.config.ts', join(folder, 'vitest.config.ts'));
    expect((await vitest(process.execPath, 'failing')).code).toBe(1);
    expect(new Set(await urls()).size).toBe(1);
  },
  limit(120_000),
);

// A server for each file, where the setup is left out, is no matter of the Node.
test(
  'Vitest has its fixtures without the setup, too, and loads the validator before the first test, which does not pay for it',
  async () => {
    await cp('examples/vitest', folderOf('alone'), { recursive: true });
    // The server's start counts as part of the first test, and a busy machine is slow to start one.
    const config = `export default { test: { testTimeout: ${limit(60_000)} } };`;
    await writeFile(join(folderOf('alone'), 'vitest.config.ts'), config);
    await testsIn(
      'alone',
      ['plain', 'extended'],
      (name) => `
      import { test as plain } from 'petstore-sandbox/vitest';
      import { expect } from 'vitest';
      const test = '${name}' === 'plain' ? plain : plain.extend({ sandboxOptions: { fixture: 'empty' } });
      // No sandbox is opened here: that would wait, too.
      test('${name}', async ({ sandboxServer: { ready } }) => {
        const now = new Promise((resolve) => setImmediate(resolve, 'still loading'));
        expect(await Promise.race([ready.then(() => 'ready'), now])).toBe('ready');
      });`,
    );
    const { code, stdout, stderr } = await vitest(process.execPath, 'alone');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('4 passed'), stderr: '' });
  },
  limit(120_000),
);
