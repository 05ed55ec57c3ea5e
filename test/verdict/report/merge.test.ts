/** `report --merge`: reports of several sandboxes, shards and jobs as one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../src/verdict/report/formats/formats.ts';
import { mergedReport } from '../../../src/verdict/report/merge.ts';
import type { Report } from '../../../src/verdict/report/report.ts';
import { newFolder } from '../../support/folder.ts';
import { runInProcess } from '../../support/in-process.ts';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { factsOf, foundAs, KINDS } from './clients.ts';

const server = await sharedServer();

/** The report of a client in a sandbox of its own. */
async function reportOn(...kinds: string[]): Promise<Report> {
  const client = await server.sandbox();
  for (const kind of kinds) await KINDS[kind]?.(client);
  return factsOf(client);
}

const GOOD = 'passes the contract check';
const BAD = 'breaks the specification';

/** As the files `0`, `1`, … */
const merged = (...reports: Report[]) => mergedReport(reports.map((report, at) => ({ name: `${at}`, report })));

/** Runs `report --merge` in a folder with these files; the last arguments name what is merged. */
async function merge(files: Readonly<Record<string, unknown>>, ...args: string[]) {
  const texts = Object.entries(files).map(([name, content]): [string, string | Buffer] => [
    name,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  ]);
  const folder = await newFolder(Object.fromEntries(texts));
  const paths = args.map((each) => (each.startsWith('-') || FORMATS[each as 'text'] ? each : join(folder, each)));
  const { code, stdout, stderr } = await runInProcess(['report', '--merge', ...paths]);
  // Lines are wrapped, for people.
  const named = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(`${folder}/`, '');
  const line = named(stdout.slice(stdout.lastIndexOf('contract check'))).trim();
  return { code, stdout: named(stdout), line, stderr: named(stderr), folder };
}

describe('reports of several sandboxes', () => {
  it('say as one what a report of one sandbox with all their requests says', async () => {
    const kinds = [GOOD, BAD, 'gets warnings', 'goes astray', 'asks for faults', 'sees every documented response'];
    const parts = await Promise.all(kinds.map((kind) => reportOn(kind)));
    const all = merged(...parts);
    const one = await reportOn(...kinds);

    const figuresOf = (report: Report) => ({
      ...{ account: report.account, coverage: report.coverage, operations: report.operations },
      ...{ counts: { ...report.counts, behavior: 0 }, reasons: [...report.reasons].sort() },
      found: foundAs(report, 'violation', 'noOperation', 'warning', 'deprecated', 'notValidated')
        .map(({ message, count, requests: { length } }) => [message, count, length])
        .sort(),
    });
    expect(figuresOf(all)).toEqual(figuresOf(one));
    expect([all.verdict, all.sandbox]).toEqual(['fail', `${kinds.length} reports`]);
    expect(all.merged?.reports).toMatchObject(parts.map(({ sandbox, verdict }) => ({ sandbox, verdict })));
  });

  it('name the first and the last request of what several of them have', async () => {
    const violationIn = (report: Report) =>
      foundAs(report, 'violation').find(({ message }) => /at most 100/.test(message));
    const [a, b] = [await reportOn(BAD), await reportOn(BAD)];
    const [first, second] = [violationIn(a), violationIn(b)];
    const lines = [first?.lines[0], second?.lines.at(-1)];
    for (const all of [merged(a, b), merged(b, a)])
      expect(violationIn(all)).toMatchObject({ count: 24, requests: first?.requests, last: second?.last, lines });
  });

  it('are strict if one of them is, or the whole', async () => {
    const [warned, good] = [await reportOn('gets warnings'), await reportOn(GOOD)];
    const files = { 'warned.json': warned, 'good.json': good, 'strict.json': { ...good, strict: true } };
    expect((await merge(files, 'warned.json', 'good.json')).code).toBe(0);
    for (const args of [['good.json', '--strict'], ['strict.json']]) {
      const { code, line } = await merge(files, 'warned.json', ...args);
      expect([code, line]).toEqual([1, expect.stringContaining('contract check failed (strict): 3 warn')]);
    }
  });

  it('leave it incomplete where one of them saw nothing, as a shard that did not run', async () => {
    const files = { '1.json': await reportOn(GOOD), '2.json': await reportOn('sends nothing') };
    const { code, line } = await merge(files, '1.json', '2.json');
    const incomplete = /^contract check incomplete: no request was seen \(2\.json\) 2 requests validated,/;
    expect([code, line]).toEqual([1, expect.stringMatching(incomplete)]);
  });

  it('may be without requests where that is allowed, but not all of them', async () => {
    const files = { '1.json': await reportOn(GOOD), '2.json': await reportOn('sends nothing') };
    expect((await merge(files, '1.json', '2.json', '--allow-empty')).code).toBe(0);
    const { code, line } = await merge(files, '2.json', '--allow-empty');
    expect([code, line]).toEqual([1, expect.stringMatching(/^contract check incomplete: no request was seen/)]);
    // One whose requests came to nothing is not empty.
    const lost = { ...files, '3.json': await reportOn('goes astray') };
    expect((await merge(lost, '1.json', '3.json', '--allow-empty')).line).toContain(
      'no documented response was seen (3',
    );
    expect((await runInProcess(['report', '--allow-empty'])).code).toBe(2);
  });

  it('may be in a folder for each shard, and one without a report leaves it incomplete', async () => {
    const files = { 'a/1/report-sbx_1.json': await reportOn(GOOD), 'b/report-sbx_2.json': await reportOn(GOOD) };
    const { code, stdout } = await merge({ ...files, 'b/pictures/1.png': '', '.hidden/x.json': '' }, '.');
    expect([code, stdout]).toEqual([0, expect.stringContaining('4 requests validated')]);
    const { code: missing, line } = await merge({ ...files, 'c/report.xml': '' }, '.');
    expect([missing, line]).toEqual([1, expect.stringContaining('c is not counted: there is no .json file')]);
  });

  it('are merged in seconds where they are two hundred', { timeout: limit(60_000) }, async () => {
    const report = await reportOn(BAD, 'has behavior warnings');
    const each = Array.from({ length: 200 }, (_, n) => [`${n}.json`, { ...report, sandbox: `sbx_${n}` }]);
    const { code, folder } = await merge(Object.fromEntries(each), '.', '--out', 'all.xml');
    expect(code).toBe(1);
    expect(await readFile(join(folder, 'all.xml'), 'utf8')).toContain('200 of 200 reports failed');
  });
});

