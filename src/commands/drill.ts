/**
 * `petstore-sandbox drill -- <command>`: runs the client under test through the drills, each in a sandbox of its own.
 */
import { spawn } from 'node:child_process';
import type { ControlsClient } from '../client/client.ts';
import { type DrillOutcome, type DrillResult, type DrillTask, runDrill } from '../client/run-drill.ts';
import { printable } from '../client/text.ts';
import { isoTime, realClock } from '../core/clock.ts';
import { MAX_SMALL_FILE, readGivenFile } from '../core/given-file.ts';
import { notKnown } from '../core/text.ts';
import { type DrillsReport, drillsReportOf } from '../drills/drills-report.ts';
import { drillsResults } from '../drills/drills-results.ts';
import { inFormat } from '../report/formats/formats.ts';
import { detailLines } from '../report/formats/text.ts';
import { summaryOf } from '../report/results.ts';
import { SettingsError } from '../server/settings.ts';
import type { Call, Values } from './command.ts';
import { variablesFor } from './connection.ts';
import type { DRILL } from './flags.ts';
import { Signals } from './signals.ts';
import { EXIT, StatusLine, writeOut } from './terminal.ts';

type DrillFlags = Values<typeof DRILL>;

const PARALLEL = 4;
/** A hanging response takes a minute: a client that waits for it is not cut off. */
const TIMEOUT_SECONDS = 90;

/** Exit code 1 where the verdict is not `pass`. */
export async function drill({ client, flags, args, environment, certificate }: Call<typeof DRILL>): Promise<number> {
  const { strict = false, parallel = PARALLEL, timeout = TIMEOUT_SECONDS } = flags;
  if (parallel < 1 || timeout < 1) throw new SettingsError('--parallel and --timeout must be 1 or more');
  const { drills } = await client.request('GET /drills');
  const known = drills.map(({ id }) => id);
  const expected =
    flags.knownFailures === undefined ? new Set<string>() : await readExpected(flags.knownFailures, known);
  const chosen = chosenOf(drills, flags);
  const signals = new Signals();
  const ending = new AbortController();
  signals.passTo(() => ending.abort());
  const progress = new DrillProgress(chosen.length, environment);
  // The command is a client like any other: the operator's token is not for it.
  const { SANDBOX_ADMIN_TOKEN: _, ...rest } = environment;
  try {
    const run = async (id: string): Promise<DrillResult> => {
      progress.begin(id);
      let last: ChildRun | undefined;
      const result = await runDrill(
        client,
        id,
        async (task) => {
          last = await runDrillChild(args, task, {
            environment: { ...rest, ...variablesFor(certificate, environment) },
            timeoutMs: timeout * 1000,
            signal: ending.signal,
          });
          return { success: last.success, crashed: last.crashed ?? false };
        },
        { strict },
      );
      const graded = reportOn([result], { expected, strict });
      const lines = detailLines(drillsResults(graded), { listed: ['accepted'] });
      progress.end(id, lines, graded.drills[0]?.state === 'pass' ? '' : (last?.printed ?? ''));
      return result;
    };
    const results = await inParallel(chosen, parallel, run, ending);
    const report = reportOn(results, { expected, strict });
    await show(report, flags);
    return !ending.signal.aborted && report.verdict === 'pass' ? EXIT.done : EXIT.failed;
  } finally {
    progress.close();
    signals.forget();
  }
}

const reportOn = (results: readonly DrillResult[], facts: { expected: ReadonlySet<string>; strict: boolean }) =>
  drillsReportOf(results, { ...facts, createdAt: isoTime(realClock.now()) });

/** @throws {SettingsError} for an unknown drill, and where none is left */
function chosenOf(
  drills: Awaited<ReturnType<typeof catalogue>>['drills'],
  { group, only }: DrillFlags,
): readonly string[] {
  const known = drills.map(({ id }) => id);
  const wanted = only?.split(',').map((id) => id.trim());
  const unknown = wanted?.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new SettingsError(`--only: the drill ${unknown} ${notKnown(unknown, known)}`);
  const chosen = drills.filter(({ id, group: of }) => (wanted?.includes(id) ?? true) && (!group || of === group));
  if (chosen.length === 0) throw new SettingsError('--group and --only leave no drill; take one of them out');
  return chosen.map(({ id }) => id);
}
const catalogue = (client: ControlsClient) => client.request('GET /drills');

