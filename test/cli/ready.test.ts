/** `petstore-sandbox ready`: an excellent client is ready, one with a mistake fails the row of it, and what was not tried is unknown. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readyResults } from '../../src/verdict/ready.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const server = await startTestServer();

const TESTS = ['--', process.execPath, 'test/cli/ready-client.mjs'];
const CLIENTS = {
  'of JavaScript': `"${process.execPath}" test/cli/full-jitter.mjs`,
  'of Python': 'python3 test/cli/excellent.py',
};

/** The excellent client does not use getPet, which is removed. */
const GET_PET = ['--not-applicable', 'getPet'];
const without = (...rows: string[]) => rows.flatMap((row) => ['--not-applicable', row]);

/** Runs the command; the rows by their names. */
async function ready(flags: readonly string[], mistake = 'none', tests: readonly string[] = TESTS) {
  const args = ['ready', '--url', server.url, '--json', ...flags, ...tests];
  const { code, stdout, stderr } = await runProgram(args, { MISTAKE: mistake });
  expect(stdout, stderr).toMatch(/^\{/);
  const { rows, ...all } = JSON.parse(stdout) as {
    rows: { name: string; status: string; summary: string }[];
    title: string;
  };
  const statuses = Object.fromEntries(rows.map(({ name, status }) => [name, status]));
  expect([...server.sandboxes.all()].filter(({ record }) => record.label !== 'bystander')).toEqual([]);
  return { code, statuses, rows, ...all };
}

const ALL = { specification: 'passed', responses: 'passed', failures: 'passed', change: 'passed', ids: 'passed' };

describe('an excellent client', () => {
  it.for(Object.entries(CLIENTS))('%s is ready', { timeout: limit(240_000) }, async ([, client]) => {
    expect(await ready([...GET_PET, '--drill', client])).toMatchObject({ code: 0, statuses: ALL, title: 'ready' });
  });

  it('may do the tasks of drills in its tests', { timeout: limit(240_000) }, async () => {
    expect(await ready(GET_PET)).toMatchObject({ code: 0, statuses: ALL });
  });
});

/** Mistakes of the tests' client, the row that fails, and rows that do not apply. */
const MISTAKES: Readonly<Record<string, readonly [row: string, excluded?: readonly string[]]>> = {
  'sends a limit that is too large': ['specification'],
  'calls a path that there is not': ['specification'],
  'never creates': ['responses'],
  'never calls getPet': ['responses'],
  'calls getPet': ['change', []],
  'calls getPet for a pet that it lists': ['ids', ['change']],
};

it.for(Object.entries(MISTAKES))(
  'a client that %s fails the row %s',
  { timeout: limit(120_000) },
  async ([mistake, [row, excluded = []]]) => {
    const out = ['failures', ...(row === 'ids' ? [] : ['ids']), ...excluded];
    const flags = [...without(...out), ...(mistake.includes('getPet') ? [] : GET_PET)];
    // Whether a request of no operation goes on working is not known.
    const change = mistake === 'calls a path that there is not' ? 'unknown' : 'passed';
    const expected = { ...ALL, change, ...Object.fromEntries(out.map((each) => [each, 'skipped'])), [row]: 'failed' };
    expect(await ready(flags, mistake)).toMatchObject({ code: 1, statuses: expected });
  },
);

/** Mistakes of the drills' client, and the row that each fails. What else drills find: test/verdict/drills/checks.test.ts. */
const DRILLED = { 'creates again without a look': 'failures', 'rounds ids': 'ids' };

it.for(Object.entries(DRILLED))(
  'a client that %s fails its row in the drills',
  { timeout: limit(240_000) },
  async ([mistake, row]) => {
    const flags = [...GET_PET, '--drill', `"${process.execPath}" test/cli/ready-drill.mjs`];
    expect(await ready(flags, mistake)).toMatchObject({ code: 1, statuses: { ...ALL, [row]: 'failed' } });
  },
);

describe('a run that shows nothing', () => {
  const NOTHING = Object.fromEntries(Object.keys(ALL).map((row) => [row, 'unknown']));

  it.for(['sends nothing', 'ends with an error'])('is unknown where the client %s', async (mistake) => {
    const tests = [
      '--',
      process.execPath,
      '-e',
      `delete process.env.SANDBOX_TASK; import('./test/cli/ready-client.mjs')`,
    ];
    const { code, statuses } = await ready([], mistake, tests);
    expect([code, statuses]).toEqual([1, NOTHING]);
  });

  it('is unknown where it is interrupted, and leaves no sandbox', { timeout: limit(60_000) }, async () => {
    const running = startProgram(['ready', '--url', server.url, '--json', ...TESTS], { MISTAKE: 'waits for ever' });
    await expect
      .poll(() => [...server.sandboxes.all()].some((each) => each.lastUsedAt > each.record.createdAt))
      .toBe(true);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    const { rows } = JSON.parse(stdout) as { rows: { status: string; summary: string }[] };
    expect([code, new Set(rows.map(({ status }) => status))]).toEqual([1, new Set(['unknown'])]);
    expect(rows[0]?.summary).toContain('interrupted');
    expect([...server.sandboxes.all()]).toEqual([]);
  });
});

it('writes a page for the owner of the API, by the ending of its name', { timeout: limit(60_000) }, async () => {
  const folder = await newFolder();
  const flags = [...without('failures', 'ids'), ...GET_PET, '--label', 'mobile app', '--artifacts', folder];
  const file = join(folder, 'ready.html');
  const ran = await runProgram(['ready', '--url', server.url, ...flags, '--out', file, ...TESTS]);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Ready for production[\s\S]*\n✓ ready /) });
  expect(ran.stdout).toMatch(new RegExp(`\nwrote ${file}\n$`));
  const page = /^<!doctype html>[\s\S]*Survives 5 December 2030[\s\S]*mobile app/;
  expect(await readFile(file, 'utf8')).toMatch(page);
});

