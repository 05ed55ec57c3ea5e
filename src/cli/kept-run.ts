/**
 * The last run of the tests and of the drills of a project, passed or failed. It stays in the project's cache folder, where
 * the next run of the same command is compared with it, and `open` finds it.
 */

import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { hashOf } from '../base/api/api-key.ts';
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
import { changesBetween } from '../verdict/report/changes.ts';
import type { Report } from '../verdict/report/report.ts';
import type { Results } from '../verdict/report/results.ts';
import { MAX_REPORT_BYTES, reportReader } from './saved-reports.ts';
import { complain } from './terminal.ts';

/** The last tests, of `exec` or `ready`, and the last drills: a file each. */
type Kind = 'tests' | 'drills';

/** The command of a run, and how it ended. */
interface Ended {
  readonly args: readonly string[];
  readonly exitCode: number;
}

/** The first line of the file. */
interface KeptHead {
  readonly command: string;
  readonly at: string;
  readonly exitCode: number;
  /** What changed since the run before, in words. */
  readonly changes: string | null;
}

interface Kept {
  readonly head: KeptHead;
  /** What follows the first line. */
  readonly content: Buffer;
}

/** How many issues, or drills, a run fixed and so on. */
interface Counts {
  readonly fixed: number;
  readonly new: number;
  readonly still: number;
  readonly notTried?: number;
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
function keptFile(kind: Kind, environment: NodeJS.ProcessEnv): string {
  const root = projectFolder();
  const modules = join(root, 'node_modules');
  if (existsSync(modules)) return join(modules, '.cache', 'petstore-sandbox', `${kind}.jsonl`);
  const caches = environment['XDG_CACHE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.cache');
  return join(caches, 'petstore-sandbox', `${kind}-${hashOf(root).slice(0, 12)}.jsonl`);
}

/** The nearest one, from this folder up. */
function projectFolder(): string {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (PROJECT.some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return process.cwd();
  }
}

/**
 * Compares a run of the tests with the one before, and keeps it instead, except in CI or without requests.
 * @returns the comparison in words, and how its requests are seen later
 */
export async function keepRun(
  { report, recording = '', ...ended }: Ended & { readonly report: Report; readonly recording: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly changes: string | undefined; readonly see: string }> {
  if (report.account.total === 0) return NOT_KEPT;
  const content = `${JSON.stringify(report)}\n${recording}`;
  const kept = await keep('tests', ended, content, environment, async (bytes) => {
    const before = await (await reportReader())(bytes.subarray(0, bytes.indexOf('\n')));
    const { exchanges } = recording === '' ? { exchanges: [] } : await readRecording(Buffer.from(recording));
    const now = { report, exchanges: exchanges.map((each) => exchangeFrom(each, '', 0)) };
    const { fixed, notTried, ...counts } = await inSlices(changesBetween({ report: before, exchanges: [] }, now));
    return { ...counts, fixed: fixed.length, notTried: notTried.length };
  });
  return { changes: kept.changes, see: kept.isKept && recording !== '' ? ownCommand('open') : NOT_KEPT.see };
}

/** Compares drills with the last ones, and keeps them instead, except in CI. @returns the comparison in words */
export async function keepDrills(
  { passed, failed, ...ended }: Ended & Record<'passed' | 'failed', readonly string[]>,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const kept = await keep('drills', ended, JSON.stringify(failed), environment, async (bytes) => {
    const before = JSON.parse(bytes.toString()) as readonly string[];
    const still = failed.filter((id) => before.includes(id)).length;
    return { fixed: before.filter((id) => passed.includes(id)).length, new: failed.length - still, still };
  });
  return kept.changes;
}

/**
 * Compares a run with the one before, if that is of the same command, and keeps it instead. What cannot be read or written
 * is said, and changes no verdict.
 * @param compare with the content that was kept
 */
async function keep(
  kind: Kind,
  { args, exitCode }: Ended,
  content: string,
  environment: NodeJS.ProcessEnv,
  compare: (before: Buffer) => Promise<Counts>,
): Promise<{ readonly changes: string | undefined; readonly isKept: boolean }> {
  if (environment['CI']) return { changes: undefined, isKept: false };
  const file = keptFile(kind, environment);
  const command = createRedact([])(args.join(' '));
  let changes: string | undefined;
  try {
    const before = await readKept(file);
    if (before?.head.command === command) changes = inWords(await compare(before.content), before.head);
  } catch (error) {
    complain(
      `this run is not compared with the one before: ${file} cannot be used: ${(error as Error).message}; it is replaced`,
    );
  }
  const head: KeptHead = { command, at: isoTime(realClock.now()), exitCode, changes: changes ?? null };
  try {
    await makeDirectory(dirname(file));
    // Several may end at once: each file is whole.
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(head)}\n${content}`, { mode: 0o600 });
    await rename(draft, file);
    return { changes, isKept: true };
  } catch (error) {
    complain(`this run is not kept: ${(error as Error).message}`);
    return { changes, isKept: false };
  }
}

/** `undefined` where there is none. @throws {Error} for one that is damaged */
async function readKept(file: string): Promise<Kept | undefined> {
  if (!existsSync(file)) return undefined;
  const bytes = await readGivenFile(file, MAX_RECORDING_BYTES + MAX_REPORT_BYTES);
  const end = bytes.indexOf('\n');
  return { head: JSON.parse(bytes.toString('utf8', 0, end)) as KeptHead, content: bytes.subarray(end + 1) };
}

/** The last run of the tests in this project, as `exec` or `ready` kept it. @throws {SettingsError} */
export async function lastRun(environment: NodeJS.ProcessEnv): Promise<{
  readonly file: string;
  readonly recording: Buffer;
  readonly about: string;
}> {
  const file = keptFile('tests', environment);
  const found = await readKept(file).catch((cause: Error) => {
    throw new SettingsError(`the last run cannot be opened: ${file} cannot be used: ${cause.message}; run it again`, {
      cause,
    });
  });
  if (!found) throw new SettingsError('no run of exec or ready is kept for this project; name a recording');
  const { command, at, exitCode, changes } = found.head;
  const about = `${command}, ${clockTime(at)} (exit ${exitCode})${changes ? `, ${changes}` : ''}`;
  return { file, recording: found.content.subarray(found.content.indexOf('\n') + 1), about };
}

/** `fixed 1, new 0 since 16:04 (exit 1)`; nothing where neither run had an issue. */
function inWords(counts: Counts, { at, exitCode }: KeptHead): string | undefined {
  const { fixed, new: added, still, notTried = 0 } = counts;
  if (fixed + added + still + notTried === 0) return undefined;
  const others = [...(still > 0 ? [`still ${still}`] : []), ...(notTried > 0 ? [`not tried ${notTried}`] : [])];
  return `${[`fixed ${fixed}`, `new ${added}`, ...others].join(', ')} since ${clockTime(at)} (exit ${exitCode})`;
}

/** Results that say what changed since the run before. */
export const withChanges = (results: Results, changes: string | undefined): Results =>
  changes === undefined ? results : { ...results, title: `${results.title} · ${changes}` };

/** As a clock on the wall shows it, with the day where that is another. */
function clockTime(at: string): string {
  const [then, today] = [new Date(at), new Date(realClock.now())];
  const time = then.toTimeString().slice(0, 5);
  return then.toDateString() === today.toDateString() ? time : `${then.toLocaleDateString('sv')} ${time}`;
}
