/**
 * `petstore-sandbox drill -- <command>`: runs the client under test through the drills, each in a sandbox of its own.
 */

import { spawn } from 'cross-spawn';
import { realClock } from '../base/clock.ts';
import { isObject, type JsonValue, parseIfJson } from '../base/int64.ts';
import { type AbortSignal, clearTimeout, setTimeout } from '../base/real-globals.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { fileName, notKnown, printable, quoted, shorten } from '../base/text.ts';
import { isoTime } from '../base/time.ts';
import type { Schema } from '../client/routes.ts';
import {
  type DrillOutcome,
  type DrillResult,
  type DrillTask,
  isUncaughtMistake,
  returnedResults,
  runDrill,
} from '../client/run-drill.ts';
import { type DrillsReport, drillsReportOf, drillsResults } from '../verdict/drills/drills-report.ts';
import { detailLines } from '../verdict/report/formats/text.ts';
import { type Group, statusOf } from '../verdict/report/results.ts';
import type { Call, FlagValues } from './command.ts';
import { nothingSent, variablesFor } from './connection.ts';
import type { DRILL } from './flags.ts';
import { keepDrills, withChanges } from './kept-run.ts';
import { exitCodeFor, formatOf, showResults } from './report.ts';
import { Signals } from './signals.ts';
import { EXIT, readIn, screenBehind } from './terminal.ts';

type DrillCommandCall = Call<typeof DRILL>;
type DrillFlags = FlagValues<typeof DRILL>;

/** Exit code 1 where the verdict is not `pass`. */
export async function runDrills(call: DrillCommandCall): Promise<number> {
  const { client, flags } = call;
  const { strict = false, parallel } = flags;
  const { drills } = await client.request('GET /drills');
  const known = drills.map(({ id }) => id);
  const expected = await readExpected(flags.knownFailures, known);
  const chosen = chosenOf(drills, flags);
  const signals = new Signals();
  try {
    const results = await inParallel(chosen, parallel, signals, async (id) => {
      const { printed, ...result } = await runOneDrill(call, id, signals.ending);
      if (signals.came) return result;
      const report = reportOn([result], strict, expected);
      const isQuiet = report.drills.every(({ state }) => state === 'pass' || state === 'not-applicable');
      const lines = detailLines(drillsResults(report), { listed: ['accepted'], screen: screenBehind(process.stderr) });
      for (const each of [...lines, ...(isQuiet ? [] : quotedLines(printed))]) process.stderr.write(`${each}\n`);
      return result;
    });
    const report = reportOn(results, strict, expected, chosen.length - results.length);
    return await show(report, call, signals);
  } finally {
    signals.forget();
  }
}

interface OneDrillCall extends Pick<DrillCommandCall, 'client' | 'args' | 'environment' | 'certificate'> {
  readonly flags: Pick<DrillFlags, 'timeout'> & { readonly strict?: boolean | undefined };
}

/**
 * Runs the command for a drill; also returns the end of what it printed.
 * @param signal aborted when this program has to end
 * @throws {SettingsError} where the command cannot be run
 * @throws {ClientError}
 */
export async function runOneDrill(
  { client, args, flags, environment, certificate }: OneDrillCall,
  id: string,
  signal: AbortSignal,
): Promise<DrillResult & { readonly printed: string }> {
  const variables = variablesFor({ url: client.url, certificate }, environment);
  const timeoutMs = flags.timeout * 1000;
  let printed = '';
  const result = await runDrill(
    client,
    id,
    async (task) => {
      const ran = await runDrillChild(args, task, { environment: variables, timeoutMs, signal });
      printed = ran.printed;
      return ran;
    },
    { strict: flags.strict === true },
  );
  return { ...result, printed };
}

const reportOn = (
  results: readonly DrillResult[],
  strict: boolean,
  expected: ReadonlySet<string>,
  interrupted = 0,
): DrillsReport => drillsReportOf(results, { strict, createdAt: isoTime(realClock.now()), interrupted }, expected);

/** @throws {SettingsError} for an unknown drill, and where none is left */
function chosenOf(drills: Schema<'Drills'>['drills'], { group, only }: DrillFlags): readonly string[] {
  const known = drills.map(({ id }) => id);
  const wanted = only?.split(',').map((id) => id.trim());
  const unknown = wanted?.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new SettingsError(`--only: the drill ${unknown} ${notKnown(unknown, known)}`);
  const chosen = drills.filter(({ id, group: of }) => (wanted?.includes(id) ?? true) && (!group || of === group));
  if (chosen.length === 0) throw new SettingsError('--group and --only leave no drill; take one of them out');
  return chosen.map(({ id }) => id);
}

/**
 * Does the work so many at a time; the results are in the order of the ids. After a signal nothing begins, and what was
 * cut short has no result: its client was ended, so nobody knows what it would have done.
 */
export async function inParallel<Result>(
  ids: readonly string[],
  parallel: number,
  { ending }: Signals,
  work: (id: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[][] = ids.map(() => []);
  const left = [...ids.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !ending.aborted; next = left.shift()) {
      const [at, id] = next;
      const result = await work(id);
      if (!ending.aborted) results[at] = [result];
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, ids.length) }, worker));
  } finally {
    left.length = 0;
  }
  return results.flat();
}

