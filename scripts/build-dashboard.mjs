// Bundles the dashboard and the frame of the documentation into dist/dashboard: pages that name their files by content hash.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const app = 'src/dashboard';

/** The files named by the pages; `{{main.js}}` in a page becomes `main-QX2W4ZTB.js`. */
const entryPoints = {
  main: `${app}/app.tsx`,
  look: `${app}/styles/look.css`,
  docs: `${app}/docs/docs.ts`,
  'docs-look': `${app}/docs/docs.css`,
  icon: `${app}/icon.svg`,
};

const pages = {
  index: `${app}/index.html`,
  docs: `${app}/docs/docs.html`,
};

/** What `build-pages.mjs` fills in, and the server. */
const SERVED = new Set(['title', 'root', 'version', 'navigation', 'sections', 'neighbors', 'page']);

/** Written by renaming, so that a running server reads either the old file or the new one. */
const writeWhole = async (file, contents) => {
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, contents);
  await rename(draft, file);
};

const filledIn = (page, names) =>
  page.replaceAll(/\{\{([\w.-]+)\}\}/g, (part, key) => {
    if (SERVED.has(key)) return part;
    if (!names.has(key)) throw new Error(`a page names ${key}, which is not built`);
    return names.get(key);
  });

/**
 * Builds the pages into a folder; throws on any error or warning of the bundler.
 * @param {string} outdir
 * @returns {Promise<{ files: { name: string, bytes: number }[], metafile: import('esbuild').Metafile }>} the pages' files
 */
export const buildDashboard = async (outdir) => {
  const assets = path.join(outdir, 'assets');
  await mkdir(assets, { recursive: true });
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints,
    outdir: assets,
    entryNames: '[name]-[hash]',
    // What is seldom used is loaded when it is: a file for each `import()`, and files for what they share.
    splitting: true,
    chunkNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' },
    target: ['chrome120', 'firefox120', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    // The bundler would look for the tsconfig of each file; all its options are here.
    tsconfigRaw: {},
    legalComments: 'external',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  if (result.warnings.length > 0) {
    const texts = await esbuild.formatMessages(result.warnings, { kind: 'warning', color: false });
    throw new Error(`The bundler warns of the dashboard:\n${texts.join('')}`);
  }
  const files = result.outputFiles.map(({ path: file, contents }) => ({ name: path.basename(file), file, contents }));
  // A file's name contains its content's hash: an existing file is up to date.
  await Promise.all(files.map(({ file, contents }) => existsSync(file) || writeWhole(file, contents)));
  const names = new Map(files.map(({ name }) => [name.replace(/-[A-Z0-9]{8}\./, '.'), name]));
  for (const [name, source] of Object.entries(pages)) {
    const page = await readFile(path.join(root, source), 'utf8');
    await writeWhole(path.join(outdir, `${name}.html`), filledIn(page, names));
  }
  await removeOthers(assets, new Set(files.map(({ name }) => name)));
  const sizes = files.map(({ name, contents }) => ({ name: `dashboard/assets/${name}`, bytes: contents.length }));
  return { files: sizes, metafile: result.metafile };
};

const removeOthers = async (folder, names) => {
  const stale = (await readdir(folder)).filter((name) => !name.endsWith('.tmp') && !names.has(name));
  await Promise.all(stale.map((name) => rm(path.join(folder, name), { force: true })));
};
