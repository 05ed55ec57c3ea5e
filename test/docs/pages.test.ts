/** Every page: its lines work when pasted, in the order of the page, and its links lead somewhere. */
import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allPages, brokenLinks, parsePage, paste } from '../support/pages.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

/** What each block of a page prints. */
const PRINTED: Record<string, readonly RegExp[]> = {
  'README.md': [
    /^\[\{"id":1,"name":"Biscuit","categoryId":1,"status":"available"\}\]$/,
    /^\{"code":"invalid_request","message":"query\/limit: must be a plain integer from 1 to 100; got \\"500\\"","status":400\}$/,
  ],
  'docs/reference/errors.md': [/^\{"code":"unauthorized","message":"no API key was sent; .*","status":401\}$/],
  'docs/start/client.md': [
    /^\[\{"id":1,.*\},\{"id":2,.*\}\]$/,
    /^\{"id":13,"name":"Rex","categoryId":1,"status":"available"\}\n\{"sandboxes":1,.*"nextId":13\}\}$/,
    /"now":"2030-12-05T00:00:00.000Z".*HTTP\/1\.1 410 Gone.*Link: <\/v1\/pets>; rel="successor-version"/s,
  ],
  'docs/guides/ci.md': [
    /^\[\{"id":1,.*\}\]$/,
    /^added 1000 pets, ids 1 to 1000, seed 1$/,
    /^saved before: 1000 pets\nreset \w+ to snapshot before: 1000 pets, next id 1001$/,
    /^as expected: 1 request\n[\s\S]*contract check passed \(/,
    /^\{"sandboxes":\[.*petstore_sandbox_requests_total\{.*\{"sandboxes":\d+\}$/s,
  ],
  'docs/reference/cli.md': [/saved twenty: 20 pets.*to snapshot twenty: 20 pets, next id 21/s, /^\[\{"id":1,.*\}\]$/],
  'docs/guides/faults.md': [
    /^$/,
    /HTTP\/1\.1 503 .*Retry-After: 2.*"injected_fault".*"triggered":1\}\]\}$/s,
    /"delayMs":200,"probability":0.2,"seed":7/,
    /"pattern":"xx\.".*"requests":10.*"petId":"2".*"vary":\["field","order","space"\]/s,
    /HTTP\/1\.1 503 .*HTTP\/1\.1 500 .*\[\{"id":1,[^\]]*$/s,
  ],
  'docs/operate/https.md': [/^\[\{"id":1,.*\}\]$/],
  'docs/reference/rules.md': [/^\{"code":"invalid_request",.*\}$/],
  'docs/guides/report.md': [
    /"code":"invalid_request".*"verdict":"fail","reasons":\["1 violation of the specification",/s,
    /^report\.html\nreport\.sarif\nreport\.xml$/,
  ],
  'docs/guides/conform.md': [
    /\/v1 conforms \(.*\n {2}note: pets created: .*\/v1 conforms \(/s,
    /the known difference "head" is gone; take it off the list.*\/v1 conforms \(/s,
  ],
  'docs/guides/record.md': [
    /"fixture":"inline".*"nextId":100.*\{"id":42,"name":"Rex","categoryId":1\}.*"nextId":100\}\}$/s,
    /"id":42,.*\n {2}\]\n\}\n?$/s,
    /^\{/,
    /^\{.*petsbx_/s,
  ],
  'docs/concepts.md': [/"name":"before",.*"name":"Rex",.*"operation":"createPet".*"total":12\}.*"nextId":13\}\}$/s],
  'docs/reference/control-api.md': [
    /"firstId":.*"name":"before".*"triggered":0.*"now":"2030-12-05T.*"sandboxes":1.*\ncontract check incomplete/s,
  ],
  'docs/reference/behavior.md': [/^\{"code":"unauthorized",.*\}$/],
  'docs/llms.txt': [/^\[\{"id":1,.*"verdict":"pass"/s],
  'examples/skill/SKILL.md': [
    /^$/,
    /exit code 22$/,
    /Send limit=100 instead of limit=500.*\ncontract check failed: /s,
    /^\[\{"id":1,.*\]$/,
    /^drills passed \(writes 1 of 1\)$/,
  ],
  'docs/guides/requests.md': [
    /body\/categoryId: is required/,
    /"message":"Request body must have required property 'categoryId'".*did you mean `categoryId`\?/s,
    /"target":"\/v1\/pets"/,
    /"reason":"no-credential"/,
    /^\{"matched":1,"requests":\["req_\w+"\]\}$/,
    /: the events of this sandbox/,
  ],
};

const pages = await allPages();
const pasted = pages
  .map(({ file, blocks }) => ({ file, blocks: blocks.filter(({ notRun }) => notRun === undefined) }))
  .filter(({ blocks }) => blocks.length > 0);

const server = await startTestServer();
const key = (await server.sandboxes.create({})).secret;

describe('lines of', () => {
  it.each(pasted)('$file work when pasted', { timeout: limit(60_000) }, async ({ file, blocks }) => {
    const lines = blocks.map(({ text }) => text);
    const printed = await paste(lines, { url: server.url, env: { ADMIN_TOKEN: server.adminToken, SANDBOX_KEY: key } });
    const expected = PRINTED[file];
    if (expected === undefined) expect(printed.join('\n')).not.toMatch(/"status":\s*[45]\d\d/);
    else {
      expect(printed).toHaveLength(expected.length);
      for (const [at, pattern] of expected.entries()) expect(printed[at]).toMatch(pattern);
    }
  });

  it('pages that are gone are expected of no longer', () => {
    expect(pasted.map(({ file }) => file)).toEqual(expect.arrayContaining(Object.keys(PRINTED)));
  });

  it('one page fail where a command does', async () => {
    const { blocks } = parsePage('x.md', '```sh\necho before\n```\n\n```sh\nfalse | cat\necho after\n```\n');
    const lines = blocks.map(({ text }) => text);
    await expect(paste(lines, { url: server.url })).rejects.toThrow(/false \| cat/);
  });
});

describe('links', () => {
  const exists = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );

  it('lead to files and headings that are there', async () => {
    const broken = await Promise.all(pages.map((page) => brokenLinks(page, pages, exists)));
    expect(broken.flat()).toEqual([]);
    expect(pages.flatMap(({ links }) => links).length).toBeGreaterThan(20);
  });

  it('and the paths that ARCHITECTURE.md names are there', async () => {
    const text = await readFile('ARCHITECTURE.md', 'utf8');
    const paths = [...text.matchAll(/(?<![\w./@-])((?:[\w-]+\/)*[\w-]+\.tsx?|(?:[\w-]+\/)+)(?=[`,\s:(\]])/g)];
    const named = paths.map(([, path = '']) => path).filter((path) => path !== 'dist/');
    expect(named.length).toBeGreaterThan(60);
    const found = await Promise.all(named.map(async (path) => (await exists(`src/${path}`)) || exists(path)));
    expect(named.filter((_, at) => !found[at])).toEqual([]);
  });

  it('of packed pages lead to files that are packed too', async () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 2 ** 24 });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => path);
    const isPacked = (file: string): boolean => packed.some((path) => path === file || path.startsWith(`${file}/`));
    const own = pages.filter(({ file }) => isPacked(file));
    expect(own.length).toBeGreaterThan(20);
    const missing = own.flatMap(({ file, links }) =>
      links
        .filter((link) => !link.startsWith('#'))
        .map((link) => posix.join(posix.dirname(file), link.replace(/\/?(#.*)?$/, '')))
        .filter((target) => !isPacked(target)),
    );
    expect(missing).toEqual([]);
  });

  it('are seen to lead nowhere', async () => {
    const page = parsePage(
      'docs/x.md',
      '# One\n[a](concepts.md) [b](concepts.md#no) [c](none.md) [d](#one) [e](#two) [f](https://x.example)',
    );
    expect(await brokenLinks(page, [page, ...pages], exists)).toEqual([
      'docs/x.md: concepts.md#no',
      'docs/x.md: none.md',
      'docs/x.md: #two',
    ]);
  });
});

it('no command hides in a block of no language, or of another', () => {
  const languages = new Set(pages.flatMap((page) => page.languages));
  expect([...languages].sort()).toEqual([
    'go',
    'java',
    'json',
    'mermaid',
    'python',
    'ruby',
    'sh',
    'text',
    'toml',
    'ts',
    'yaml',
  ]);
});

it('a block says why it is not run, or is run', () => {
  const text =
    '<!-- not run: needs a container engine -->\n```sh\ndocker ps\n```\n\n```sh\necho\n```\n\n```ts\nlet a;\n```\n';
  expect(parsePage('x.md', text).blocks).toEqual([
    { text: 'docker ps\n', notRun: 'needs a container engine' },
    { text: 'echo\n', notRun: undefined },
  ]);
});
