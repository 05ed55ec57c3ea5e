import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import ts from 'typescript';
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

/** The packages that the files below a folder need when they run: imports of types alone leave nothing behind. */
async function importedBy(...places: readonly string[]): Promise<readonly string[]> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...places]);
  const files = [...new Set(`${listed}`.split('\n'))].filter((name) => /\.(ts|tsx|mjs)$/.test(name));
  const found = new Set<string>();
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '');
    // Most files import no package, and need no syntax tree.
    if (!/\b(?:from|import\(?)\s*['"](?!node:|\.)/.test(text)) continue;
    const add = (node: ts.Expression | undefined): void => {
      if (!node || !ts.isStringLiteral(node) || /^(?:node:|\.)/.test(node.text)) return;
      found.add(/^(?:@[^/]+\/)?[^/]+/.exec(node.text)?.[0] as string);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) add(node.moduleSpecifier);
      if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return [...found];
}

test('what the program and its build import is a dependency, so npm ci --omit=dev is enough to start', async () => {
  const build = ['start', 'build', 'build-dashboard', 'build-operations', 'bundle', 'licenses'];
  const imported = await importedBy('src', ...build.map((name) => `scripts/${name}.mjs`));
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
