/** The types under every way in which TypeScript finds a package, strictly, those of the package included. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { run } from './run.ts';

const { tools } = inject('packed');
const TSC = join(tools, 'node_modules/typescript/bin/tsc');

/** What users write, with what they must not. */
const USE = `
import { startSandbox, type PetstoreSandbox, type SandboxOptions } from 'petstore-sandbox';
import { ContractError, expectContractPassed, openSandbox, type TestSandbox } from 'petstore-sandbox/testing';
export async function use(options: SandboxOptions): Promise<string> {
  const server: PetstoreSandbox = await startSandbox({ ...options, port: 0, fixture: 'empty' });
  const sandbox: TestSandbox = await openSandbox(server);
  const { nextId } = await sandbox.client.request('GET /');
  const id: bigint = nextId as bigint;
  // @ts-expect-error an int64 is a bigint
  const rounded: number | null = nextId;
  // @ts-expect-error no such path
  await sandbox.client.request('GET /nothing');
  // @ts-expect-error the count is missing
  await sandbox.client.request('POST /pets', { body: {} });
  // @ts-expect-error no such option
  await startSandbox({ prot: 1 });
  await expectContractPassed(sandbox).catch((error: ContractError) => error.report.verdict);
  const [exchange] = await server.requests({ operation: 'createPet' });
  return \`\${id} \${rounded} \${exchange?.status}\`;
}
`;

const VITEST = `
import { expectContractPassed as keep } from 'petstore-sandbox/testing';
import { test } from 'petstore-sandbox/vitest';
import { setup } from 'petstore-sandbox/vitest/setup';
test.extend({ sandboxOptions: { fixture: 'empty' } })('a test', async ({ sandbox }) => {
  await keep(sandbox);
  const url: string = sandbox.url;
  // @ts-expect-error no such fixture
  void (({ sandbox: { nothing } }: { sandbox: typeof sandbox }) => nothing);
  return void url;
});
export const start: (project: { provide: never }) => Promise<() => Promise<void>> = setup;
`;

const WAYS = {
  'nodenext, as a module and as CommonJS': { module: 'nodenext', files: ['use.mts', 'use.cts'] },
  'node16, as a module and as CommonJS': { module: 'node16', files: ['use.mts', 'use.cts'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', files: ['use.ts'] },
  node10: { module: 'commonjs', moduleResolution: 'node10', files: ['use.ts'] },
};

async function compile(name: string, files: readonly string[], text: string, options: object): Promise<unknown> {
  const folder = join(tools, 'types', name.replaceAll(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  for (const file of files) await writeFile(join(folder, file), text);
  // TypeScript's own library is its own matter.
  const own = { strict: true, noEmit: true, target: 'es2023', types: ['node'], skipDefaultLibCheck: true };
  const compilerOptions = { ...own, ...options };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { code, stdout } = await run(process.execPath, [TSC, '-p', folder], { cwd: tools });
  return { code, stdout };
}

describe('types hold under', () => {
  test.each(Object.entries(WAYS))('%s', async (name, { files, ...options }) => {
    expect(await compile(name, files, USE, { ...options, skipLibCheck: false })).toEqual({ code: 0, stdout: '' });
  });

  // Vitest's own types do not hold without it.
  test.each(['nodenext', 'bundler'])("%s, for Vitest's fixtures", async (name) => {
    const options = name === 'bundler' ? { module: 'esnext', moduleResolution: name } : { module: name };
    const compiled = await compile(`vitest-${name}`, ['use.mts'], VITEST, { ...options, skipLibCheck: true });
    expect(compiled).toEqual({ code: 0, stdout: '' });
  });

  test('the example for Vitest', async () => {
    const folder = join(tools, 'types', 'example');
    await cp('examples/vitest', folder, { recursive: true });
    const options = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext', types: ['node'] };
    const compilerOptions = { ...options, allowImportingTsExtensions: true, skipLibCheck: true };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { code, stdout } = await run(process.execPath, [TSC, '-p', folder], { cwd: tools });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });
});
