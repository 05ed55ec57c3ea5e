/**
 * Results with one of everything in each format, and what each kind of results is made of, as files in `golden/`:
 * `npx vitest run -u --project main test/verdict/report/formats.test.ts` writes them again. Each format is held to what is published of it.
 */
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { newKey } from '../../../src/base/api/api-key.ts';
import { specificationDigest } from '../../../src/base/generated/facts.ts';
import { writeJson } from '../../../src/base/int64.ts';
import { version } from '../../../src/base/shipped.ts';
import { printable } from '../../../src/base/text.ts';
import { previewResults } from '../../../src/verdict/drafts/preview.ts';
import { FORMATS, formatNames, inFormat } from '../../../src/verdict/report/formats/formats.ts';
import { render } from '../../../src/verdict/report/formats/text.ts';
import { reportResults } from '../../../src/verdict/report/report-results.ts';
import type { Group, Results } from '../../../src/verdict/report/results.ts';
import { type Client, send } from '../../support/client.ts';
import { harOf, harReport } from '../../support/har.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { BROKEN_RESPONSE, factsOf, HOSTILE, KINDS, resultsOfVerdicts, UNJUDGED } from './clients.ts';
import { DRILLS_RESULTS } from './each.ts';
import { PROBLEMS, reportProblems } from './forms.ts';
import { ONE_OF_EACH } from './one-of-each.ts';

const NOW = Date.UTC(2026, 10, 22);
const server = await startTestServer({ clock: heldClock(NOW) });

const clientThat = async (on: TestServer, ...kinds: string[]): Promise<Client> => {
  const client = await on.sandbox({ label: 'a label | @octocat' });
  const send = client.send.bind(client);
  // One after the other: findings are listed in the order of their verdicts.
  client.send = async (request) => {
    const reply = await send(request);
    await on.validator.whenValidated();
    return reply;
  };
  for (const kind of kinds) await KINDS[kind]?.(client);
  return client;
};

const EVERYTHING = [
  ...['breaks the specification', 'gets warnings', 'rounds integers', 'goes astray'],
  ...['asks for faults', 'has behavior warnings'],
];

const ALL: Readonly<Record<string, () => Promise<Results>>> = {
  contract: async () => {
    // Unmatched requests are in the report of a client that is alone on its server.
    const clock = heldClock(NOW);
    const own = await startTestServer({ clock });
    const client = await clientThat(own, ...EVERYTHING);
    clock.time += 1_000;
    for (const headers of [{}, { Authorization: `Bearer ${newKey()}` }])
      await send(own.url, { path: '/v1/pets', headers });
    await send(own.url, { path: '/pets/1' });
    return reportResults((await client.get('/_sandbox/report?unmatched=true')).json);
  },
  broken: async () => resultsOfVerdicts(BROKEN_RESPONSE, UNJUDGED),
  preview: async () => {
    const client = await clientThat(server, 'gets warnings');
    return previewResults((await client.get('/_sandbox/preview')).json);
  },
  drills: async () => DRILLS_RESULTS,
};

/** As a server lists it. */
const ALL_OF_IT = { listed: ['accepted', 'skipped'], full: true } as const;

/** Without the ids of this run, and the version. */
function lasting(text: string): string {
  const names = new Map<string, string>();
  const known = text.replaceAll(version, 'VERSION').replaceAll(specificationDigest, 'DIGEST');
  return known.replaceAll(/(req|sbx)_(?:\w{8,}|…\w+)/g, (id, kind) => {
    if (!names.has(id)) names.set(id, `${kind}_${names.size + 1}`);
    return names.get(id) as string;
  });
}

/** JSON in lines that a reader of a change can compare. */
const inLines = (text: string): string =>
  `${text.replaceAll(/(?<!^)(?=\{"(?:heading|name|ruleId|kind)":|\{"id":"(?!req))/g, '\n')}\n`;

