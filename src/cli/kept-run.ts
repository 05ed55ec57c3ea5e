/**
 * The last run of a command in a project, passed or failed. It stays in the project's cache folder, where the next run is
 * compared with it, and `open` finds it.
 */

import { existsSync } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { hashOf } from '../base/api/api-key.ts';
import type { Exchange } from '../base/api/exchange.ts';
import { realClock } from '../base/clock.ts';
import { makeDirectory, readGivenFile } from '../base/files.ts';
import { inSlices } from '../base/lane.ts';
import { MAX_RECORDING_BYTES } from '../base/limits.ts';
import { ownCommand } from '../base/own-command.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { isoTime } from '../base/time.ts';
import { readRecording } from '../traffic/files/read.ts';
import { createRedact } from '../traffic/redact.ts';
import { exchangeFrom } from '../traffic/shown.ts';
import { changesBetween, type ReportedRun } from '../verdict/report/changes.ts';
import type { Report } from '../verdict/report/report.ts';
import { MAX_REPORT_BYTES, reportReader } from './saved-reports.ts';
import { complain } from './terminal.ts';

/** The commands that keep their last run, a file each. */
type KeptBy = 'exec' | 'ready' | 'drill';

/** A run that has ended. */
interface EndedRun {
  readonly args: readonly string[];
  readonly exitCode: number;
  readonly report: Report;
  /** Empty if there is none. */
  readonly recording: string;
}

/** The first line of the file; its report and its recording follow. */
interface KeptHead {
  readonly command: string;
  readonly at: string;
  readonly exitCode: number;
  /** What changed since the run before, in words. */
  readonly changes: string | null;
}

/** Of a run that is not kept. */
export const NOT_KEPT = {
  changes: undefined,
  see: 'to keep every request with its response, run it with --artifacts DIR',
} as const;

/** What the folder of a project has. */
const PROJECT = [
  ...['node_modules', 'package.json', '.git', 'deno.json', 'pyproject.toml', 'setup.py', 'go.mod', 'pom.xml'],
  ...['build.gradle', 'build.gradle.kts', 'Gemfile', 'composer.json', 'Cargo.toml'],
];

/** Its file: in `node_modules/.cache`, as other tools of Node have it, or in the user's cache, under a name for the project. */
function keptFile(by: KeptBy, environment: NodeJS.ProcessEnv): string {
  const root = projectFolder();
  const modules = join(root, 'node_modules');
  if (existsSync(modules)) return join(modules, '.cache', 'petstore-sandbox', `${by}.jsonl`);
  const caches = environment['XDG_CACHE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.cache');
  return join(caches, 'petstore-sandbox', `${by}-${hashOf(root).slice(0, 12)}.jsonl`);
}

/** The nearest one, from this folder up. */
function projectFolder(): string {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (PROJECT.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return process.cwd();
  }
}

/**
 * Compares a run with the one before, and keeps it instead, except in CI. What cannot be read or written is said, and
 * changes no verdict.
 * @returns the comparison in words, and how its requests are seen later
 */
export async function keepRun(
  by: KeptBy,
  { args, exitCode, report, recording }: EndedRun,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly changes: string | undefined; readonly see: string }> {
  if (environment['CI']) return NOT_KEPT;
  const file = keptFile(by, environment);
  const before = await readKept(file).catch(notCompared);
  const changes = before && (await changesIn({ report, exchanges: await exchangesIn(recording) }, before));
  const command = createRedact([])(args.join(' '));
  const at = isoTime(realClock.now());
  const head: KeptHead = { command, at, exitCode, changes: changes ?? null };
  const isKept = await keep(file, `${JSON.stringify(head)}\n${JSON.stringify(report)}\n${recording}`);
  return { changes, see: isKept && recording !== '' ? ownCommand('open') : NOT_KEPT.see };
}

/** Says why there is nothing to compare a run with. */
function notCompared({ message }: Error): undefined {
  complain(`this run is not compared with the one before: ${message}; it is replaced`);
}

/** Writes the file of a run, and says if that cannot be done; returns whether it could. */
async function keep(file: string, text: string): Promise<boolean> {
  try {
    await makeDirectory(dirname(file));
    // Several may end at once: each file is whole.
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
    return true;
  } catch (error) {
    complain(`this run is not kept: ${(error as Error).message}`);
    return false;
  }
}

