/**
 * Every kind of results in every format, as files in `golden/`: `npx vitest run -u --project main test/report/formats.test.ts`
 * writes them again. And what GitHub makes of the two formats that are for it.
 */
import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, it, test } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { version } from '../../src/core/shipped.ts';
import { specificationDigest } from '../../src/generated/facts.ts';
import { FORMATS, formatNames, inFormat } from '../../src/report/formats/formats.ts';
import { previewResults } from '../../src/report/preview-results.ts';
import { reportResults } from '../../src/report/report-results.ts';
import type { Results } from '../../src/report/results.ts';
import { type Client, send } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { factsOf, HOSTILE, KINDS } from './clients.ts';
import { EACH } from './each.ts';

const server = await startTestServer({ clock: heldClock(Date.UTC(2026, 10, 22)) });

const clientThat = async (...kinds: string[]): Promise<Client> => {
  const client = await server.sandbox({ label: 'a label | @octocat' });
  const send = client.send.bind(client);
  // One after the other: findings are listed in the order of their verdicts.
  client.send = async (request) => {
    const reply = await send(request);
    await server.validator.settled();
    return reply;
  };
  for (const kind of kinds) await KINDS[kind]?.(client);
  return client;
};

const MISTAKES = ['breaks the specification', 'gets warnings', 'rounds integers', 'goes astray'];

const ALL: Readonly<Record<string, () => Promise<Results>>> = {
  contract: async () => reportResults(await factsOf(await clientThat(...MISTAKES))),
  behavior: async () => {
    const client = await clientThat('asks for faults', 'has behavior warnings');
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, staus: 'sold' });
    await client.get('/v1/pet/1');
    return reportResults(await factsOf(client, true));
  },
  unmatched: async () => {
    // Unmatched requests are in the report of a client that is alone on its server.
    const clock = heldClock(Date.UTC(2026, 10, 22));
    const { url, sandbox } = await startTestServer({ clock });
    const client = await sandbox();
    await client.get('/v1/pets');
    clock.time += 1_000;
    // Nobody looks for this pet.
    const lost = { 'Sandbox-Fault': 'connection=reset; when=after' };
    await client.post('/v1/pets', { name: 'Max', categoryId: 1 }, lost).catch(() => undefined);
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await send(url, { path: '/v1/pets' });
    await send(url, { path: '/v1/pets', headers: { Authorization: `Bearer ${newKey()}` } });
    await send(url, { path: '/pets/1' });
    return reportResults((await client.get('/_sandbox/report?unmatched=true')).json);
  },
  pass: async () => reportResults(await factsOf(await clientThat('passes the contract check'))),
  preview: async () => {
    const client = await clientThat('gets warnings');
    return previewResults((await client.get('/_sandbox/preview')).json);
  },
  drills: async () => EACH.drills,
  conformance: async () => EACH.conformance,
  replay: async () => EACH.replay,
};

/** Without the ids of this run, and the version. */
function lasting(text: string): string {
  const names = new Map<string, string>();
  const known = text.replaceAll(version, 'VERSION').replaceAll(specificationDigest, 'DIGEST');
  return known.replaceAll(/(req|sbx)_(?:\w{8,}|…\w+)/g, (id, kind) => {
    if (!names.has(id)) names.set(id, `${kind}_${names.size + 1}`);
    return names.get(id) as string;
  });
}

describe.each(Object.entries(ALL))('the results of %s', (name, resultsOf) => {
  const results = resultsOf();
  test.each(formatNames)('as %s', async (format) => {
    const options = { listed: ['accepted', 'skipped'], full: true } as const;
    const text = await inFormat(format, await results, options);
    await expect(`${lasting(text)}\n`).toMatchFileSnapshot(`golden/${name}.${FORMATS[format].extension}`);
  });
});