it('shows the outcomes in a column, and opens the recording of the tests', { timeout: limit(60_000) }, async () => {
  const folder = await newFolder();
  const flags = [...without('failures', 'ids'), '--start', '--artifacts', folder];
  const { stdout } = await runProgram(['ready', ...flags, ...TESTS], { MISTAKE: 'calls getPet' });
  expect(stdout).toMatch(/^✓ Follows the specification {8}\d+ requests, all valid$/m);
  const [, recording = ''] = /→ npx petstore-sandbox open (\S+\.jsonl)$/m.exec(stdout) ?? [];
  const preview = await runProgram(['preview', '--in', recording]);
  expect(preview).toMatchObject({ code: 1, stdout: expect.stringContaining('preview failed: 1 request fails') });
});

it.each([
  ['drills', 'failures'],
  ['getPet', '--not-applicable getPet: your tests call it'],
])('does not leave out what it does not know, or what the tests call: %s', async (what, said) => {
  const flags = without(what, 'failures', 'ids');
  const tests = await runProgram(['ready', '--url', server.url, ...flags, ...TESTS], { MISTAKE: 'calls getPet' });
  expect(tests).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});

it('says in its row what a drill advises, and how many rows passed', async () => {
  const report = (await server.client((await server.sandbox({ label: 'bystander' })).key).get('/_sandbox/report')).json;
  const advice = { level: 'warning', message: 'waits longer' };
  const results = readyResults({
    ...{ report, preview: 'not tried', ids: { rounded: 0, unknown: 'not tried' } },
    drills: { total: 2, results: [{ drill: 'outage', verdict: 'pass', findings: [advice] }] },
  } as never);
  expect(results.groups[2]).toMatchObject({
    summary: '1 of 1 drills; outage: waits longer',
    items: [{ status: 'passed' }],
  });
  expect([results.title, results.verdict]).toEqual(['not ready: 1 of 5 passed', 'incomplete']);
  expect(
    results.groups.flatMap(({ items }) => items.flatMap(({ findings = [] }) => findings.map(({ level }) => level))),
  ).not.toContain('error');
});

it('does not say of an operation that it was never called where each call was rejected', async () => {
  const script = `curl -s -o /dev/null -H "Authorization: Bearer $SANDBOX_KEY" "$SANDBOX_URL/pets?limit=500"`;
  const { code, rows } = await ready(without('failures', 'ids'), 'none', ['--', 'sh', '-c', script]);
  expect([code, rows[1]]).toMatchObject([
    1,
    {
      summary: expect.stringContaining('listPets 401 injected'),
      finding: expect.stringContaining('listPets 200: never seen'),
    },
  ]);
});
