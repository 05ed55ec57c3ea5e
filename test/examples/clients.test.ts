/** The client that is generated from the specification, as its recipe has it: made, compiled and run against a sandbox. */
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { run, runLines } from './support.ts';

const RECIPE = 'openapi-fetch.ts';
const FLAGS =
  '--noEmit --strict --skipLibCheck --target es2023 --module nodenext --allowImportingTsExtensions --types node';

it('a client of openapi-fetch', { timeout: limit(120_000) }, async () => {
  const server = await startTestServer();
  const sandbox = await server.sandbox();
  const text = await readFile(join('examples/clients', RECIPE), 'utf8');
  // The types are those of the specification.
  const wrong = text.replace('categoryId: 1', "categoryId: 'one'");
  const folder = await newFolder({ [RECIPE]: text, 'wrong.ts': wrong, 'package.json': '{"type":"module"}' });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const [, command = ''] = /^\/\/ {3}(npx .+)$/m.exec(text) ?? [];
  expect(await runLines(command, { folder, env: { SANDBOX_URL: `${server.url}/v1` } })).toMatchObject({ code: 0 });

  const compile = (file: string) => run('node_modules/.bin/tsc', [...FLAGS.split(' '), file], { folder });
  expect(await compile(RECIPE)).toMatchObject({ code: 0, stdout: '' });
  expect((await compile('wrong.ts')).stdout).toMatch(/Type 'string' is not assignable to type 'number'/);

  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=recipe.mjs', '--log-level=error'];
  await run('node_modules/.bin/esbuild', [RECIPE, ...bundle], { folder });
  const env = { PETSTORE_URL: `${server.url}/v1`, PETSTORE_KEY: sandbox.key ?? '' };
  const { stdout, stderr } = await run(process.execPath, ['recipe.mjs'], { folder, env });
  expect({ stdout, stderr }).toEqual({ stdout: 'added Rex\nlisted true\nmissing not_found\n', stderr: '' });

  const report = (await sandbox.get('/_sandbox/report?expectedInvalid=getPet:404')).json;
  expect(report).toMatchObject({ verdict: 'pass', counts: { exchanges: 3, expectedInvalid: 2 } });
});
