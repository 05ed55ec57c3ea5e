/** `petstore-sandbox ready -- <command>`: everything that a client needs before it goes live, in one table. */

import { parseJson } from '../base/int64.ts';
import { ownCommand } from '../base/own-command.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { counted, printable, shellWord } from '../base/text.ts';
import { dayInWords, dayOf } from '../base/time.ts';
import type { Schema } from '../client/routes.ts';
import type { Preview } from '../verdict/drafts/preview.ts';
import {
  type Evidence,
  IDS_DRILL,
  isCalled,
  readyResults,
  responseName,
  type SeenIds,
  seenIdsIn,
} from '../verdict/ready.ts';
import type { ReadyRow } from '../verdict/ready-rows.ts';
import type { Report } from '../verdict/report/report.ts';
import type { Call } from './command.ts';
import { nothingSent } from './connection.ts';
import { inParallel, runOneDrill } from './drill.ts';
import { inOwnSandbox, keptIn, type NewSandbox, prepareArtifacts, runChild, seenRun } from './exec.ts';
import { fixtureOf } from './fixture-files.ts';
import type { READY } from './flags.ts';
import { keepRun, NOT_KEPT, withChanges } from './kept-run.ts';
import { exitCodeFor, fetchReport, formatOf, showResults, writeResults } from './report.ts';
import { Signals } from './signals.ts';
import { complain, during, EXIT } from './terminal.ts';

/** A call with what each of its runs needs. */
interface ReadyCall extends Call<typeof READY> {
  readonly body: NewSandbox;
  readonly signals: Signals;
}

/** Exit code 1 unless every row that applies has passed. */
export async function ready(given: Call<typeof READY>): Promise<number> {
  const { flags, args } = given;
  const signals = new Signals();
  try {
    if (flags.artifacts !== undefined) await prepareArtifacts(flags.artifacts);
    const call = { ...given, signals, body: { fixture: await fixtureOf(flags), label: flags.label } as NewSandbox };
    const first = await firstRun(call);
    const { report, preview, broken, recording } = first;
    const called = flags.notApplicable?.find((name) => isCalled(report, name));
    if (called !== undefined)
      throw new SettingsError(
        `--not-applicable ${called}: your tests call it; name what does not apply of it, like ${called}:404`,
      );
    const found = readyResults({
      ...first,
      provoked: broken === undefined ? await provoke(call, report) : [],
      ids: broken === undefined ? await withLargeIds(call) : { rounded: report.counts.rounded, unknown: broken },
      drills: await runDrills(call),
      broken: broken ?? brokenBy(signals),
      excluded: flags.notApplicable ?? [],
      client: flags.drill ?? args.map((each) => shellWord(each, process.platform)).join(' '),
    });
    const exitCode = signals.came ? EXIT.failed : exitCodeFor(found);
    const { changes } = await keepRun({ args, exitCode, report, recording }, call.environment);
    const results = { ...withChanges(found, changes), data: { ...(found.data as object), report, preview } };
    const { out } = flags;
    if (out !== undefined) await writeResults('--out', out, results);
    if (formatOf(flags) === 'text') {
      const about = [...results.about, dayInWords(dayOf(results.endedAt))];
      process.stdout.write(`Ready for production?  ${about.map(printable).join(' · ')}\n\n`);
    }
    await showResults(results, { ...flags, out: undefined });
    if (out !== undefined && formatOf(flags) === 'text') process.stdout.write(`wrote ${out}\n`);
    return exitCode;
  } finally {
    signals.forget();
  }
}

const isExcluded = ({ flags }: ReadyCall, row: ReadyRow): boolean => flags.notApplicable?.includes(row) === true;

/** Why a run of the tests is incomplete. */
function brokenBy({ came }: Signals, code: number = EXIT.done): string | undefined {
  if (came) return `the run was interrupted (${came})`;
  return code === EXIT.done ? undefined : `the tests ended with exit code ${code}`;
}

/** The client's tests, as `exec` runs them. */
async function firstRun(
  call: ReadyCall,
): Promise<Pick<Evidence, 'report' | 'preview' | 'broken' | 'see'> & { readonly recording: string | undefined }> {
  const { artifacts, expectInvalid } = call.flags;
  complain('your tests, in a fresh sandbox');
  return inOwnSandbox(call, call.body, async (sandbox) => {
    const { own, variables } = sandbox;
    const ended = brokenBy(call.signals, await runChild(call.args, variables, call.signals, 2));
    const { around, report, recording } = await seenRun(sandbox, { expectInvalid });
    const nothing = report.account.total === 0 && !call.signals.came ? nothingSent(own.apiUrl, call.environment) : [];
    const broken = [...nothing, ended ?? []].flat().join('; ') || undefined;
    const preview =
      report === around
        ? ((await own.request('GET /preview')) as unknown as Preview)
        : 'the tests have sandboxes of their own, whose requests are not previewed';
    const kept = artifacts && recording ? await keptIn(artifacts, around.sandbox, recording) : undefined;
    const isKept = recording !== undefined && !call.environment['CI'];
    const see = kept ?? (isKept ? ownCommand('open') : NOT_KEPT.see);
    return { report, preview, broken, see, recording };
  });
}

