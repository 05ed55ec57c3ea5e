import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { minVersion, satisfies } from 'semver';
import ts from 'typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limit } from './support/slow.ts';

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

const { packages } = (await json('package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

test("npm leaves the repository's own Node out where the C library is not glibc", () => {
  const ours = Object.entries(packages).filter(([path]) => /^node_modules\/node-linux-/.test(path));
  expect(ours.length).toBe(2);
  // The packages do not say it themselves. After a new version: add the line to the lock file again.
  for (const [path, { libc }] of ours) expect({ path, libc }).toEqual({ path, libc: ['glibc'] });
});

test('every locked package runs on the oldest Node that this one names: npm ci rejects others', async () => {
  const { engines } = (await json('package.json')) as { engines: { node: string } };
  const oldest = minVersion(engines.node)?.version as string;
  expect(oldest).toBe('20.19.0');
  const tooNew = Object.entries(packages).filter(([, { engines: { node = '*' } = {} }]) => !satisfies(oldest, node));
  expect(tooNew.map(([path, each]) => `${path} needs Node ${each.engines?.node}`)).toEqual([]);
});

describe('each package has one role', () => {
  /** The files of the repository below these places, with their texts. */
  const textsBelow = async (...places: readonly string[]): Promise<readonly (readonly [string, string])[]> => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...places], {
      encoding: 'utf8',
    });
    const names = files.split('\n').filter((name) => /\.(ts|tsx|mjs|cjs|json|sh|md)$|package\.json$/.test(name));
    return Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')] as const));
  };

  /** `@scope/name` or `name` of an import; `undefined` for a file or a module of Node's. */
  const packageOf = (specifier: string): string | undefined =>
    /^(?:node:|\.)/.test(specifier) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];

  /** The packages that a file needs when it runs: imports of types alone leave nothing behind. */
  const importsOf = (name: string, text: string): readonly string[] => {
    const found: string[] = [];
    const add = (node: ts.Expression | undefined): void => {
      const each = node && ts.isStringLiteral(node) ? packageOf(node.text) : undefined;
      if (each) found.push(each);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) add(node.moduleSpecifier);
      if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
    return found;
  };

  interface Manifest {
    readonly dependencies?: object;
    readonly optionalDependencies?: object;
    readonly devDependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: object;
    readonly scripts: Readonly<Record<string, string>>;
  }
  const manifest = async () => (await json('package.json')) as Manifest;

  /** The packages in the first column of the table that stands under a heading of ARCHITECTURE.md. */
  const tabled = async (heading: string): Promise<readonly string[]> => {
    const [, section = ''] = (await readFile('ARCHITECTURE.md', 'utf8')).split(heading);
    const rows = section.split('\n\n').find((block) => block.startsWith('|')) ?? '';
    const cells = rows
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')[1] ?? '');
    return cells.flatMap((cell) => cell.split(',').map((name) => name.trim()));
  };

  /** What src/ imports, and so what is bundled. */
  const bundled = async (): Promise<readonly string[]> => {
    const imported = new Set((await textsBelow('src')).flatMap(([name, text]) => importsOf(name, text)));
    for (const peer of Object.keys((await manifest()).peerDependencies)) imported.delete(peer);
    return [...imported].sort();
  };

  test('the package installs no other: bundled packages are development dependencies', async () => {
    const { dependencies, optionalDependencies, devDependencies, scripts } = await manifest();
    expect({ dependencies, optionalDependencies }).toEqual({});
    expect((await bundled()).filter((name) => devDependencies[name] === undefined)).toEqual([]);
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
  });

  test('a development dependency is used by a build step, a test or a tool', async () => {
    const { devDependencies, scripts } = await manifest();
    const texts = (await textsBelow('test', 'scripts', 'bench', 'recipes', 'lint', '*.ts')).map(([, text]) => text);
    const everything = [...texts, JSON.stringify(scripts)].join('\n');
    const isUsed = (name: string): boolean => {
      const bins = Object.keys(packages[`node_modules/${name}`]?.bin ?? {});
      const isNamed = [name, ...bins].some((each) => everything.includes(each));
      const isPin = Object.keys(devDependencies).some(
        (other) => packages[`node_modules/${other}`]?.dependencies?.[name],
      );
      return isNamed || isPin || name.startsWith('@types/');
    };
    expect(Object.keys(devDependencies).filter((name) => !isUsed(name))).toEqual([]);
  });

  test('ARCHITECTURE.md says why each is there', async () => {
    const { devDependencies } = await manifest();
    const ours = await bundled();
    expect([...(await tabled('**Bundled into the product**'))].sort()).toEqual(ours);
    const others = Object.keys(devDependencies).filter((name) => !ours.includes(name));
    expect([...(await tabled('**Used by a build step'))].sort()).toEqual(others.sort());
  });

  test('an install script runs only where package.json allows it', async () => {
    const { allowScripts } = (await json('package.json')) as { allowScripts: Readonly<Record<string, boolean>> };
    const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = withScript.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort());
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});

test(
  'the bundler works without its binary, which npm leaves out with --omit=optional',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp('scripts/esbuild.mjs', join(folder, 'scripts/esbuild.mjs'));
    // A copy finds no package with the binary beside it.
    await cp('node_modules/esbuild', join(folder, 'node_modules/esbuild'), { recursive: true });
    await symlink(join(process.cwd(), 'node_modules/esbuild-wasm'), join(folder, 'node_modules/esbuild-wasm'), 'dir');
    const program = `const { esbuild } = await import('./scripts/esbuild.mjs');
    const { code } = await esbuild.transform('let x: number = 1', { loader: 'ts' });
    console.log(esbuild.version, code.trim());
    process.exit();`;
    const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(ran.stderr).toContain('The binary of esbuild is not installed');
    const { devDependencies } = (await json('package.json')) as { devDependencies: Record<string, string> };
    expect(ran.stdout).toBe(`${devDependencies['esbuild']} let x = 1;\n`);
    expect(devDependencies['esbuild-wasm']).toBe(devDependencies['esbuild']);
  },
  limit(60_000),
);
