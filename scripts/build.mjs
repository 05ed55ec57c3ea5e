// Bundles src/ into dist/. `npm start` runs this, so it has to be quick.
import { realpathSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './build-dashboard.mjs';
import { buildFixtures } from './build-fixtures.mjs';
import { buildOperations } from './build-operations.mjs';
import { renderPages } from './build-pages.mjs';
import { bundle } from './bundle.mjs';
import { licensesOf } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Says what is built, for `build-once.mjs`; it is not packed. */
export const BUILT = path.join(root, 'dist/built.tmp');

/** Written by renaming, so that a starting process finds either the old file or the new one. */
const replaceFile = async ({ path: file, contents }) => {
  const draft = `${file}.${process.pid}.tmp`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(draft, contents);
  if (file.endsWith(`${path.sep}cli.cjs`)) await chmod(draft, 0o755);
  await rename(draft, file);
};

/** Deletes the files of earlier builds: old chunks would only waste space, and old pages would be served. */
const removeOthers = async (folder, written, recursive = false) => {
  const keep = new Set(written);
  const entries = await readdir(folder, { withFileTypes: true, recursive });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const stale = files.filter((file) => !file.endsWith('.tmp') && !keep.has(file));
  await Promise.all(stale.map((file) => rm(file, { force: true })));
};

/**
 * Bundles everything, including dependencies and the dashboard; throws on any error or warning of the bundler.
 * @returns {Promise<{ files: { name: string, bytes: number }[], metafiles: import('esbuild').Metafile[] }>} the written
 * files, and what the bundler reports of them
 */
export const build = async () => {
  await rm(BUILT, { force: true });
  const outdir = path.join(root, 'dist');
  const { files, metafiles: bundles } = await bundle({ outdir });
  await Promise.all(files.map(replaceFile));
  const operations = await buildOperations(outdir);
  await buildFixtures(outdir);
  const dashboard = await buildDashboard(path.join(outdir, 'dashboard'));
  const docs = path.join(outdir, 'docs');
  const pages = await renderPages(docs, path.join(outdir, 'dashboard/docs.html'));
  await Promise.all(pages.map(replaceFile));
  await removeOthers(
    docs,
    pages.map((page) => page.path),
    true,
  );
  const metafiles = [...bundles, dashboard.metafile];
  const licenses = { path: path.join(outdir, 'LICENSES'), contents: await licensesOf(metafiles) };
  await replaceFile(licenses);
  await removeOthers(outdir, [operations, licenses.path, ...files.map((file) => file.path)]);
  const written = files.map((file) => ({ name: path.basename(file.path), bytes: file.contents.length }));
  return { files: [...written, ...dashboard.files], metafiles };
};

// The real path: the repository may be reached through a link.
if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  try {
    const { files } = await build();
    if (process.argv.includes('--list')) {
      for (const { name, bytes } of files) console.log(`${String(Math.ceil(bytes / 1024)).padStart(6)} KiB  ${name}`);
    }
  } catch (error) {
    // An error of esbuild contains its own readable list of problems.
    console.error(error.message);
    process.exitCode = 1;
  }
}