/** The documented errors that a fault can stand in for: a 400 is the client's own mistake. */
const INJECTED = [401, 404];

/**
 * Runs the tests with the documented errors that they did not provoke, as long as each run brings one more: a client may
 * end at the first.
 * @returns the errors that reached the client
 */
async function provoke(call: ReadyCall, report: Report): Promise<readonly string[]> {
  const provoked: string[] = [];
  let left = report.coverage.untested.filter(
    ({ operation, status }) => INJECTED.includes(status) && isCalled(report, operation),
  );
  while (left.length > 0 && !call.signals.came && !isExcluded(call, 'responses')) {
    complain(`your tests again, with injected errors: ${left.map(responseName).join(', ')}`);
    const triggered = await inOwnSandbox(call, call.body, async ({ own, variables }) => {
      for (const { operation, status } of left)
        await own.request('POST /faults', { body: { operation, status, times: 1 } });
      await runChild(call.args, variables, call.signals, 'ignore');
      const { faults } = await own.request('GET /faults');
      return faults.flatMap((rule) => (rule.triggered > 0 ? [`${rule.operation} ${rule.status}`] : []));
    });
    if (triggered.length === 0) break;
    provoked.push(...triggered);
    left = left.filter((each) => !triggered.includes(responseName(each)));
  }
  return provoked;
}

/** The first integer that a double cannot represent. From here on, it's every second one. */
const FIRST = 2n ** 53n + 1n;

/** Runs the tests with ids that doubles round: of all pets, or where tests rely on the ids of pets, only of new ones. */
async function withLargeIds(call: ReadyCall): Promise<SeenIds> {
  let found: SeenIds = { rounded: 0, unknown: brokenBy(call.signals) };
  for (const which of isExcluded(call, 'ids') ? [] : ['all pets', 'new pets']) {
    if (call.signals.came) break;
    complain(`your tests again, with ids beyond 2^53 for ${which}`);
    found = await inOwnSandbox(call, call.body, async ({ own, variables }) => {
      const fixture = await own.text('GET /export', { query: { format: 'fixture' } });
      const pets = (parseJson(fixture) as unknown as Schema<'FixtureFile'>).pets.map((pet, at) =>
        which === 'all pets' ? { ...pet, id: FIRST + 2n * BigInt(at) } : pet,
      );
      await own.request('POST /reset', { body: { fixture: { nextId: FIRST + 2n * BigInt(pets.length), pets } } });
      const broken = brokenBy(call.signals, await runChild(call.args, variables, call.signals, 'ignore'));
      return { ...(await seenIdsIn(own, await fetchReport(own, {}))), unknown: broken && `with such ids, ${broken}` };
    });
    if (found.rounded > 0 || found.unknown === undefined) break;
  }
  return found;
}

/** Whether the tests do the tasks of drills is seen in this one: its pet has the name that the task asks for. */
const PROBE = 'lost-create';
const NO_CLIENT = 'no client to try: name one that does the task of a drill, with --drill "node my-client.mjs"';

/** Runs the drills with the client of `--drill`, or with the tests if they do the tasks of drills. */
async function runDrills(call: ReadyCall): Promise<Evidence['drills']> {
  const { client, flags, signals } = call;
  const { drills } = await client.request('GET /drills');
  const left = drills.flatMap(({ id }) => (isExcluded(call, id === IDS_DRILL ? 'ids' : 'failures') ? [] : [id]));
  if (signals.came || left.length === 0) return brokenBy(signals) ?? 'not applicable';
  const args = flags.drill === undefined ? call.args : inShell(flags.drill);
  const run = (about: string, ids: readonly string[]) => {
    const results = inParallel(ids, flags.parallel, signals, (id) =>
      runOneDrill({ ...call, args }, id, signals.ending),
    );
    return during(about, results, call.environment);
  };
  if (flags.drill === undefined) {
    const [probe] = await run('asking whether your tests do drills', [PROBE]);
    if (!probe?.requests.some(({ petName }) => petName !== null && petName === probe.petName))
      return brokenBy(signals) ?? NO_CLIENT;
  }
  complain(counted(left.length, 'drill'));
  const results = await run('the drills run', left);
  return brokenBy(signals) ?? { total: drills.length, results };
}

const inShell = (line: string): readonly string[] =>
  process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', line] : ['/bin/sh', '-c', line];
