/**
 * `petstore-sandbox exec -- <command>`: runs a command with its own sandbox, which is validated and deleted at the end.
 */

import { once } from 'node:events';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn } from 'cross-spawn';
import { makeDirectory } from '../base/files.ts';
import { ownCommand } from '../base/own-command.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { shellWord, shorten } from '../base/text.ts';
import { type ControlsClient, endSandbox, makeRevokedKey } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import type { RequestOf } from '../client/routes.ts';
import { FORMATS, formatNames, inFormat } from '../verdict/report/formats/formats.ts';
import type { Report } from '../verdict/report/report.ts';
import { reportResults } from '../verdict/report/report-results.ts';
import type { Results } from '../verdict/report/results.ts';
import type { Call } from './command.ts';
import { exitCodeOf, nothingSent, variablesFor } from './connection.ts';
import { fixtureOf } from './fixture-files.ts';
import type { EXEC } from './flags.ts';
import { withGathered, withReportsDirectory } from './gather.ts';
import { keepRun, withChanges } from './kept-run.ts';
import { exitCodeFor, fetchReport, shownOf, type VerdictQuery, writeResults } from './report.ts';
import { Signals } from './signals.ts';
import { complain, EXIT, screenBehind, writeOut } from './terminal.ts';

type ExecCall = Call<typeof EXEC, 'POST /keys'>;

/** Runs the command; returns its exit code, or 1 if that is 0 and its client failed the contract check. */
export async function exec(call: ExecCall): Promise<number> {
  const { flags, fields, args } = call;
  const signals = new Signals();
  try {
    const { artifacts } = flags;
    if (artifacts !== undefined) await prepareArtifacts(artifacts);
    const fixture = await fixtureOf(flags);
    return await inOwnSandbox(call, { ...fields, fixture }, async (sandbox) => {
      const code = await runChild(args, sandbox.variables, signals);
      // Nobody looks for the mistakes of a run that was stopped.
      const verdict = await verdictOn(sandbox, call, signals.came ? EXIT.done : code);
      return code === EXIT.done ? verdict : code;
    });
  } finally {
    signals.forget();
  }
}

/** A sandbox of a command, what the command gets of it in its environment, and where its tests leave their reports. */
export interface OwnSandbox {
  readonly own: ControlsClient;
  readonly variables: NodeJS.ProcessEnv;
  readonly reports: string;
}

/** What a new sandbox begins with. */
export type NewSandbox = NonNullable<NonNullable<RequestOf<'POST /keys'>[0]>['body']>;

/** Of a command with a sandbox of its own. */
interface SandboxCall extends Pick<ExecCall, 'client' | 'args' | 'environment' | 'certificate'> {
  readonly flags: Pick<ExecCall['flags'], 'adminToken'>;
}

/** Lets `use` work in a new sandbox, which ends after it. All requests of the command are one run. @throws {ClientError} */
export async function inOwnSandbox<T>(
  { client, args, flags, environment, certificate }: SandboxCall,
  body: NewSandbox,
  use: (sandbox: OwnSandbox) => Promise<T>,
): Promise<T> {
  const { key, sandbox } = await client.request('POST /keys', { body });
  const own = client.as(key).at(sandbox);
  const isAdmin = flags.adminToken !== undefined || Boolean(environment['SANDBOX_ADMIN_TOKEN']);
  // Only the admin may create keys on some servers.
  const issuer = isAdmin ? client.on(sandbox) : own;
  try {
    await own.request('POST /runs', { body: { name: shorten(args.join(' ').replaceAll(/\p{Cc}/gu, ' '), 60) } });
    return await withReportsDirectory(async (reports) => {
      const variables = {
        ...variablesFor({ url: own.url, certificate }, environment),
        SANDBOX_URL: own.apiUrl,
        SANDBOX_KEY: key,
        SANDBOX_REVOKED_KEY: await makeRevokedKey(issuer),
        SANDBOX_REPORTS: reports,
      };
      return use({ own, variables, reports });
    });
  } finally {
    await endSandbox(own);
  }
}

/** A run of tests, as the server saw it. */
interface SeenRun {
  /** On the command's own sandbox. */
  readonly around: Report;
  /** On this one and those that the tests opened themselves. */
  readonly report: Report;
  /** Every request of the command's own sandbox, if there is one: the report is worth more, and is shown without it. */
  readonly recording: string | undefined;
}