describe('results with one of everything', () => {
  it.each(formatNames)('as %s', async (format) => {
    const text = await inFormat(format, ONE_OF_EACH, ALL_OF_IT);
    expect(await PROBLEMS[format](text, ONE_OF_EACH)).toEqual([]);
    // How the page looks is seen in a browser.
    const shown = text.replace(/<style>.*<\/style>/s, '<style></style>').replaceAll(/\n{2,}(?=<)/g, '\n');
    const file = `golden/everything.${FORMATS[format].extension}`;
    await expect(inLines(lasting(shown))).toMatchFileSnapshot(file);
  });

  it.each([
    { width: 80, color: false },
    { width: 80, color: true },
    { width: 200, color: false },
  ])('as text of $width columns, in color: $color', async ({ width, color }) => {
    const text = await inFormat('text', ONE_OF_EACH, { ...ALL_OF_IT, verbose: true, screen: { width, color } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a color is
    const plain = text.replaceAll(/\u001b\[\d+m/g, '');
    expect(plain === text).toBe(!color);
    for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width);
  });
});

it.each([
  ['pass', { text: /^✓ passed/m, html: /"pass">\n<main>\n<h1>✅/, markdown: /^## ✅/, github: /^::notice / }],
  ['incomplete', { text: /^\? passed/m, html: /"incomplete">\n<main>\n<h1>⚠️/, markdown: /^## ⚠️/, github: /^::error / }],
] as const)('each format for people shows the verdict %s by its sign', async (verdict, signs) => {
  const results = { ...ONE_OF_EACH, verdict, title: 'passed', groups: [] };
  for (const [format, sign] of Object.entries(signs)) expect(await inFormat(format as 'text', results)).toMatch(sign);
});

it.each(Object.entries(ALL))(
  'the results of %s have everything in place, and are sound in every format',
  async (name, resultsOf) => {
    const results = await resultsOf();
    await expect(inLines(lasting(writeJson(results)))).toMatchFileSnapshot(`golden/${name}.json`);
    for (const format of formatNames) {
      const text = await inFormat(format, results, ALL_OF_IT);
      expect([format, await PROBLEMS[format](text, results)]).toEqual([format, []]);
    }
  },
);

it('a time line ends after thirty requests, and says how many more there are', () => {
  const [group] = DRILLS_RESULTS.groups;
  const timeline = Array.from({ length: 33 }, () => group?.timeline?.[0]);
  const text = render({ ...DRILLS_RESULTS, groups: [{ ...group, timeline } as Group] }, {});
  expect(text.match(/created 1 pet/g)).toHaveLength(30);
  expect(text).toContain('and 3 more requests');
});

it('the text shows each drill in its state, and what is accepted only where that is listed', () => {
  const signs = render(DRILLS_RESULTS, {}).match(/^[✓✗?~] \w+(?= {2})/gmu);
  expect(signs).toEqual(['✓ passes', '✗ fails', '? unsure', '~ known', '✗ stale']);
  expect(render(DRILLS_RESULTS, {})).not.toMatch(/^ +~ /m);
  expect(render(DRILLS_RESULTS, { listed: ['accepted'] })).toMatch(/^ {4}~ There is at most one pet /m);
});

it('the text shows the first five findings of a rule in full, and the others in one line', () => {
  const group = DRILLS_RESULTS.groups.find(({ name }) => name === 'fails') as Group;
  const items = Array.from({ length: 12 }, (_, n) =>
    group.items.map((item) => ({
      ...item,
      findings: item.findings?.map((each) => ({ ...each, subject: `check ${n}` })) ?? [],
    })),
  ).flat();
  const lines = render({ ...DRILLS_RESULTS, groups: [{ name: 'many', items }] }, {}).split('\n');
  expect(lines.filter((line) => /^✗ check \d+/.test(line))).toHaveLength(12);
  expect(lines.filter((line) => line.startsWith('    expected'))).toHaveLength(5);
});

const unescaped = (text = ''): string =>
  text
    .replaceAll(/%(2C|3A|0A|0D|25)/g, decodeURIComponent)
    .replaceAll(
      /&(amp|lt|gt|quot|apos);/g,
      (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name as 'lt'],
    );

describe('results of any text', () => {
  it('are sound in every format', async () => {
    const client = await clientThat(server, 'sends hostile text', 'breaks the specification');
    const results = reportResults(await factsOf(client, true));
    for (const format of formatNames) {
      const text = await inFormat(format, results);
      expect([format, await PROBLEMS[format](text, results)]).toEqual([format, []]);
      if (format === 'github') expect(text).toMatch(/^::\w+ title=Petstore contract%3A/);
    }
  });

  it.each(HOSTILE)('show %j as it is, without links and placeholders', async (text) => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, [text]: 1 });
    const results = reportResults(await factsOf(client, true));
    const [, message] = /<failure message="([^"]*)"/.exec(await inFormat('junit', results)) ?? [];
    expect(unescaped(message)).toMatch(/^Leave out /);
    expect(unescaped(message)).toContain(`(body/${printable(text)}: is not known here`);
  });

  it('say in GitHub what was sent', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', {
      name: 'Rex',
      categoryId: 1,
      '100%0A::error::x, y:z': 1,
      'a|b `c` @octocat #1 <b> & *d*': 1,
    });
    const results = reportResults(await factsOf(client));
    const [, title, message] = /^::warning title=([^,:]+)::(.*)$/m.exec(await inFormat('github', results)) ?? [];
    expect(unescaped(title)).toBe('unknown-field: createPet, body/100%0A::error::x, y:z');
    expect(unescaped(message)).toContain('sent: "100%0A::error::x, y:z":1\n');
    const page = String(await marked.parse(await inFormat('markdown', results)));
    const shown = page
      .replaceAll(/<!-- -->|<\/?(?:code|td|tr)>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(unescaped(shown)).toContain('body/a|b `c` @octocat #1 <b> & *d*');
  });

  it('fit into the summary of a job, however many there are', async () => {
    const group = DRILLS_RESULTS.groups.find(({ name }) => name === 'fails');
    const found = group?.items.filter(({ findings = [] }) => findings.length > 0) ?? [];
    const items = Array.from({ length: 5_000 }, () => found).flat();
    const text = await inFormat('markdown', { ...DRILLS_RESULTS, groups: [{ name: 'many', items }] });
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toMatch(/\n\n[\d,]+ more lines: see the other formats$/);
  });
});

