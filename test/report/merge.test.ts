/** `report --merge`: reports of several sandboxes, shards and jobs as one. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { reportReader } from '../../src/commands/saved-reports.ts';
import { FORMATS, formatNames, inFormat } from '../../src/report/formats/formats.ts';
import { mergedReport } from '../../src/report/merge.ts';
import type { Report } from '../../src/report/report.ts';
import { reportResults } from '../../src/report/report-results.ts';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { sharedServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { BROKEN_RESPONSE, factsOf, KINDS, reportOfVerdict, UNJUDGED } from './clients.ts';

const server = await sharedServer();

/** The report of a client in a sandbox of its own. */
async function reportOn(...kinds: string[]): Promise<Report> {
  const client = await server.sandbox();
  for (const kind of kinds) await KINDS[kind]?.(client);
  return factsOf(client);
}

const GOOD = 'passes the contract check';
const BAD = 'breaks the specification';

/** Runs `report --merge` in a folder with these files; the last argument names what is merged. */
async function merge(files: Readonly<Record<string, unknown>>, ...args: string[]) {
  const texts = Object.entries(files).map(([name, content]): [string, string | Buffer] => [
    name,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  ]);
  const folder = await newFolder(Object.fromEntries(texts));
  const paths = args.map((each) => (each.startsWith('-') || FORMATS[each as 'text'] ? each : join(folder, each)));
  const ran = await runInProcess(['report', ...paths]);
  // Lines are wrapped, for people.
  const named = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(`${folder}/`, '');
  return { code: ran.code, stdout: named(ran.stdout), stderr: named(ran.stderr), folder };
}

const verdictIn = (text: string): string => text.slice(text.lastIndexOf('contract check')).trim();

describe('reports of several sandboxes', () => {
  it('say as one what a report of one sandbox with all their requests says', async () => {
    const kinds = [GOOD, BAD, 'gets warnings', 'goes astray', 'asks for faults', 'sees every documented response'];
    const parts = await Promise.all(kinds.map((kind) => reportOn(kind)));
    const { merged, ...all } = mergedReport(parts.map((report, index) => ({ name: `${index}`, report })));
    const one = await reportOn(...kinds);

    expect(all.operations.map(({ responses, skipped }) => ({ responses, skipped }))).toEqual(
      one.operations.map(({ responses, skipped }) => ({ responses, skipped })),
    );
    const { behavior: _, ...totals } = one.totals;
    expect(all.totals).toMatchObject(totals);
    expect([all.account, all.coverage, all.verdict]).toEqual([one.account, one.coverage, 'fail']);
    expect([...all.reasons].sort()).toEqual([...one.reasons].sort());
    const countsOf = ({ operations }: Report): unknown =>
      operations.map(({ violations, warnings }) =>
        [...violations, ...warnings].map(({ message, count, requests }) => [message, count, requests.length]).sort(),
      );
    expect(countsOf(all as Report)).toEqual(countsOf(one));
    expect(merged?.reports.map(({ sandbox, verdict }) => [sandbox, verdict])).toEqual(
      parts.map(({ sandbox, verdict }) => [sandbox, verdict]),
    );
    expect(all.sandbox).toBe(`${kinds.length} reports`);
  });

  it('name the first and the last request of what several of them have', async () => {
    const [a, b] = [await reportOn(BAD), await reportOn(BAD)];
    const violationIn = ({ operations }: Report) =>
      operations.flatMap(({ violations }) => violations).find(({ message }) => /<= 100/.test(message));
    const [first, second] = [violationIn(a), violationIn(b)];
    for (const given of [
      [a, b],
      [b, a],
    ]) {
      const found = violationIn(mergedReport(given.map((report, index) => ({ name: `${index}`, report }))));
      expect(found).toMatchObject({
        count: 24,
        requests: first?.requests,
        last: second?.last,
        lines: [first?.lines[0], second?.lines.at(-1)],
      });
    }
  });

  it('come in every format, and the JSON is a report again', async () => {
    const results = reportResults(
      mergedReport([
        { name: 'shard-1.json', report: await reportOn(BAD) },
        { name: 'shard-2.json', report: await reportOn(GOOD) },
      ]),
    );
    const read = await reportReader();
    for (const format of formatNames) {
      const text = await inFormat(format, results, { listed: ['accepted', 'skipped'], full: true });
      if (format === 'json') expect(await read(Buffer.from(text))).toEqual(results.data);
      else if (format !== 'sarif') expect(text, format).toContain('1 of 2 reports failed: shard-1.json');
    }
  });

  it('keep what each of them says of itself: failures, gaps, and requests that the server answered wrong', () => {
    const plain = reportOfVerdict({ violations: [], warnings: [] });
    const of = (report: Report): Report =>
      mergedReport([
        { name: 'a', report: plain },
        { name: 'b', report },
      ]);
    const other = (report: Report): Report => ({ ...report, sandbox: 'sbx_other' });
    expect(of(other(plain)).verdict).toBe('pass');
    for (const verdict of [BROKEN_RESPONSE, UNJUDGED]) {
      const report = other(reportOfVerdict(verdict));
      expect(of(report)).toMatchObject({ verdict: 'incomplete' });
      for (const reason of report.reasons) expect(of(report).reasons.join('; ')).toContain(reason);
    }
    expect(of({ ...other(plain), verdict: 'fail' })).toMatchObject({
      verdict: 'fail',
      reasons: ['the verdict of the report is fail (b)'],
    });
    const lost = ['exchanges are missing: the store was full'];
    expect(of({ ...other(plain), verdict: 'incomplete', reasons: lost, incompleteReasons: lost })).toMatchObject({
      verdict: 'incomplete',
      reasons: [`${lost} (b)`],
    });
  });

  it('are strict if one of them is, or the whole', async () => {
    const [warned, good] = [await reportOn('gets warnings'), await reportOn(GOOD)];
    const files = { 'warned.json': warned, 'good.json': good, 'strict.json': { ...good, strict: true } };
    expect((await merge(files, '--merge', 'warned.json', 'good.json')).code).toBe(0);
    for (const args of [['good.json', '--strict'], ['strict.json']]) {
      const { code, stdout } = await merge(files, '--merge', 'warned.json', ...args);
      expect([code, verdictIn(stdout)]).toEqual([1, expect.stringContaining('contract check failed (strict): 3 warn')]);
    }
  });

  it('leave it incomplete where one of them saw nothing, as a shard that did not run', async () => {
    const files = { '1.json': await reportOn(GOOD), '2.json': await reportOn('sends nothing') };
    const { code, stdout } = await merge(files, '--merge', '1.json', '2.json');
    expect([code, verdictIn(stdout)]).toEqual([
      1,
      expect.stringMatching(/^contract check incomplete: no request was seen \(2\.json\) 2 requests validated,/),
    ]);
  });

  it('may be those of HARs', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limit=500');
    const har = join(await newFolder(), 'traffic.har');
    await writeFile(har, (await client.get('/_sandbox/export?format=har')).text);
    const { stdout } = await runInProcess(['report', '--json', '--har', har]);
    const { code, stdout: text } = await merge({ 'a.json': stdout, 'b.json': await reportOn(GOOD) }, '--merge', '.');
    expect([code, verdictIn(text)]).toEqual([
      1,
      expect.stringMatching(/: 1 violation of the specification; .* 3 requests/),
    ]);
  });
});

