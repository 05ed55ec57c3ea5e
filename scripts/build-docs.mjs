// `npm run docs:build [folder]`: the documentation that a server serves at /docs, as a static site: the same files.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** On a static site a page's name ends in `.html`, and no server is there. */
const asStatic = (html, page) =>
  html
    .replaceAll('{{root}}', '../'.repeat(page.split('/').length))
    .replaceAll(/(href="(?!https?:)[^"#]*)\.md(?=[#"])/g, '$1.html')
    .replaceAll(/^.*<a class="server".*\n/gm, '');

/**
 * Writes the site into an empty folder.
 * @param {string} folder @returns {Promise<number>} how many pages it has
 * @throws {Error} for a folder that has something else in it
 */
async function buildDocs(folder) {
  await mkdir(folder, { recursive: true });
  const there = await readdir(folder);
  if (there.length > 0 && !there.includes('docs')) throw new Error(`${folder} has other files; name an empty folder`);
  for (const name of ['docs', 'assets', '_sandbox'])
    await rm(path.join(folder, name), { recursive: true, force: true });

  const copy = (from, to, filter) =>
    cp(path.join(root, from), path.join(folder, to), { recursive: true, filter: (name) => !filter?.test(name) });
  await copy('docs', 'docs', /\.(?:md|txt)$/);
  await copy('dist/dashboard/assets', 'assets', /\.(?:br|gz|tmp)$/);
  for (const [spec, api] of [
    ['openapi', 'petstore'],
    ['control-api', 'control-api'],
  ]) {
    await copy(`spec/${spec}.yaml`, `_sandbox/${spec}.yaml`);
    await copy(`src/base/generated/${api}.json`, `_sandbox/${spec}.json`);
  }

  const built = path.join(root, 'dist/docs');
  const pages = (await readdir(built, { recursive: true })).filter((name) => name.endsWith('.md.html'));
  for (const page of pages) {
    const html = await readFile(path.join(built, page), 'utf8');
    await writeFile(path.join(folder, 'docs', page.replace('.md', '')), asStatic(html, page));
  }
  const index = await readFile(path.join(built, 'search.json'), 'utf8');
  await writeFile(path.join(folder, 'docs/search.json'), index.replaceAll(/("path":"[^"#]*)\.md#/g, '$1.html#'));
  await writeFile(
    path.join(folder, 'index.html'),
    '<!doctype html>\n<meta charset="utf-8">\n<title>Petstore sandbox</title>\n<meta http-equiv="refresh" content="0; url=docs/">\n<a href="docs/">Documentation</a>\n',
  );
  // GitHub Pages then serves every file as it is.
  await writeFile(path.join(folder, '.nojekyll'), '');
  return pages.length;
}

const folder = path.resolve(process.argv[2] ?? 'site');
try {
  console.log(`${await buildDocs(folder)} pages in ${folder}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