describe('a report that is given twice', () => {
  it('counts no request twice, if it is of all runs and of one of them', async () => {
    const client = await server.sandbox();
    const as = async (run: string, target: string) => client.get(target, { 'Sandbox-Run': run });
    const report = async (query = ''): Promise<Report> => (await client.get(`/_sandbox/report${query}`)).json;
    await as('a', '/v1/pets?limit=500');
    await as('b', '/v1/pets');
    const [ofA, ofB, all] = [await report('?run=a'), await report('?run=b'), await report()];
    expect(merged(ofB, ofA).account.total).toBe(2);
    // Its first requests are gone: it begins later, and before the report that has them.
    const gone = { ...ofA, since: ofA.createdAt, createdAt: all.createdAt };
    expect(merged(ofA, gone)).toMatchObject({ account: { total: 1 }, merged: { duplicates: [expect.any(String)] } });
    for (const whole of [merged(ofA, all), merged(all, ofB), merged(ofA, all, ofB)])
      expect(whole).toMatchObject({ verdict: 'fail', account: { total: 2 }, counts: { violation: 1 } });
    // A run that went on since is not in it.
    await as('b', '/v1/pets?limit=500');
    const later = merged(all, await report('?run=b'));
    expect(later).toMatchObject({ verdict: 'fail', account: { total: 2 }, counts: { notCounted: 1 } });
  });

  it.each([
    ['by one name', ['a.json', 'a.json'], 'a.json is counted once: it was given more than once'],
    ['in two files', ['a.json', 'copy.json'], 'copy.json is counted once: a.json has it too: sbx_'],
    ['alone and among others', ['all.json', 'a.json'], 'a.json is counted once: all.json has it too: sbx_'],
    ['alone before others', ['a.json', 'all.json'], 'a.json is counted once: all.json has it too: sbx_'],
    ['earlier', ['earlier.json', 'a.json'], 'earlier.json is counted once: a.json has it too: sbx_'],
  ])('%s is counted once, and named', async (_, names, note) => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const earlier = await factsOf(client);
    await KINDS[BAD]?.(client);
    const report = await factsOf(client);
    const all = merged(report, await reportOn('sends nothing'));
    const files = { 'a.json': report, 'copy.json': report, 'earlier.json': earlier, 'all.json': all };
    expect(await merge(files, ...names)).toMatchObject({ code: 1, stdout: expect.stringContaining(note) });
    const { account, merged: of } = JSON.parse((await merge(files, ...names, '--json')).stdout);
    expect([account, of.duplicates]).toEqual([report.account, [expect.stringContaining(' is counted once: ')]]);
  });

  it('counts twice where the request log was cleared in between', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const before = await factsOf(client);
    await client.delete('/_sandbox/requests');
    await client.get('/v1/pets');
    const { code, line } = await merge({ 'a.json': before, 'b.json': await factsOf(client) }, '.');
    expect([code, line]).toEqual([0, expect.stringContaining('2 requests validated,')]);
  });

  it('leaves it incomplete where it cannot be taken apart from others', async () => {
    const [a, b, c] = [await reportOn(GOOD), await reportOn(GOOD), await reportOn(GOOD)];
    const { code, line } = await merge({ 'ab.json': merged(a, b), 'bc.json': merged(b, c) }, '.');
    expect([code, line]).toEqual([
      1,
      expect.stringMatching(/(?:ab|bc)\.json is not counted: only a part of it is in (?:ab|bc)\.json/),
    ]);
    const later = { ...a, createdAt: '2999-01-01T00:00:00.000Z' };
    for (const [report, note] of [
      [later, 'a.json is not counted: only a part of it is in ab.json'],
      [{ ...later, verdict: 'fail' }, 'contract check failed: a.json failed, and is not counted: '],
    ] as const)
      expect((await merge({ 'ab.json': merged(a, b), 'a.json': report }, '.')).line).toContain(note);
  });
});

