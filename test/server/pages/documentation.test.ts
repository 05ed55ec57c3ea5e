/** The documentation as a browser, and a coding agent, gets it from a server. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { texts } from '../../support/texts.ts';

const server = await sharedServer();
const client = server.client();
const published = (await startTestServer({ settings: { publicUrl: 'https://pets.example/a/' } })).client();
/** Two pages are files of the repository's root. */
const pages = [
  ...(await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md')),
  'project/changelog.md',
  'project/security.md',
];

const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string);

it('llms.txt has a title, one paragraph of summary, and sections of links with a line each', async () => {
  const reply = await client.get('/llms.txt');
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(reply.text).toMatch(/^# [^\n]+\n\n(?:> [^\n]+\n)+\n[^>]/);
  const [, ...sections] = reply.text.split(/^## /m);
  expect(sections.length).toBeGreaterThan(3);
  for (const section of sections) expect(section).toMatch(/^[^\n]+\n\n(?:- \[[^\]]+\]\([^)]+\): [^\n]+\n)+\n?$/);
});

it('each link of llms.txt leads to a document of this server, without a key', async () => {
  const links = linksOf((await client.get('/llms.txt')).text);
  expect(links).toContain(`${server.url}/_sandbox/openapi.yaml`);
  for (const link of links) {
    expect(link.startsWith(`${server.url}/`), link).toBe(true);
    const reply = await client.get(link.slice(server.url.length));
    expect([link, reply.status]).toEqual([link, 200]);
    expect(reply.text.length).toBeGreaterThan(200);
  }
});

it('each page has one name: in the list, in the navigation and as its title', async () => {
  const listed = [...(await client.get('/llms.txt')).text.matchAll(/^- \[([^\]]+)\]\(\S+?\/docs\/(\S+\.md)\)/gm)];
  expect(listed.map(([, , path]) => path).sort()).toEqual([...pages].sort());
  for (const [, name, path] of listed) {
    const { text } = await client.get(`/docs/${path}`, { accept: 'text/html' });
    expect([path, plainOf(/<h1 id="[^"]+">(.*?)<\/h1>/.exec(text)?.[1])]).toEqual([path, name]);
    expect(text).toContain(`aria-current="page">${name}</a>`);
  }
});

const plainOf = (html = ''): string => html.replaceAll(/<[^>]+>/g, '');

it('links and examples have the public address of the server, if it is configured', async () => {
  expect(linksOf((await published.get('/llms.txt')).text)).toContain('https://pets.example/a/docs/concepts.md');
  for (const accept of ['text/html', 'text/markdown']) {
    const { text } = await published.get('/docs/guides/requests.md', { accept });
    expect(text).toContain('https://pets.example/a');
    expect(text).not.toContain('127.0.0.1:4020');
  }
});

it('every page runs only scripts of its server, and each of its links and pictures leads somewhere in a browser', async () => {
  const anchors = new Map<string, Set<string>>();
  const links: [page: string, link: string][] = [];
  const visit = async (path: string): Promise<void> => {
    if (anchors.has(path)) return;
    anchors.set(path, new Set());
    const reply = await client.get(path, { accept: 'text/html,*/*;q=0.8' });
    expect([path, reply.status]).toEqual([path, path === '/docs/no/such-page' ? 404 : 200]);
    if (!path.startsWith('/docs/') || /\.(?:png|svg|webp)$/.test(path)) return;
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['content-security-policy']).not.toContain('unsafe');
    expect(reply.text).not.toMatch(/<style|<script(?! type="module" src="(?:\.\.\/)+assets\/)|\sstyle=|(?<!\$)\{\{\w/);
    anchors.set(path, new Set([...reply.text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
    for (const [, link = ''] of reply.text.matchAll(/ (?:href|src|srcset)="([^"]+)"/g)) {
      const url = new URL(link, server.url + path);
      if (url.origin !== server.url) continue;
      links.push([path, url.pathname + url.hash]);
      await visit(url.pathname);
    }
  };
  await visit('/docs/');
  await visit('/docs/no/such-page');
  expect(pages.filter((name) => !anchors.has(`/docs/${name}`))).toEqual([]);
  const broken = links.filter(([, link]) => {
    const [path = '', anchor] = link.split('#');
    return anchor !== undefined && path.startsWith('/docs/') && !anchors.get(path)?.has(anchor);
  });
  expect(broken).toEqual([]);
});

it('a program gets a page as Markdown, without links to files that are not served', async () => {
  const reply = await client.get('/docs/');
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8', vary: 'Accept' });
  const moved = await client.get('/docs');
  expect([moved.status, moved.headers.location]).toEqual([308, 'docs/']);
  for (const link of linksOf(reply.text).filter((target) => target.endsWith('.md'))) {
    const page = await client.get(`/docs/${link}`, { accept: 'text/markdown, text/html' });
    expect([link, page.status, page.text.includes('<html')]).toEqual([link, 200, false]);
    expect(page.text).not.toMatch(/\]\((?:\.\.\/)+(?:src|spec|examples|scripts)\//);
  }
});

it.each(
  texts(
    'none.md | llms.txt.md | guides/../../README.md | ..%2fREADME.md | %2e%2e%2fREADME.md | .md',
    '/concepts.md | guides/../concepts.md | guides%2f..%2fREADME.md | guides/%2e%2e/README.md | guides/',
    'guides | A.md',
  ),
)('nothing else of the folder is served, nor anything outside of it: %s', async (name) => {
  const reply = await client.get(`/docs/${name}`);
  expect([reply.status, reply.json.code]).toEqual([404, 'not_found']);
});

it('the name of a page without its ending leads to the page', async () => {
  const reply = await client.get('/docs/guides/dashboard', { accept: 'text/html' });
  expect([reply.status, reply.headers.location]).toEqual([308, 'dashboard.md']);
});

it.each(['/llms.txt', '/docs', '/docs/', '/docs/concepts.md'])('%s can only be read', async (path) => {
  const reply = await client.delete(path);
  expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
  expect((await client.send({ method: 'HEAD', path })).status).toBe(path === '/docs' ? 308 : 200);
});

it('the index of the search has every heading of every page, with an anchor that is there', async () => {
  const parts: { path: string }[] = (await client.get('/docs/search.json')).json;
  expect(new Set(parts.map(({ path }) => path.split('#')[0]))).toEqual(new Set(pages));
  for (const page of pages) {
    const { text } = await client.get(`/docs/${page}`, { accept: 'text/html' });
    const ids = [...text.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => `${page}#${id}`);
    expect(parts.flatMap(({ path }) => (path.startsWith(`${page}#`) ? [path] : []))).toEqual(ids);
  }
});

it('is built as a static site, in which every link leads somewhere', async () => {
  const folder = await newFolder();
  const buildInto = (target: string) => promisify(execFile)(process.execPath, ['scripts/build-docs.mjs', target]);
  expect((await buildInto(folder)).stdout).toBe(`${pages.length} pages in ${folder}\n`);
  const files = new Set(await readdir(folder, { recursive: true }));
  const broken: string[] = [];
  for (const name of [...files].filter((file) => file.endsWith('.html'))) {
    const text = await readFile(join(folder, name), 'utf8');
    expect(text).not.toContain('class="server"');
    for (const [, link = ''] of text.matchAll(/ (?:href|src|data-index)="([^"]+)"/g)) {
      if (/^https?:|^#/.test(link)) continue;
      const target = join(dirname(name), (link.split('#')[0] as string).replace(/(^|\/)$/, '$1index.html'));
      if (!files.has(target)) broken.push(`${name}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
  await expect(buildInto('docs')).rejects.toThrow('name an empty folder');
});