/** Shows what the progress has not shown already: of several drills, a table of all. */
async function show(report: DrillsReport, call: DrillCommandCall, signals: Signals): Promise<number> {
  const { client, flags } = call;
  const plain = drillsResults(report);
  const isAnySeen = report.drills.some(({ requests }) => requests.length > 0);
  const exitCode = signals.came ? EXIT.failed : exitCodeFor(plain);
  const idsOf = (wanted: string): string[] =>
    report.drills.flatMap(({ drill, state }) => (state === wanted ? drill : []));
  const ended = { args: call.args, exitCode, passed: idsOf('pass'), failed: idsOf('fail') };
  const changes = isAnySeen ? await keepDrills(ended, call.environment) : undefined;
  const isQuiet = !isAnySeen && report.interrupted === 0;
  const reasons = isQuiet ? nothingSent(client.apiUrl, call.environment) : plain.reasons;
  const results = { ...withChanges(plain, changes), reasons };
  if (flags.out !== undefined || formatOf(flags) !== 'text') {
    await showResults(results, flags, undefined, { listed: ['accepted'], full: true });
    return exitCode;
  }
  const outcomes = results.groups.flatMap((group): Group[] => {
    const { name, summary } = group;
    return summary === undefined ? [] : [{ name, summary, items: [{ name, status: statusOf(group) }] }];
  });
  const table = { ...results, groups: outcomes.length > 1 ? outcomes : [], headings: [] };
  await showResults(table, flags, undefined, {});
  return exitCode;
}

/**
 * The drills of a list, with a line each, as a result shows it: `✗ lost-create: …`. Empty lines and comments (`#`) don't count.
 * @throws {SettingsError} for a file that cannot be read, and for an unknown drill
 */
async function readExpected(file: string | undefined, known: readonly string[]): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set();
  const where = `--known-failures ${fileName(file)}`;
  const lines = (await readIn(where, file)).split(/\r?\n/);
  const ids = lines.flatMap((line, index) => {
    const [id = ''] = line.trim().replace(SIGN, '').split(':');
    if (known.includes(id)) return id;
    if (id === '' || id.startsWith('#')) return [];
    throw new SettingsError(`${where}, line ${index + 1}: the drill ${quoted(id)} ${notKnown(id, known)}`);
  });
  return new Set(ids);
}

/** What the text format writes before a result. */
const SIGN = /^[\u2717?!~] /;

/** Characters of a line of the client that are shown. */
const QUOTED = 200;

const quotedLines = (printed: string): string[] =>
  printed
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `    | ${shorten(printable(line), QUOTED)}`);

/** Characters that are shown of each stream of the client, and that its results are found in. */
const SHOWN = 4000;
const KEPT = 1024 * 1024;
/** Of standard error, where a trace is looked for. */
const KEPT_ERRORS = 64 * 1024;
/** Between the request to end and the end, in milliseconds. */
const PATIENCE_MS = 2000;
/** A shell adds the number of the signal that ended a program to this; PHP and Perl end with 255 on an exception. */
const BY_SIGNAL = 128;
const LAST_SIGNAL = 64;

export interface ChildRun extends DrillOutcome {
  /** The end of what it printed, to either stream. */
  readonly printed: string;
}

/** The environment variables of the client. */
const variablesOf = (task: DrillTask): NodeJS.ProcessEnv => ({
  SANDBOX_URL: task.url,
  SANDBOX_KEY: task.key,
  SANDBOX_DRILL: task.drill,
  SANDBOX_TASK: task.task,
  SANDBOX_TIMES: String(task.times),
  ...(task.petName !== null && { SANDBOX_PET_NAME: task.petName }),
  ...(task.petId !== null && { SANDBOX_PET_ID: task.petId }),
  ...(task.secondKey !== null && { SANDBOX_SECOND_KEY: task.secondKey }),
});

/**
 * @param signal aborted when this program has to end
 * @throws {SettingsError} where the command cannot be run
 */
async function runDrillChild(
  [file = '', ...args]: readonly string[],
  task: DrillTask,
  { environment, timeoutMs, signal }: { environment: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
): Promise<ChildRun> {
  const child = spawn(file, args, { env: { ...environment, ...variablesOf(task) }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] = (said[name] + text).slice(-KEPT);
    });
  let isOver = false;
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    isOver = true;
    child.kill('SIGTERM');
    patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  };
  const limit = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
      // Its pipes may stay open in what it started.
      child.once('exit', (exitCode) => {
        clearTimeout(patience);
        patience = setTimeout(resolve, PATIENCE_MS, exitCode);
      });
    });
    const isBySignal = code === null || (code > BY_SIGNAL && code <= BY_SIGNAL + LAST_SIGNAL);
    const crashed = isOver || isBySignal || (code !== 0 && isUncaughtMistake(said.stderr.slice(-KEPT_ERRORS)));
    const printed = `${said.stdout.slice(-SHOWN)}\n${said.stderr.slice(-SHOWN)}`;
    return { success: code === 0 && !isOver, crashed, printed, results: resultsIn(said.stdout) };
  } catch (cause) {
    throw new SettingsError(`${file} cannot be run: ${(cause as Error).message}`, { cause });
  } finally {
    clearTimeout(limit);
    clearTimeout(patience);
    signal.removeEventListener('abort', stop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** The pets and lists that were printed: the whole output, or each on a line between others, such as those of a log. */
function resultsIn(stdout: string): readonly unknown[] {
  const whole = jsonIn(stdout);
  if (whole !== undefined) return returnedResults(whole);
  return stdout
    .split('\n')
    .map(jsonIn)
    .filter((value) => value !== undefined);
}

/** A list, or what may be a pet; `undefined` for any other text. */
function jsonIn(text: string): JsonValue | undefined {
  const value = /^\s*[[{]/.test(text) ? parseIfJson(text) : undefined;
  return Array.isArray(value) || (isObject(value) && 'id' in value && 'name' in value) ? value : undefined;
}