it.each(formatNames)('come over HTTP as %s, whole', async (format) => {
  // More than five findings of a rule.
  const client = await clientThat(server, 'sends hostile text', 'gets warnings');
  for (const [path, ofData] of [
    ['report?strict=true', reportResults],
    ['preview?at=2030-12-05', previewResults],
  ] as const) {
    const { json } = await client.get(`/_sandbox/${path}`);
    const { headers, text } = await client.get(`/_sandbox/${path}&format=${format}`);
    expect(headers['content-type']).toBe(FORMATS[format].mediaType);
    expect(text.trimEnd()).toBe(await inFormat(format, ofData(json), ALL_OF_IT));
  }
});

it('are bounded, however much a client gets wrong', async () => {
  const client = await server.sandbox();
  for (let i = 0; i < 4; i++)
    await client.post('/v1/pets', '{}', { 'Content-Type': `text/<${i}${'"'.repeat(12_000)}>` });
  await client.getMany(1_300, (n) => `/v1/pets?${encodeURIComponent(`${n}-${'"<\u0001\u202e'.repeat(30)}`)}=1`);
  const facts = await factsOf(client);
  const noRoom = expect.stringMatching(/^there was no room to list \d+ findings/);
  expect([facts.verdict, facts.reasons.at(-1)]).toEqual(['fail', noRoom]);
  for (const format of formatNames)
    expect([format, (await inFormat(format, reportResults(facts))).length < 2_000_000]).toEqual([format, true]);
});

it('a violation behind more kinds of warnings than a report lists fails it', async () => {
  const client = await server.sandbox();
  await client.getMany(300, (n) => `/v1/pets?x${n}=1`);
  await client.get('/v1/pets?limit=500');
  const { verdict, counts } = await factsOf(client);
  expect([verdict, counts.violation, counts.warning]).toEqual(['fail', 1, 300]);
});

it('the published schema describes the report on a HAR, which names the file', async () => {
  const har = Buffer.from(harOf('https://api.example.com/v1/pets?limit=500'));
  expect(reportProblems((await harReport(har)).data)).toEqual([]);
});