/** Does the work so many at a time; the results are in the order of the ids. After an abort nothing begins. */
async function inParallel<Result>(
  ids: readonly string[],
  parallel: number,
  work: (id: string) => Promise<Result>,
  ending: AbortController,
): Promise<readonly Result[]> {
  const results = new Map<string, Result>();
  const left = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined && !ending.signal.aborted; id = left.shift()) {
      try {
        results.set(id, await work(id));
      } catch (error) {
        ending.abort();
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, ids.length) }, worker));
  return ids.flatMap((id) => results.get(id) ?? []);
}

async function show(report: DrillsReport, { format, out, json = false }: Call<typeof DRILL>['flags']): Promise<void> {
  const results = drillsResults(report);
  const wanted = format ?? (json ? 'json' : 'text');
  const text = await inFormat(wanted, results, { listed: ['accepted'], full: true });
  if (out !== undefined) await writeOut('--out', out, `${text}\n`);
  // The progress has told the rest already.
  const printed = out !== undefined || wanted === 'text' ? summaryOf(results) : text;
  process.stdout.write(`${printed}\n`);
}

/** Reads the list of known failures: a YAML file with a list of ids of drills. */
const FORM = 'it must be a list of drills, like `- lost-create`';

/** @throws {SettingsError} for a file that cannot be read, and for what is no list of known drills */
async function readExpected(file: string, known: readonly string[]): Promise<ReadonlySet<string>> {
  let list: unknown;
  try {
    const text = String(await readGivenFile(file, MAX_SMALL_FILE));
    // A CommonJS module: bundled or not, its exports are members of the default one.
    const { default: yaml } = await import('yaml');
    list = yaml.parse(text);
  } catch (cause) {
    throw new SettingsError(`--known-failures ${file} cannot be read: ${(cause as Error).message}; ${FORM}`, { cause });
  }
  if (list === null) return new Set();
  if (!Array.isArray(list)) throw new SettingsError(`--known-failures ${file}: ${FORM}`);
  for (const id of list) {
    if (typeof id !== 'string') throw new SettingsError(`--known-failures ${file}: ${FORM}`);
    if (!known.includes(id))
      throw new SettingsError(`--known-failures ${file}: the drill ${id} ${notKnown(id, known)}`);
  }
  return new Set(list);
}

/** Says how far the drills are: a line for each that is over, and on a terminal one for those that run. */
class DrillProgress {
  readonly #running = new Set<string>();
  readonly #total: number;
  readonly #to: NodeJS.WriteStream;
  readonly #line: StatusLine;
  #over = 0;

  constructor(total: number, environment: NodeJS.ProcessEnv, to: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#to = to;
    this.#line = new StatusLine(environment, to);
  }

  begin(id: string): void {
    this.#running.add(id);
    this.#status();
  }

  /** @param printed what the client printed, where it may explain the lines */
  end(id: string, lines: readonly string[], printed: string): void {
    this.#running.delete(id);
    this.#over += 1;
    const quoted = printed
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `    | ${line}`);
    this.#line.clear();
    for (const line of [...lines, ...quoted]) this.#to.write(`${printable(line)}\n`);
    this.#status();
  }

  close(): void {
    this.#line.clear();
  }

  #status(): void {
    if (this.#running.size === 0) return;
    this.#line.show(`${this.#over} of ${this.#total} drills done; running: ${[...this.#running].join(', ')}`);
  }
}

/** Characters that are kept of what the client prints. */
const KEPT = 4000;
/** Between the request to end and the end, in milliseconds. */
const PATIENCE_MS = 2000;
/** From this code on a shell says that a signal ended the program. */
const BY_SIGNAL = 128;

export interface ChildRun extends DrillOutcome {
  /** The end of what it printed. */
  readonly printed: string;
}

/** What the client is told, by variable. */
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
export async function runDrillChild(
  [file = '', ...args]: readonly string[],
  task: DrillTask,
  { environment, timeoutMs, signal }: { environment: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
): Promise<ChildRun> {
  const child = spawn(file, args, { env: { ...environment, ...variablesOf(task) }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const keep = (text: Buffer): void => {
    printed = (printed + text.toString()).slice(-KEPT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
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
      // Its pipes may stay open in what it started.
      child.once('exit', (exitCode) => setImmediate(resolve, exitCode));
    });
    const crashed = isOver || code === null || code >= BY_SIGNAL;
    return { success: code === 0 && !isOver, crashed, printed };
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