/** @throws {ClientError} */
export async function seenRun({ own, reports }: OwnSandbox, query: VerdictQuery): Promise<SeenRun> {
  const around = await fetchReport(own, { ...query, unmatched: true });
  const report = await withGathered(around, reports, query.strict ?? false);
  if (around.account.total === 0) return { around, report, recording: undefined };
  const recording = await own.text('GET /export', { query: { format: 'recording' } }).catch((error: unknown) => {
    if (!(error instanceof ClientError)) throw error;
    complain(`the requests of this run could not be kept: ${error.message}`);
    return undefined;
  });
  return { around, report, recording };
}

/**
 * Reports the client's behavior, on standard error and in files; returns the exit code.
 * @param code of the command; 0 where a signal stopped it
 */
async function verdictOn(sandbox: OwnSandbox, call: ExecCall, code: number): Promise<number> {
  const { flags, args, environment } = call;
  const { strict = false, expectInvalid, out, json = false, artifacts, verbose = false } = flags;
  try {
    const { around, report, recording } = await seenRun(sandbox, { strict, expectInvalid });
    const results = withCauses(reportResults(report), sandbox, call, code);
    const exitCode = code === EXIT.done ? exitCodeFor(results) : code;
    const kept = await keepRun({ args, exitCode, report, recording }, environment);
    const inArtifacts = artifacts && recording ? await keptIn(artifacts, around.sandbox, recording) : undefined;
    const see = inArtifacts ?? (recording && exitCode !== EXIT.done ? kept.see : undefined);
    const options = { ...shownOf({ verbose }), screen: screenBehind(process.stderr), see };
    const shown = withChanges(results, kept.changes);
    process.stderr.write(`${await inFormat(json ? 'json' : 'text', shown, options)}\n`);
    const withNote = inArtifacts ? { ...results, notes: [...results.notes, inArtifacts] } : results;
    if (out !== undefined) await writeResults('--out', out, withNote);
    if (artifacts !== undefined) await writeArtifacts(artifacts, withNote, around.sandbox);
    // This command may be one of the tests of another `exec`.
    const outer = environment['SANDBOX_REPORTS'];
    if (outer) await writeResults('SANDBOX_REPORTS', join(outer, `${around.sandbox}.json`), results);
    return exitCodeFor(results);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    complain(`the contract could not be validated: ${error.message}`);
    return exitCodeOf(error);
  }
}

/** Says why no request may have come, unless there was no command to send one. */
function withCauses(results: Results, { own }: OwnSandbox, call: ExecCall, code: number): Results {
  if (results.account.total > 0 || code === NOT_FOUND || code === NOT_EXECUTABLE) return results;
  const others = results.reasons.filter((reason) => reason !== 'no request was seen');
  return { ...results, reasons: [...nothingSent(own.apiUrl, call.environment), ...others] };
}

/** Writes the recording of a run for `--artifacts`. @returns the command that opens it @throws {SettingsError} */
export async function keptIn(artifacts: string, sandbox: string, recording: string): Promise<string> {
  // Each run has a name of its own: CI systems put the artifacts of several shards into one folder.
  const file = join(artifacts, `recording-${sandbox}.jsonl`);
  await writeOut('--artifacts', file, recording);
  return ownCommand(`open ${shellWord(file, process.platform)}`);
}

/** Creates the directory before any work is done for it. @throws {SettingsError} */
export async function prepareArtifacts(directory: string): Promise<void> {
  try {
    await makeDirectory(resolve(directory));
  } catch (cause) {
    throw new SettingsError(`--artifacts ${directory} cannot be created: ${(cause as Error).message}`, { cause });
  }
}

/** Writes `report-sbx_….*`. @throws {SettingsError} if a file cannot be written */
async function writeArtifacts(directory: string, results: Results, sandbox: string): Promise<void> {
  for (const format of formatNames) {
    const file = join(directory, `report-${sandbox}.${FORMATS[format].extension}`);
    await writeResults('--artifacts', file, results);
  }
}

/** As in shells. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const KILLED = 128;

/**
 * Runs a command to its end, with our standard streams; returns its exit code, or the one that a shell would return.
 * @param output where it prints, if not to our streams
 */
export async function runChild(
  [file = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  signals: Signals,
  output?: 'ignore' | 2,
): Promise<number> {
  if (signals.came) return killedBy(signals.came);
  const child = spawn(file, args, { stdio: output === undefined ? 'inherit' : ['inherit', output, output], env });
  signals.passTo((signal) => child.kill(signal));
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals];
    return code ?? killedBy(signal);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const apart = /\s/.test(file) ? '; leave out the quotes around the command, or run it with: sh -c' : '';
    complain(code === 'ENOENT' ? `there is no program ${file}${apart}` : `${file} cannot be run: ${message}`);
    return code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  } finally {
    signals.passTo(undefined);
  }
}

const killedBy = (signal: NodeJS.Signals): number => KILLED + constants.signals[signal];