describe('a file that is no report', () => {
  const good = reportOn(GOOD);

  it.each<[name: string, content: (report: Report) => unknown, cause: string | RegExp]>([
    ['cut off', (report) => JSON.stringify(report).slice(0, 500), 'not valid JSON: '],
    ['no object', () => [], 'it must be a JSON object'],
    ['another file', () => ({ name: 'my-project', version: '1.0.0' }), 'it is no contract report: /'],
    ['without lines', (report) => ({ ...report, findings: [{}] }), '/findings/0/kind is required'],
    ['an error', () => ({ code: 'unauthorized', message: 'no key', status: 401 }), 'it is an error: no key'],
    ['not UTF-8', () => Buffer.from([0x7b, 0xff, 0xff, 0x7d]), 'not valid for encoding utf-8'],
    ['deep', () => '['.repeat(5_000_000), 'nested over 100 levels'],
    ['large', () => Buffer.alloc(16 * 1024 * 1024 + 1, ' '), 'it has more than 16777216 bytes'],
    ['of another version', (report) => ({ ...report, program: '9.9.9' }), 'version 9.9.9 of the program wrote it'],
    [
      'on another specification',
      (report) => ({ ...report, specification: '1.1.0+000000000000', verdict: 'fail' }),
      /specification 1\.1\.0\+0+, not about 1\.0\.0\+\w{12}; its verdict is fail/,
    ],
  ])('%s leaves the rest incomplete, and is named with its cause', async (_, content, cause) => {
    const files = { 'good.json': await good, 'wrong.json': content(await good) };
    const { code, line, stderr } = await merge(files, 'good.json', 'wrong.json');
    expect([code, stderr, line]).toEqual([1, '', expect.stringMatching(cause)]);
    expect(line).toMatch(/^contract check incomplete: wrong\.json is not.* 2 requests validated,/);
  });

  it('is an error where there is no other', async () => {
    for (const args of [['nothing.json'], ['wrong.json'], ['*.json'], ['nothing.json', 'wrong.json']]) {
      const { code, stdout, stderr } = await merge({ 'wrong.json': '{}' }, ...args);
      expect([code, stdout]).toEqual([2, '']);
      for (const name of args) expect(stderr).toContain(`${name} is not counted: `);
    }
    const { code, stderr, folder } = await merge({}, '.');
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no .json file in this directory')]);
    expect((await runInProcess(['report', '--merge'])).code).toBe(2);
    expect((await runInProcess(['report', '--merge', folder, '--har', 'x'])).code).toBe(2);
  });

  it('may be in UTF-16 with a byte order mark, as PowerShell writes it', async () => {
    const text = Buffer.from(`\ufeff${JSON.stringify(await good)}`, 'utf16le');
    expect((await merge({ 'a.json': text }, 'a.json')).code).toBe(0);
  });
});
