// Renders docs/ for the server: each page as Markdown with links that it serves, and in the frame of the pages, and the
// index of their search. The server puts in its address and the way to its root.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageOf, pathsIn, searchIndexOf } from './pages/site.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => readFile(path.join(root, file), 'utf8');

/** Pages that code hosts expect next to the README. */
const AT_ROOT = { 'project/changelog.md': 'CHANGELOG.md', 'project/security.md': 'SECURITY.md' };

const NO_SUCH_PAGE = '# No such page\n\nNothing is at this address. Search, or choose a page from the list.\n';

/** A file of the repository's root, as if it were in a folder of `docs/`. */
const withLinksFromRoot = (text) =>
  text.replaceAll('](docs/', '](../').replaceAll(/\]\((?=[\w./-]+\.(?:md|yaml)\b)(?!\.\.)/g, '](../../');

/** The list for `/llms.txt`, whose links name the server. */
const withAddress = (text) =>
  text
    .replaceAll('](../', '](http://127.0.0.1:4020/')
    .replaceAll(/\]\((?=[a-z-]+(?:\/[a-z-]+)*\.md)/g, '](http://127.0.0.1:4020/docs/');

/** Links out of `docs/` lead to a specification that is served elsewhere, or name a file of the repository. */
const withServedLinks = (text, page) =>
  text.replaceAll(/\[([^[\]]+)\]\((\.\.\/[^)#]*)(?:#[^)]*)?\)/g, (link, words, target) => {
    const file = path.posix.join('docs', path.posix.dirname(page), target);
    if (file.startsWith('docs/')) return link;
    const served = Object.keys(AT_ROOT).find((name) => AT_ROOT[name] === file);
    if (served !== undefined) return link.replace(target, path.posix.relative(path.posix.dirname(page), served));
    if (file.startsWith('spec/')) return link.replace('/spec/', '/_sandbox/');
    return `${words} (\`${file}\` in the repository)`;
  });

const readMarkdown = async (page) => {
  const text = await read(AT_ROOT[page] ?? `docs/${page}`);
  return withServedLinks(page in AT_ROOT ? withLinksFromRoot(text) : text, page);
};

/**
 * @param {string} folder for the pages
 * @param {string} frame the file that `build-dashboard.mjs` wrote
 * @returns {Promise<{ path: string, contents: string }[]>} the files to write
 */
export const renderPages = async (folder, frame) => {
  const list = withServedLinks(await read('docs/llms.txt'), 'llms.txt');
  const { version } = JSON.parse(await read('package.json'));
  const site = { frame: await readFile(frame, 'utf8'), index: list, version };
  const pages = await Promise.all(
    pathsIn(list).map(async (name) => ({ path: name, markdown: await readMarkdown(name) })),
  );
  const files = {
    'llms.txt': withAddress(list),
    'list.txt': list,
    'search.json': JSON.stringify(searchIndexOf(pages, list)),
    'no-page.html': pageOf({ path: '', markdown: NO_SUCH_PAGE }, site),
  };
  for (const page of pages) {
    files[page.path] = page.markdown;
    files[`${page.path}.html`] = pageOf(page, site);
  }
  return Object.entries(files).map(([name, contents]) => ({ path: path.join(folder, name), contents }));
};
