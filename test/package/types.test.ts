/** The types under every way in which TypeScript finds a package, strictly, those of the package included. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { packed } from './packed.ts';
import { succeed } from './run.ts';

const { tools } = await packed();

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

/** Vitest's own types do not hold without it. */
const SKIPPED = { skipLibCheck: true };
const BOTH = ['use.mts', 'use.cts'];

/** Without files: those of the example. */
const COMPILED: readonly (readonly [name: string, files: readonly string[], text: string, options: object])[] = [
  ['nodenext, as a module and as CommonJS', BOTH, USE, { module: 'nodenext' }],
  ['bundler', ['use.ts'], USE, { module: 'esnext', moduleResolution: 'bundler' }],
  ['node10', ['use.ts'], USE, { module: 'commonjs', moduleResolution: 'node10' }],
  ["nodenext, for Vitest's fixtures", ['use.mts'], VITEST, { module: 'nodenext', ...SKIPPED }],
  ['the example for Vitest', [], '', { module: 'nodenext', allowImportingTsExtensions: true, ...SKIPPED }],
];

/**
 * What `tsc -p` prints for each of the folders, from one start of the compiler. The declarations of TypeScript and of Node
 * are their own matter; checking them is most of what a compiler does here.
 */
const COMPILER = `
  const ts = require('typescript');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (one) => { throw new Error(one.messageText); } };
  const found = process.argv.slice(2).map((folder) => {
    const { errors, fileNames, options } = ts.getParsedCommandLineOfConfigFile(folder + '/tsconfig.json', {}, host);
    const program = ts.createProgram(fileNames, options);
    const files = program.getSourceFiles().filter(
      (file) => !program.isSourceFileDefaultLibrary(file) && !/node_modules.(@types.node|undici-types)./.test(file.fileName),
    );
    const diagnostics = [
      ...errors,
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ];
    return {
      // Those of the package are checked, too, and not only found.
      checked: files.map(({ fileName }) => fileName).filter((name) => /petstore-sandbox.dist/.test(name)).length > 0,
      diagnostics: ts.formatDiagnostics(diagnostics, { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\\n' }),
    };
  });
  console.log(JSON.stringify(found));
`;

let compiled: readonly unknown[];
beforeAll(async () => {
  const folders: string[] = [];
  for (const [name, files, text, options] of COMPILED) {
    const folder = join(tools, 'types', name.replaceAll(/\W+/g, '-'));
    folders.push(folder);
    await mkdir(folder, { recursive: true });
    if (files.length === 0) await cp('examples/vitest', folder, { recursive: true });
    for (const file of files) await writeFile(join(folder, file), text);
    const compilerOptions = { strict: true, noEmit: true, target: 'es2023', types: ['node'], ...options };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
  }
  await writeFile(join(tools, 'compile.cjs'), COMPILER);
  compiled = JSON.parse(await succeed(process.execPath, ['compile.cjs', ...folders], { cwd: tools }));
}, limit(120_000));

test.each(COMPILED.map(([name], index) => [name, index] as const))('types hold under %s', (_, index) => {
  expect(compiled[index]).toEqual({ checked: true, diagnostics: '' });
});
