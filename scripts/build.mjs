// Bundles src/ into dist/: one ES module for each way in, and the chunks they share. `npm start` goes through here,
// so it has to be quick.
import { realpathSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './build-dashboard.mjs';
import { buildOperations } from './build-operations.mjs';
import { esbuild } from './esbuild.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The program, the library, what tests use, and the judge's worker. Their files in dist/ are flat: `dist/cli.js`. */
export const entryPoints = [
  'src/cli.ts',
  'src/index.ts',
  'src/testing.ts',
  'src/vitest.ts',
  'src/vitest-setup.ts',
  'src/judge/referee.ts',
];

// Bundled CommonJS packages still call `require` for Node's own modules, and an ES module has none.
const banner =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

/** Parts of Express that its router does not need; what is used must not be left out, and the tests would see it. */
const leftOut = fileURLToPath(new URL('left-out.cjs', import.meta.url));
const noTypes = fileURLToPath(new URL('no-types.json', import.meta.url));

/** Renamed into place, so that a process that starts meanwhile finds the old file or the new one, whole. */
const replaceFile = async ({ path: file, contents }) => {
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, contents);
  if (file.endsWith(`${path.sep}cli.js`)) await chmod(draft, 0o755);
  await rename(draft, file);
};

/** Leaves no file of an earlier build behind: an old chunk would only be dead weight. */
const removeOthers = async (outdir, written) => {
  const keep = new Set(written.map((file) => path.basename(file)));
  const entries = await readdir(outdir, { withFileTypes: true });
  const stale = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp') && !keep.has(entry.name));
  await Promise.all(stale.map((entry) => rm(path.join(outdir, entry.name), { force: true })));
};

/**
 * Bundles everything, dependencies and the dashboard included; throws on any error or warning of the bundler.
 * @param {{ entries?: string[], outdir?: string }} [options] entries relative to the root of the repository.
 * @returns {Promise<{ name: string, bytes: number }[]>} what was written
 */
export const build = async ({ entries = entryPoints, outdir = path.join(root, 'dist') } = {}) => {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // The runner of the user's tests is the user's own.
    external: ['vitest'],
    // Names are left alone, so that a stack trace in a log can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'linked',
    alias: { 'body-parser': leftOut, 'mime-db': noTypes },
    banner: { js: banner },
    write: false,
    logLevel: 'silent',
  });
  if (result.warnings.length > 0) {
    const texts = await esbuild.formatMessages(result.warnings, { kind: 'warning', color: false });
    throw new Error(`The bundler warns; mend it or name the exception in scripts/build.mjs:\n${texts.join('')}`);
  }
  await mkdir(outdir, { recursive: true });
  await Promise.all(result.outputFiles.map(replaceFile));
  const operations = await buildOperations(outdir);
  await removeOthers(outdir, [operations, ...result.outputFiles.map((file) => file.path)]);
  const pages = await buildDashboard(path.join(outdir, 'dashboard'));
  return [
    ...result.outputFiles.map((file) => ({ name: path.basename(file.path), bytes: file.contents.length })),
    ...pages,
  ];
};

// The real path: the repository may be reached through a link.
if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  try {
    const files = await build();
    if (process.argv.includes('--list')) {
      for (const { name, bytes } of files) console.log(`${String(Math.ceil(bytes / 1024)).padStart(6)} KiB  ${name}`);
    }
  } catch (error) {
    // A failed build of esbuild carries its own readable list of what is wrong.
    console.error(error.message);
    process.exitCode = 1;
  }
}