/** What became of drills, by their ids. */
interface KeptDrills {
  readonly at: string;
  readonly exitCode: number;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/** Compares drills with the last ones of this project, and keeps them instead, except in CI. @returns the comparison in words */
export async function keepDrills(
  { passed, failed, exitCode }: Omit<KeptDrills, 'at'>,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (environment['CI']) return undefined;
  const file = keptFile('drill', environment);
  const before = await readDrills(file).catch(notCompared);
  await keep(file, JSON.stringify({ at: isoTime(realClock.now()), exitCode, passed, failed } satisfies KeptDrills));
  if (!before) return undefined;
  const fixed = before.failed.filter((id) => passed.includes(id)).length;
  const still = failed.filter((id) => before.failed.includes(id)).length;
  const counts = [`fixed ${fixed}`, `new ${failed.length - still}`, ...(still > 0 ? [`still ${still}`] : [])];
  return fixed + failed.length === 0 ? undefined : `${counts.join(', ')} ${sinceRun(before)}`;
}

/** `undefined` where there are none. @throws {Error} for a damaged file */
async function readDrills(file: string): Promise<KeptDrills | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    const found = JSON.parse((await readGivenFile(file, MAX_REPORT_BYTES)).toString('utf8')) as KeptDrills;
    if (!Array.isArray(found.passed) || !Array.isArray(found.failed)) throw new Error('it is not of this version');
    return found;
  } catch (cause) {
    throw new Error(`${file} cannot be used: ${(cause as Error).message}`, { cause });
  }
}

interface KeptRun {
  readonly head: KeptHead;
  readonly report: Report;
  readonly recording: Buffer;
}

const exchangesIn = async (recording: string): Promise<readonly Exchange[]> =>
  recording === ''
    ? []
    : (await readRecording(Buffer.from(recording))).exchanges.map((each) => exchangeFrom(each, '', 0));

/** `undefined` where there is none. @throws {Error} for one that is damaged, or of another version */
async function readKept(file: string): Promise<KeptRun | undefined> {
  if (!existsSync(file)) return undefined;
  const bytes = await readGivenFile(file, MAX_RECORDING_BYTES + MAX_REPORT_BYTES);
  const end = bytes.indexOf('\n');
  const next = bytes.indexOf('\n', end + 1);
  try {
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as KeptHead;
    const report = await (await reportReader())(bytes.subarray(end + 1, next));
    return { head, report, recording: bytes.subarray(next + 1) };
  } catch (cause) {
    throw new Error(`${file} cannot be used: ${(cause as Error).message}`, { cause });
  }
}

/** The last run of the tests in this project, as `exec` or `ready` kept it. @throws {SettingsError} */
export async function lastRun(environment: NodeJS.ProcessEnv): Promise<{
  readonly file: string;
  readonly recording: Buffer;
  readonly about: string;
}> {
  const files = (['exec', 'ready'] as const).map((by) => keptFile(by, environment));
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  );
  const file = files[times.indexOf(Math.max(...times))] as string;
  const found = await readKept(file).catch((cause: Error) => {
    throw new SettingsError(`the last run cannot be opened: ${cause.message}; run it again`, { cause });
  });
  if (!found) throw new SettingsError('no run of exec or ready is kept for this project; name a recording');
  const { head, recording } = found;
  const { command, at, exitCode, changes } = head;
  return { file, recording, about: `${command}, ${clockTime(at)} (exit ${exitCode})${changes ? `, ${changes}` : ''}` };
}

/** `fixed 1, new 0 since 16:04 (exit 1)`; nothing where neither run had an issue. */
async function changesIn(run: ReportedRun, { head, report }: KeptRun): Promise<string | undefined> {
  const { fixed, new: added, still, notTried } = await inSlices(changesBetween({ report, exchanges: [] }, run));
  if (fixed.length + added + still + notTried.length === 0) return undefined;
  const others = [
    ...(still > 0 ? [`still ${still}`] : []),
    ...(notTried.length > 0 ? [`not tried ${notTried.length}`] : []),
  ];
  return `${[`fixed ${fixed.length}`, `new ${added}`, ...others].join(', ')} ${sinceRun(head)}`;
}

const sinceRun = ({ at, exitCode }: Pick<KeptHead, 'at' | 'exitCode'>): string =>
  `since ${clockTime(at)} (exit ${exitCode})`;

/** As a clock on the wall shows it, with the day where that is another. */
function clockTime(at: string): string {
  const [then, today] = [new Date(at), new Date(realClock.now())];
  const time = then.toTimeString().slice(0, 5);
  return then.toDateString() === today.toDateString() ? time : `${then.toLocaleDateString('sv')} ${time}`;
}