describe('the text on a terminal', () => {
  const results = ALL['contract']?.() as Promise<Results>;
  test.each([
    { width: 80, color: false },
    { width: 200, color: false },
    { width: 120, color: true },
  ])('of $width columns, in color: $color', async ({ width, color }) => {
    const text = await inFormat('text', await results, { listed: ['accepted'], full: true, screen: { width, color } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a color is
    const plain = text.replaceAll(/\u001b\[\d+m/g, '');
    expect(plain === text).toBe(!color);
    for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width);
    const file = `golden/contract.${width}${color ? '.color' : ''}.txt`;
    await expect(`${lasting(text)}\n`).toMatchFileSnapshot(file);
  });
});

const hostile = async (): Promise<Results[]> => [
  reportResults(await factsOf(await clientThat('sends hostile text', 'breaks the specification'), true)),
  ...Object.values(EACH),
];

const unescaped = (text: string): string =>
  text
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%0A', '\n')
    .replaceAll('%0D', '\r')
    .replaceAll('%25', '%');

describe('annotations for GitHub', () => {
  it('are one command a line, whatever the text is, the verdict first', async () => {
    for (const results of await hostile()) {
      const lines = (await inFormat('github', results, { sourceFile: 'spec/a, b:c.yaml' })).split('\n');
      for (const line of lines) {
        const [, command, file, title, message] =
          /^::(error|warning|notice) file=([^,:]+),line=1,title=([^,:]+)::([^\r\n]+)$/.exec(line) ?? [];
        expect([command, unescaped(file ?? '')], line).toEqual([expect.any(String), 'spec/a, b:c.yaml']);
        // A percent sign is one of the five escapes.
        expect(`${title}${message}`).not.toMatch(/%(?!25|0A|0D|3A|2C)/);
        expect(`${title}${message}`).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }
      expect(lines[0]).toMatch(new RegExp(`^::error .*title=Petstore ${results.kind}%3A fail::`));
    }
  });

  it('say what the text says', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, '100%0A::error::x, y:z': 1 });
    const text = await inFormat('github', reportResults(await factsOf(client)));
    const [, title, message] = /^::warning title=([^,:]+)::(.*)$/m.exec(text) ?? [];
    expect(unescaped(title ?? '')).toBe('unknown-field: createPet, body/100%0A::error::x, y:z');
    expect(unescaped(message ?? '')).toContain('unknown field `100%0A::error::x, y:z`\n');
  });
});

describe('Markdown', () => {
  /** All tokens, with those inside of others. */
  const tokensOf = (text: string): Token[] => {
    const found: Token[] = [];
    marked.walkTokens(marked.lexer(text, { gfm: true }), (token) => void found.push(token));
    return found;
  };

  it('has no link, picture, mention, or markup of others, whatever the text is', async () => {
    for (const results of await hostile()) {
      const text = await inFormat('markdown', results);
      const tokens = tokensOf(text);
      const types = new Set(tokens.map(({ type }) => type));
      for (const type of ['link', 'image', 'codespan', 'code', 'del', 'em', 'strong', 'hr', 'blockquote', 'def'])
        expect(types).not.toContain(type);
      const html = new Set(tokens.filter(({ type }) => type === 'html').map(({ raw }) => raw));
      for (const raw of html) expect(['<code>', '</code>', '<br>', '<!-- -->']).toContain(raw);
      const tables = tokens.filter((token): token is Tokens.Table => token.type === 'table');
      expect(tables.length).toBeGreaterThan(0);
      for (const { raw } of tables)
        for (const row of raw.trimEnd().split('\n'))
          expect(row.split('|')).toHaveLength(raw.split('\n')[0]?.split('|').length ?? 0);
      expect(text).not.toMatch(/[@*~[\]{}\\^$]|www\.|:\/\/|\b_|_\b/);
    }
  });

  it('shows the text as it is', async () => {
    const client = await server.sandbox();
    const name = 'a|b `c` @octocat #1 <b> & *d*';
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, [name]: 1 });
    const shown = String(await marked.parse(await inFormat('markdown', reportResults(await factsOf(client)))))
      .replaceAll('<!-- -->', '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replaceAll(/<\/?(?:code|td|tr)>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(shown).toContain(`body/${name}`);
  });

  it('fits into the summary of a job, however much there is', async () => {
    const [group] = EACH.conformance.groups;
    const items = Array.from(
      { length: 5_000 },
      () => group?.items.filter(({ findings = [] }) => findings.length > 0) ?? [],
    );
    const text = await inFormat('markdown', { ...EACH.conformance, groups: [{ name: 'many', items: items.flat() }] });
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toMatch(/\n\n[\d,]+ more lines: see the other formats$/);
    expect(HOSTILE.length).toBeGreaterThan(0);
  });
});
