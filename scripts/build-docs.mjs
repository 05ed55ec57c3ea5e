// `npm run docs:build [folder]`: the documentation that a server serves at /docs, as a static site. It asks a server of its own
// for every page, so that both are the same.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the pages as they are in the repository. */
const USUAL_ADDRESS = 'http://127.0.0.1:4020';
const root = fileURLToPath(new URL('..', import.meta.url));

/** On a static site a page's name ends in `.html`, the overview is the folder's index, and no server is there. */
const asStatic = (html) =>
  html.replaceAll(/(href="(?!https?:)[^"#]*)\.md(?=[#"])/g, '$1.html').replaceAll(/^.*<a class="server".*\n/gm, '');

const fileOf = (page) => (page === '' ? 'index.html' : page.replace(/\.md$/, '.html'));

/**
 * Writes the site into an empty folder.
 * @param {string} folder @returns {Promise<number>} how many pages it has
 * @throws {Error} for a folder that has something else in it
 */
async function buildDocs(folder) {
  await mkdir(folder, { recursive: true });
  const there = await readdir(folder);
  if (there.length > 0 && !there.includes('docs')) throw new Error(`${folder} has other files; name an empty folder`);
  await rm(path.join(folder, 'docs'), { recursive: true, force: true });
  await rm(path.join(folder, 'assets'), { recursive: true, force: true });

  const { startSandbox } = await import('../dist/index.js');
  const server = await startSandbox({ publicUrl: USUAL_ADDRESS });
  const origin = new URL(server.url).origin;
  const write = async (name, contents) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  };
  const get = async (target, accept = '*/*') => {
    const response = await fetch(origin + target, { headers: { accept } });
    if (response.status !== 200) throw new Error(`GET ${target}: ${response.status}`);
    return response;
  };
  try {
    const names = await readdir(path.join(root, 'docs'), { recursive: true });
    const listed = (await (await get('/llms.txt')).text()).matchAll(/^- \[[^\]]+\]\(\S+?\/docs\/(\S+\.md)\)/gm);
    const pages = ['', ...Array.from(listed, ([, name]) => name)];
    const assets = new Set();
    for (const page of pages) {
      const html = await (await get(`/docs/${page}`, 'text/html')).text();
      for (const [, asset] of html.matchAll(/"(?:\.\.\/)+assets\/([^"]+)"/g)) assets.add(asset);
      await write(`docs/${fileOf(page)}`, asStatic(html));
    }
    for (const picture of names.filter((name) => /\.(?:png|svg|webp)$/.test(name)))
      await write(`docs/${picture}`, Buffer.from(await (await get(`/docs/${picture}`)).arrayBuffer()));
    for (const name of ['openapi.yaml', 'openapi.json', 'control-api.yaml', 'control-api.json'])
      await write(`_sandbox/${name}`, await (await get(`/_sandbox/${name}`)).text());
    const parts = await (await get('/docs/search.json')).json();
    await write(
      'docs/search.json',
      JSON.stringify(parts.map((part) => ({ ...part, path: part.path.replace('.md#', '.html#') }))),
    );
    // A script names the parts that it loads later.
    for (const asset of assets) {
      const bytes = Buffer.from(await (await get(`/assets/${asset}`)).arrayBuffer());
      await write(`assets/${asset}`, bytes);
      if (asset.endsWith('.js'))
        for (const [, part] of bytes.toString().matchAll(/["']\.\/([\w-]+-[A-Z0-9]{8}\.js)["']/g)) assets.add(part);
    }
    await write(
      'index.html',
      '<!doctype html>\n<meta charset="utf-8">\n<title>Petstore sandbox</title>\n<meta http-equiv="refresh" content="0; url=docs/">\n<a href="docs/">Documentation</a>\n',
    );
    // GitHub Pages then serves every file as it is.
    await write('.nojekyll', '');
    return pages.length;
  } finally {
    await server.close();
  }
}

const folder = path.resolve(process.argv[2] ?? 'site');
try {
  console.log(`${await buildDocs(folder)} pages in ${folder}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
