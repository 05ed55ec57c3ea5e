// Writes the types of the package's exports into dist/types/. Each file stands alone: what it takes from src/ is in it,
// so that nothing but Node's own types, and Vitest's for its fixtures, has to be installed where it is used.
import { realpathSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = path.join(root, 'dist/types');

/** CommonJS has types of its own: TypeScript takes the kind of a module from the name of its file. */
const entries = [
  { name: 'index', isCommonJsToo: true },
  { name: 'testing', isCommonJsToo: true },
  { name: 'vitest', isCommonJsToo: false },
  { name: 'vitest-setup', isCommonJsToo: false },
];

/** `@internal` members stay out. */
const compilerOptions = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  stripInternal: true,
  rootDir: path.join(root, 'src'),
};

/** Where a type may come from, other than src/. */
const isInstalled = (name) => name.startsWith('node:') || /^vitest($|\/)/.test(name);

/** A sandbox of one entry fits the functions of the other: both have its type from this file. */
const testing = path.join(root, 'src/testing.ts');

const buildTypes = async ({ name, isCommonJsToo }) => {
  const bundle = await rollup({
    input: path.join(root, `src/${name}.ts`),
    external: (id, importer) =>
      isInstalled(id) || (importer !== undefined && path.resolve(importer, '..', id) === testing),
    plugins: [dts({ tsconfig: path.join(root, 'tsconfig.json'), compilerOptions })],
    onwarn: ({ message }) => {
      throw new Error(`The types of src/${name}.ts: ${message}`);
    },
  });
  const file = path.join(out, `${name}.d.ts`);
  await bundle.write({ file, format: 'es', paths: { [testing]: './testing.js' } });
  await bundle.close();
  if (isCommonJsToo) await writeFile(path.join(out, `${name}.d.cts`), await readFile(file));
};

/** Writes all of them again. */
export const buildAllTypes = async () => {
  await rm(out, { recursive: true, force: true });
  for (const entry of entries) await buildTypes(entry);
};

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) await buildAllTypes();
