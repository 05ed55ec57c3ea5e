/**
 * `petstore-sandbox exec -- <command>`: runs a command with its own sandbox, which is validated and deleted at the end.
 */
import { once } from 'node:events';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn } from 'cross-spawn';
import { type ControlsClient, makeRevokedKey } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import type { RequestOf } from '../client/routes.ts';
import { makeDirectory } from '../core/make-directory.ts';
import { shellWord } from '../core/shell-word.ts';
import { FORMATS, formatNames, inFormat } from '../report/formats/formats.ts';
import { reportResults } from '../report/report-results.ts';
import type { Results } from '../report/results.ts';
import { SettingsError } from '../settings/settings.ts';
import type { Call } from './command.ts';
import { exitCodeOf, nothingSent, variablesFor } from './connection.ts';
import { keepFailedRun } from './failed-run.ts';
import { fixtureOf } from './fixture-files.ts';
import type { EXEC } from './flags.ts';
import { withGathered, withReportsDirectory } from './gather.ts';
import { exitCodeFor, fetchReport, shownOf, writeResults } from './report.ts';
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
    if (signals.came) return killedBy(signals.came);
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
  /** Lets the sandbox stay for an hour. @returns a link to it @throws {ClientError} */
  readonly stay: () => Promise<string>;
}

/** What a new sandbox begins with. */
export type NewSandbox = NonNullable<NonNullable<RequestOf<'POST /keys'>[0]>['body']>;

/** Of a command with a sandbox of its own. */
interface SandboxCall extends Pick<ExecCall, 'client' | 'environment' | 'certificate'> {
  readonly flags: Pick<ExecCall['flags'], 'start' | 'adminToken'>;
}

/** Lets `use` work in a new sandbox, which ends after it unless it is to stay. @throws {ClientError} */
export async function inOwnSandbox<T>(
  { client, flags, environment, certificate }: SandboxCall,
  body: NewSandbox,
  use: (sandbox: OwnSandbox) => Promise<T>,
): Promise<T> {
  const { id, key, sandbox } = await client.request('POST /keys', { body });
  const own = client.as(key).at(sandbox);
  const isAdmin = flags.adminToken !== undefined || Boolean(environment['SANDBOX_ADMIN_TOKEN']);
  // Only the admin may create keys on some servers.
  const issuer = isAdmin ? client.on(sandbox) : own;
  let isStaying = false;
  const stay = async (): Promise<string> => {
    const shared = { shared: true, label: 'kept after a failed run', ttlSeconds: STAY_SECONDS };
    const later = own.as((await issuer.request('POST /keys', { body: shared })).key).at(sandbox);
    const { url } = await later.request('POST /sign-in-codes');
    // A sandbox lives as long as one of its keys.
    await later.request('DELETE /keys/{keyId}', { params: { keyId: id } });
    isStaying = true;
    return url;
  };
  try {
    return await withReportsDirectory(async (reports) => {
      // The command is an ordinary client: it must not get the operator's token.
      const { SANDBOX_ADMIN_TOKEN: _, ...rest } = environment;
      const variables = {
        ...rest,
        SANDBOX_URL: own.apiUrl,
        SANDBOX_KEY: key,
        SANDBOX_REVOKED_KEY: await makeRevokedKey(issuer),
        ...variablesFor({ url: own.url, certificate }, environment),
        SANDBOX_REPORTS: reports,
      };
      return use({ own, variables, reports, stay });
    });
  } finally {
    if (!isStaying) await end(own);
  }
}

/** How long the sandbox of a failed run stays on a running server. */
const STAY_SECONDS = 3600;

/**
 * Reports the client's behavior, on standard error and in files; returns the exit code.
 * @param code of the command; 0 where a signal stopped it
 */
