/** Every page: its lines work when pasted, in the order of the page, and its links lead somewhere. */
import { access } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { allPages, brokenLinks, parsePage, paste } from '../support/pages.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** What each block of a page prints. */
const PRINTED: Record<string, readonly RegExp[]> = {
  'docs/developers.md': [
    /^\[\{"id":1,.*\},\{"id":2,.*\}\]$/,
    /^\{"id":13,"name":"Rex","categoryId":1,"status":"available"\}\{"sandboxes":1,.*"nextId":13\}\}$/,
    /"now":"2030-12-05T00:00:00.000Z".*HTTP\/1\.1 410 Gone.*Link: <\/v1\/pets>; rel="successor-version"/s,
  ],
  'docs/ci.md': [
    /^$/,
    /"name":"before",.*"pets":1000\}.*"nextId":1001\}\}$/,
    /"matched":1.*\n?.*"verdict":"pass"$/s,
    /^\{"sandboxes":\[.*petstore_sandbox_requests_total\{.*\{"sandboxes":\d+\}$/s,
  ],
  'docs/faults.md': [
    /^$/,
    /HTTP\/1\.1 503 .*Retry-After: 2.*"injected_fault".*"acted":1\}\]\}$/s,
    /"delayMs":200,"probability":0.2,"seed":7/,
    /HTTP\/1\.1 503 .*HTTP\/1\.1 500 .*\[\{"id":1,[^\]]*$/s,
  ],
  'docs/report.md': [
    /"code":"invalid_request".*"verdict":"fail","reasons":\["1 violation of the document"\]/s,
    /^report\.html\nreport\.sarif\nreport\.xml$/,
  ],
  'docs/conform.md': [/\/v1 conforms: .*\nPets created: .*\/v1 conforms: /s],
  'docs/qa.md': [
    /body\/categoryId: is required/,
    /"message":"Request body must have required property 'categoryId'".*did you mean `categoryId`\?/s,
    /"target":"\/v1\/pets"/,
    /^\{"matched":1,"requests":\["req_\w+"\]\}$/,
    /: the events of this sandbox/,
  ],
};

const pages = await allPages();
const pasted = pages
  .map(({ file, blocks }) => ({ file, blocks: blocks.filter(({ notRun }) => notRun === undefined) }))
  .filter(({ blocks }) => blocks.length > 0);

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = (await server.sandboxes.create({})).secret;
});

describe('lines of', () => {
  it.each(pasted)('$file work when pasted', { timeout: 60_000 }, async ({ file, blocks }) => {
    // A page without a key of its own in it shows one with an ellipsis.
    const lines = blocks.map(({ text }) => text.replaceAll('petsbx_…', key));
    const printed = await paste(lines, { url: server.url, env: { ADMIN_TOKEN: server.adminToken } });
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

  it('are seen to lead nowhere', async () => {
    const page = parsePage(
      'docs/x.md',
      '# One\n[a](qa.md) [b](qa.md#no) [c](none.md) [d](#one) [e](#two) [f](https://x.example)',
    );
    expect(await brokenLinks(page, [page, ...pages], exists)).toEqual([
      'docs/x.md: qa.md#no',
      'docs/x.md: none.md',
      'docs/x.md: #two',
    ]);
  });
});

it('no command hides in a block of no language, or of another', () => {
  const languages = new Set(pages.flatMap((page) => page.languages));
  expect([...languages].sort()).toEqual(['json', 'sh', 'text', 'ts', 'yaml']);
});

it('a block says why it is not run, or is run', () => {
  const text =
    '<!-- not run: needs a container engine -->\n```sh\ndocker ps\n```\n\n```sh\necho\n```\n\n```ts\nlet a;\n```\n';
  expect(parsePage('x.md', text).blocks).toEqual([
    { text: 'docker ps\n', notRun: 'needs a container engine' },
    { text: 'echo\n', notRun: undefined },
  ]);
});
