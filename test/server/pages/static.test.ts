/** The pages and their files, as a browser gets them. */
import { describe, expect, it } from 'vitest';
import { send } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { texts } from '../../support/texts.ts';

const server = await startTestServer();
const client = server.client();

/** What the first view's scripts and styles may weigh. */
const MAX_FIRST_BYTES = 150_000;

/** The dashboard, and a page of the documentation with a reference. */
const PAGES = ['/', '/docs/reference/petstore-api.md'];
const HTML = { accept: 'text/html' };

const namesIn = (page: string): string[] =>
  [...page.matchAll(/(?:href|src)="(?:\.\.\/)*(assets\/[^"]+)"/g)].map(([, name]) => `/${name}`);

it('an address that cannot be decoded is 400 wherever it leads, without a word in the log', async () => {
  for (const path of ['/assets/%zz', '/assets/%', '/_sandbox/snapshots/%zz', '/_sandbox/requests/%ff']) {
    const { status, json } = await client.get(path);
    expect([path, status, json.code]).toEqual([path, 400, 'invalid_request']);
    expect(json.message).toContain('has a bad percent-encoding');
  }
  expect((await client.get('/%zz')).status).toBe(404);
  expect(server.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
});

describe('the dashboard page', () => {
  it('is served at the root, under a policy that lets only its own files run', async () => {
    const page = await client.get('/');
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(page.headers['content-security-policy']);
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy.split('; ')).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it('holds no script and no style of its own, and names no other server', async () => {
    for (const path of PAGES) {
      const { text } = await client.get(path, HTML);
      expect(text).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/i);
      expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      expect(namesIn(text).length).toBeGreaterThan(2);
    }
  });

  it('names files that may be kept for ever', async () => {
    for (const page of PAGES)
      for (const path of namesIn((await client.get(page, HTML)).text))
        expect(await send(server.url, { path })).toMatchObject({
          status: 200,
          headers: { 'cache-control': 'public, max-age=31536000, immutable' },
        });
  });

  it('weighs at most 150 kB of script and style, and names every script that it loads at once', async () => {
    const files = namesIn((await client.get('/')).text).filter((name) => /\.(js|css)$/.test(name));
    const sources = await Promise.all(files.map(async (path) => (await send(server.url, { path })).text));
    const bytes = sources.join('').length;
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_BYTES);
    for (const text of sources) {
      const imports = [...text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name]) => `/assets/${name}`);
      expect(files).toEqual(expect.arrayContaining(imports));
    }
  });

  it('answers HEAD, rejects other methods, and knows no other file', async () => {
    expect((await client.send({ method: 'HEAD', path: '/' })).status).toBe(200);
    const posted = await client.post('/', {});
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    const none = texts('main.js | ..%2Findex.html | main-AAAAAAAA.js | ').map((name) => `/assets/${name}`);
    for (const path of [...none, '/index.html']) expect((await client.get(path)).status, path).toBe(404);
  });
});
