import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
};

/** The packages that files need when they run: imports of types alone leave nothing behind. */
async function importedBy(entryPoints: string[]): Promise<readonly string[]> {
  const output = { format: 'esm', platform: 'node', outdir: 'none', write: false, metafile: true } as const;
  const { metafile } = await build({ entryPoints, bundle: true, packages: 'external', ...output });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const paths = imports.filter(({ external }) => external).map(({ path }) => path);
  const names = paths.filter((path) => !isBuiltin(path)).map((path) => /^(?:@\w[^/]*\/)?\w[^/]*/.exec(path)?.[0]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

test('what the program and its build import is a dependency, so npm ci --omit=dev is enough to start', async () => {
  const sources = (await readdir('src', { recursive: true })).filter((name) => /(?<!\.d)\.tsx?$/.test(name));
  const scripts = ['start', 'build', 'build-dashboard', 'build-fixtures', 'build-operations', 'bundle', 'licenses'];
  const imported = await importedBy([
    ...sources.map((name) => `src/${name}`),
    ...scripts.map((name) => `scripts/${name}.mjs`),
  ]);
  const own = imported.filter((name) => manifest.peerDependencies[name] === undefined);
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((name) => manifest.dependencies[name] === undefined)).toEqual([]);
});

test('an install script runs only where package.json allows it', () => {
  const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScript.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(names)].sort());
  expect(Object.values(manifest.allowScripts)).not.toContain(true);
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts[name]).toBe(undefined);
});

test('the MCP registry finds the package by the name and the version that it has itself', async () => {
  const { name, version, packages: listed } = JSON.parse(await readFile('server.json', 'utf8'));
  const { mcpName, ...own } = manifest as Manifest & Readonly<Record<'mcpName' | 'name' | 'version', string>>;
  expect([name, version]).toEqual([mcpName, own.version]);
  expect(listed).toMatchObject([{ registryType: 'npm', identifier: own.name, version, transport: { type: 'stdio' } }]);
});
