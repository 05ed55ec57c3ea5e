/** `/llms.txt` and the pages that it lists, as a coding agent gets them from a server. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string);

it('llms.txt has a title, one paragraph of summary, and sections of links with a line each', async () => {
  const reply = await server.client().get('/llms.txt');
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(reply.text).toMatch(/^# [^\n]+\n\n(?:> [^\n]+\n)+\n[^>]/);
  const [, ...sections] = reply.text.split(/^## /m);
  expect(sections.length).toBeGreaterThan(3);
  for (const section of sections) expect(section).toMatch(/^[^\n]+\n\n(?:- \[[^\]]+\]\([^)]+\): [^\n]+\n)+\n?$/);
});

it('every link of llms.txt leads to a document of this server, without a key', async () => {
  const links = linksOf((await server.client().get('/llms.txt')).text);
  expect(links).toContain(`${server.url}/_sandbox/openapi.yaml`);
  for (const link of links) {
    expect(link.startsWith(`${server.url}/`), link).toBe(true);
    const reply = await server.client().get(link.slice(server.url.length));
    expect([link, reply.status]).toEqual([link, 200]);
    expect(reply.text.length).toBeGreaterThan(500);
  }
});

it('llms.txt lists every page of docs/', async () => {
  const pages = (await readdir('docs', { recursive: true })).filter((name) => name.endsWith('.md'));
  const text = await readFile('docs/llms.txt', 'utf8');
  expect(pages.filter((name) => !linksOf(text).includes(name))).toEqual([]);
});

it('the links have the public address of the server, if it is configured', async () => {
  const published = await startTestServer({ settings: { publicUrl: 'https://pets.example/a/' } });
  const links = linksOf((await published.client().get('/llms.txt')).text);
  expect(links).toContain('https://pets.example/a/docs/concepts.md');
});

it('a page is the Markdown of the repository', async () => {
  for (const path of ['docs/concepts.md', 'docs/guides/faults.md']) {
    const reply = await server.client().get(`/${path}`);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(reply.text).toBe(await readFile(path, 'utf8'));
  }
});

it('nothing else of the folder is served, nor anything outside of it', async () => {
  for (const name of [
    'none.md',
    'llms.txt',
    'dashboard-dark.png',
    '..%2fREADME.md',
    '%2e%2e%2fREADME.md',
    '.md',
    '/concepts.md',
    'guides/../concepts.md',
    'guides%2f..%2fconcepts.md',
    'guides/%2e%2e/concepts.md',
    'guides/',
    'guides',
    'A.md',
  ]) {
    const reply = await server.client().get(`/docs/${name}`);
    expect([name, reply.status, reply.json.code]).toEqual([name, 404, 'not_found']);
  }
});

it('both paths can only be read', async () => {
  for (const path of ['/llms.txt', '/docs/concepts.md']) {
    const reply = await server.client().send({ method: 'DELETE', path });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await server.client().send({ method: 'HEAD', path })).status).toBe(200);
  }
});