describe('a report that is given twice', () => {
  it.each([
    ['by one name', ['a.json', 'a.json'], /a\.json is counted once: it was given more than once/],
    ['in two files', ['a.json', 'copy.json'], /copy\.json is counted once: a\.json has it too: sbx_/],
    ['alone and among others', ['all.json', 'a.json'], /a\.json is counted once: all\.json has it too: sbx_/],
    ['alone before others', ['a.json', 'all.json'], /a\.json is counted once: all\.json has it too: sbx_/],
    ['earlier', ['earlier.json', 'a.json'], /earlier\.json is counted once: a\.json has it too: sbx_/],
  ])('%s is counted once, and named', async (_, names, note) => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const earlier = await factsOf(client);
    await KINDS[BAD]?.(client);
    const report = await factsOf(client);
    const all = mergedReport([
      { name: 'a', report },
      { name: 'b', report: await reportOn('sends nothing') },
    ]);
    const files = { 'a.json': report, 'copy.json': report, 'earlier.json': earlier, 'all.json': all };
    const { code, stdout } = await merge(files, '--merge', ...names);
    expect(code).toBe(1);
    expect(stdout).toMatch(note);
    const { stdout: json } = await merge(files, '--json', '--merge', ...names);
    expect(JSON.parse(json).account).toEqual(report.account);
    expect(JSON.parse(json).merged.duplicates).toEqual([expect.stringMatching(/ is counted once: /)]);
  });

  it('counts twice where the request log was cleared in between', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const before = await factsOf(client);
    await client.delete('/_sandbox/requests');
    await client.get('/v1/pets');
    const { code, stdout } = await merge({ 'a.json': before, 'b.json': await factsOf(client) }, '--merge', '.');
    expect([code, verdictIn(stdout)]).toEqual([0, expect.stringContaining('2 requests validated,')]);
  });

  it('leaves it incomplete where it cannot be taken apart from others', async () => {
    const [a, b, c] = [await reportOn(GOOD), await reportOn(GOOD), await reportOn(GOOD)];
    const pair = (one: Report, other: Report): Report =>
      mergedReport([
        { name: 'x', report: one },
        { name: 'y', report: other },
      ]);
    const { code, stdout } = await merge({ 'ab.json': pair(a, b), 'bc.json': pair(b, c) }, '--merge', '.');
    expect([code, verdictIn(stdout)]).toEqual([
      1,
      expect.stringMatching(/(?:ab|bc)\.json is not counted: 1 of its 2 reports are in (?:ab|bc)\.json too/),
    ]);
    const later = { ...a, createdAt: '2999-01-01T00:00:00.000Z' };
    const { stdout: second } = await merge({ 'ab.json': pair(a, b), 'a.json': later }, '--merge', '.');
    expect(verdictIn(second)).toContain('a.json is not counted: it is a later report of sbx_');
    const failed = { ...later, verdict: 'fail' };
    const { stdout: third } = await merge({ 'ab.json': pair(a, b), 'a.json': failed }, '--merge', '.');
    expect(verdictIn(third)).toContain('contract check failed: a.json failed, and is not counted: ');
  });
});