async function verdictOn(sandbox: OwnSandbox, call: ExecCall, code: number): Promise<number> {
  const { own, reports } = sandbox;
  const { flags, environment } = call;
  const { strict = false, expectInvalid, format = 'json', out, json = false, artifacts, verbose = false } = flags;
  try {
    const around = await fetchReport(own, { strict, expectInvalid, unmatched: true });
    const report = await withGathered(around, reports, strict);
    const isRecorded = report === around || around.account.total > 0;
    const results = withCauses(reportResults(report), sandbox, call, code);
    const kept = artifacts === undefined || !isRecorded ? undefined : await keptIn(artifacts, around.sandbox, own);
    const isFailed = around.account.total > 0 && (code !== EXIT.done || results.verdict !== 'pass');
    const see = kept === undefined && isFailed && !json ? await seenLater(sandbox, call) : kept;
    const options = { ...shownOf({ verbose }), screen: screenBehind(process.stderr), see };
    process.stderr.write(`${await inFormat(json ? 'json' : 'text', results, options)}\n`);
    const withNote = kept === undefined ? results : { ...results, notes: [...results.notes, kept] };
    if (out !== undefined) await writeResults('--out', out, withNote, format);
    if (artifacts !== undefined) await writeArtifacts(artifacts, withNote, around.sandbox);
    // This command may be one of the tests of another `exec`.
    const outer = environment['SANDBOX_REPORTS'];
    if (outer) await writeResults('SANDBOX_REPORTS', join(outer, `${around.sandbox}.json`), results, 'json');
    return exitCodeFor(results);
  } catch (error) {
    if (error instanceof SettingsError) {
      complain(error.message);
      return EXIT.wrongUse;
    }
    if (!(error instanceof ClientError)) throw error;
    complain(`the contract could not be validated: ${error.message}`);
    return exitCodeOf(error);
  }
}

/** If the server has ended, the sandbox and its key are gone already. */
async function end(own: ControlsClient): Promise<void> {
  try {
    await own.request('DELETE /');
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    complain(`the sandbox could not be ended: ${error.message}`);
  }
}

/** Says why no request may have come, unless there was no command to send one. */
function withCauses(results: Results, { own }: OwnSandbox, call: ExecCall, code: number): Results {
  if (results.account.total > 0 || code === NOT_FOUND || code === NOT_EXECUTABLE) return results;
  const others = results.reasons.filter((reason) => reason !== 'no request was seen');
  return { ...results, reasons: [...nothingSent(own.apiUrl, call), ...others] };
}

/** The command that opens a recording in the dashboard. */
const openedBy = (file: string): string => `petstore-sandbox open ${shellWord(file, process.platform)}`;

export const TO_KEEP = 'to keep every request with its response, run it with --artifacts DIR';

/**
 * Where every request of a failed run is seen when the sandbox would be gone: a command, or on a running server a link. CI
 * systems keep what `--artifacts` writes, and nothing else.
 */
export async function seenLater({ own, stay }: OwnSandbox, { flags, environment }: SandboxCall): Promise<string> {
  if (environment['CI']) return TO_KEEP;
  try {
    if (!flags.start) return await stay();
    await keepFailedRun(await recordingOf(own), environment);
    return 'petstore-sandbox open';
  } catch (error) {
    // A read-only container, for example.
    return error instanceof ClientError ? notKept(error) : TO_KEEP;
  }
}

/** Writes the recording of a run for `--artifacts`. @returns the command that opens it, or why there is none */
export async function keptIn(artifacts: string, sandbox: string, own: ControlsClient): Promise<string> {
  // Each run has a name of its own: CI systems put the artifacts of several shards into one folder.
  const file = join(artifacts, `recording-${sandbox}.jsonl`);
  try {
    await writeOut('--artifacts', file, await recordingOf(own));
    return openedBy(file);
  } catch (error) {
    if (!(error instanceof ClientError || error instanceof SettingsError)) throw error;
    return notKept(error);
  }
}

/** The report of a run is worth more than its recording, and is shown without it. */
const notKept = ({ message }: Error): string => `the requests of this run could not be kept: ${message}`;

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
    await writeResults('--artifacts', file, results, format);
  }
}

/** Every request of the log and its response, for `petstore-sandbox open`. @throws {ClientError} */
const recordingOf = (own: ControlsClient): Promise<string> =>
  own.text('GET /export', { query: { format: 'recording' } });

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
