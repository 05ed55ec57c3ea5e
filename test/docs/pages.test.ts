/** Every page: its lines work when pasted, in the order of the page, and its links lead somewhere. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { allPages, paste, SHOWN_ADDRESS } from './pages.ts';

/** What each block of a page prints. */
const PRINTED: Record<string, readonly RegExp[]> = {
  'docs/operate/https.md': [/^\[\{"id":1,.*contract check passed/s],
  'docs/reference/control-api.md': [/"triggered":0.*"now":"2030-12-05T.*\n\? contract check incomplete/s],
  'docs/llms.txt': [/^\[\{"id":1,.*"verdict":"pass"/s],
  'examples/skill/SKILL.md': [
    /^$/,
    /exit code 22$/,
    /- limit=500\n {4}\+ limit=100\n.*\n✗ contract check failed: /s,
    /^\[\{"id":1,.*contract check passed/s,
    /drills passed \(1 request = 1 with an injected fault, writes 1 of 1\)$/,
  ],
};

/** Of a block without shown output: no response may be an error. */
const NO_ERROR = /^(?![\s\S]*"status":\s*[45]\d\d)/;

/** What a page shows as output: `…` stands for anything. */
const patternOf = (shown: string): RegExp => {
  const parts = shown.trim().replaceAll(SHOWN_ADDRESS, server.url).split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}$`);
};

const pages = await allPages();
const pasted = pages
  .map(({ file, blocks }) => ({ file, blocks: blocks.filter(({ notRun }) => notRun === undefined) }))
  .filter(({ blocks }) => blocks.length > 0);

const server = await startTestServer();

describe('lines of', () => {
  it.each(pasted)('$file work when pasted', { timeout: limit(60_000) }, async ({ file, blocks }) => {
    const lines = blocks.map(({ text }) => text);
    const { secret: key, sandbox } = await server.sandboxes.create({});
    const env = {
      ADMIN_TOKEN: server.adminToken,
      SANDBOX_URL: `${server.url}/${sandbox.id}/v1`,
      SANDBOX_KEY: key,
    };
    const printed = await paste(lines, { url: server.url, key, sandbox: sandbox.id, env });
    const expected = PRINTED[file] ?? blocks.map(({ prints }) => (prints === undefined ? NO_ERROR : patternOf(prints)));
    expect(printed).toHaveLength(expected.length);
    for (const [at, pattern] of expected.entries()) expect(printed[at]).toMatch(pattern);
  });

  it('pages that are gone are expected of no longer', () => {
    expect(pasted.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(PRINTED)));
  });

  it('a page fail where a command does', async () => {
    const lines = ['echo before', 'false | cat\necho after'];
    await expect(paste(lines, { url: server.url })).rejects.toThrow(/false \| cat/);
  });
});

describe('links', () => {
  it('lead to files and headings that are there', () => {
    const links = pages.flatMap(({ file, links }) => links.map((link) => ({ file, link })));
    const broken = links.filter(({ file, link }) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : posix.join(posix.dirname(file), path);
      if (anchor === undefined) return !existsSync(target);
      return !pages.find((page) => page.file === target)?.anchors.has(anchor);
    });
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
  });

  it('and the paths that ARCHITECTURE.md names are there', async () => {
    const text = await readFile('ARCHITECTURE.md', 'utf8');
    const paths = [...text.matchAll(/(?<![\w./@-])((?:[\w-]+\/)*[\w-]+\.tsx?|(?:[\w-]+\/)+)(?=[`,\s:(\]])/g)];
    const named = paths.map(([, path = '']) => path).filter((path) => path !== 'dist/');
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => !existsSync(`src/${path}`) && !existsSync(path))).toEqual([]);
  });

  it('of packed pages lead to files that are packed too', async () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 2 ** 24 });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const isPacked = (file: string): boolean => files.some(({ path }) => path === file || path.startsWith(`${file}/`));
    const own = pages.filter(({ file }) => isPacked(file));
    expect(own.length).toBeGreaterThan(20);
    const targets = own.flatMap(({ file, links }) =>
      links.filter((link) => !link.startsWith('#')).map((link) => posix.join(posix.dirname(file), link)),
    );
    expect(targets.filter((target) => !isPacked(target.replace(/\/?(#.*)?$/, '')))).toEqual([]);
  });
});

it('no command hides in a block of no language, or of another', () => {
  const languages = new Set(pages.flatMap((page) => page.languages));
  expect([...languages].sort().join(' ')).toBe('go java json mermaid powershell python ruby sh text toml ts yaml');
});