describe('a file that is no report', () => {
  const good = reportOn(GOOD);
  const WRONG: readonly (readonly [name: string, content: (report: Report) => unknown, cause: RegExp])[] = [
    ['empty', () => '', /it is empty/],
    ['cut off', (report) => JSON.stringify(report).slice(0, 500), /not valid JSON: /],
    ['no JSON', () => '<html>', /not valid JSON: /],
    ['no object', () => [], /it must be a JSON object/],
    ['another file', () => ({ name: 'my-project', version: '1.0.0' }), /it is no contract report: it must have/],
    ['damaged', (report) => ({ ...report, account: 5 }), /it is no contract report: \/account must be object/],
    ['without lines', (report) => ({ ...report, operations: [{}] }), /\/operations\/0 must have/],
    [
      'negative',
      (report) => ({ ...report, account: { ...report.account, total: -1 } }),
      /\/account\/total must be >= 0/,
    ],
    ['an error', () => ({ code: 'unauthorized', message: 'no key', status: 401 }), /it is an error: no key/],
    ['not UTF-8', () => Buffer.from([0x7b, 0xff, 0xff, 0x7d]), /it is not valid UTF-8/],
    ['deep', () => '['.repeat(5_000_000), /nested over 100 levels/],
    ['large', () => Buffer.alloc(16 * 1024 * 1024 + 1, ' '), /it has more than 16777216 bytes/],
    ['many fields', () => `[${'1,'.repeat(1_000_000)}1]`, /at most 1,000,000 fields/],
    ['of another version', (report) => ({ ...report, program: '9.9.9' }), /version 9\.9\.9 of the program wrote it/],
    [
      'on another specification',
      (report) => ({ ...report, specification: '1.1.0+000000000000', verdict: 'fail' }),
      /specification 1\.1\.0\+0+, not about 1\.0\.0\+\w{12}; its verdict is fail/,
    ],
    ['of none', ({ program: _, ...report }) => report, /must have required property 'program'/],
  ];

  it.each(WRONG)('%s leaves the rest incomplete, and is named with its cause', async (_, content, cause) => {
    const report = await good;
    const files = { 'good.json': report, 'wrong.json': content(report) };
    const { code, stdout, stderr } = await merge(files, '--merge', 'good.json', 'wrong.json');
    const line = verdictIn(stdout);
    expect([code, stderr, line]).toEqual([
      1,
      '',
      expect.stringMatching(/^contract check incomplete: wrong\.json is not/),
    ]);
    expect(line).toMatch(cause);
    expect(line).toContain('2 requests validated,');
  });

  it('is an error where there is no other', async () => {
    for (const args of [['nothing.json'], ['wrong.json'], ['*.json'], ['nothing.json', 'wrong.json']]) {
      const { code, stdout, stderr } = await merge({ 'wrong.json': '{}' }, '--merge', ...args);
      expect([code, stdout]).toEqual([2, '']);
      for (const name of args) expect(stderr).toContain(`${name} is not counted: `);
    }
    const { code, stderr, folder } = await merge({}, '--merge', '.');
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no .json file in this directory')]);
    expect((await runInProcess(['report', '--merge'])).code).toBe(2);
    expect((await runInProcess(['report', '--merge', folder, '--har', 'x'])).code).toBe(2);
  });

  it('may be in UTF-16 with a byte order mark, as PowerShell writes it', async () => {
    const text = Buffer.from(`\ufeff${JSON.stringify(await good)}`, 'utf16le');
    expect((await merge({ 'a.json': text }, '--merge', 'a.json')).code).toBe(0);
  });
});

test('two hundred reports are merged in seconds', { timeout: limit(60_000) }, async () => {
  const report = await reportOn(BAD, 'has behavior warnings');
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`${index}.json`, { ...report, sandbox: `sbx_${index}` }]),
  );
  const { code, folder } = await merge(files, '--merge', '.', '--out', 'all.xml', '--format', 'junit');
  expect(code).toBe(1);
  expect(await readFile(join(folder, 'all.xml'), 'utf8')).toContain('200 of 200 reports failed');
});
