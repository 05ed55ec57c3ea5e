/** Clients that are generated from the specification, as the recipes have it: made, compiled and run against a sandbox. */
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { run, runLines } from './support.ts';

let server: TestServer;
let sandbox: Client;
beforeEach(async () => {
  server = await startTestServer();
  sandbox = await server.sandbox();
});

/** A folder with the recipe and what its own commands generate. */
async function generated(recipe: string): Promise<{ folder: string; text: string }> {
  const folder = await newFolder();
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await cp(join('examples/clients', recipe), join(folder, recipe));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const text = await readFile(join(folder, recipe), 'utf8');
  const commands = [...text.matchAll(/^\/\/ {3}(npx .+)$/gm)].map(([, command]) => command);
  expect(commands).toHaveLength(1);
  const ran = await runLines(commands.join('\n'), { folder, env: { SANDBOX_URL: `${server.url}/v1` } });
  expect(ran).toMatchObject({ code: 0 });
  return { folder, text };
}

const compile = (folder: string, recipe: string) =>
  run(
    'node_modules/.bin/tsc',
    `--noEmit --strict --skipLibCheck --target es2023 --module nodenext --allowImportingTsExtensions --types node ${recipe}`.split(
      ' ',
    ),
    { folder },
  );

it('a client of openapi-fetch', { timeout: limit(120_000) }, async () => {
  const recipe = 'openapi-fetch.ts';
  const { folder, text } = await generated(recipe);

  expect(await compile(folder, recipe)).toMatchObject({ code: 0, stdout: '' });
  // The types are those of the specification.
  await writeFile(join(folder, 'wrong.ts'), text.replace('categoryId: 1', "categoryId: 'one'"));
  expect((await compile(folder, 'wrong.ts')).stdout).toMatch(/Type 'string' is not assignable to type 'number'/);

  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=recipe.mjs', '--log-level=error'];
  await run('node_modules/.bin/esbuild', [recipe, ...bundle], { folder });
  const env = { PETSTORE_URL: `${server.url}/v1`, PETSTORE_KEY: sandbox.key ?? '' };
  const { stdout, stderr } = await run(process.execPath, ['recipe.mjs'], { folder, env });
  expect({ stdout, stderr }).toEqual({ stdout: 'added Rex\nlisted true\nmissing not_found\n', stderr: '' });

  const report = (await sandbox.get('/_sandbox/report?expectedInvalid=getPet:404')).json;
  expect(report).toMatchObject({ verdict: 'pass', counts: { exchanges: 3, expectedInvalid: 2 } });
});
