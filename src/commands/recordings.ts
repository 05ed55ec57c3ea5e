/** The commands that read a recording: `open` shows its sandbox, `replay` sends its requests again. */

import { existsSync } from 'node:fs';
import { ApiError } from '../api/errors.ts';
import { realClock } from '../core/clock.ts';
import { readGivenFile } from '../core/given-file.ts';
import { MAX_RECORDING_BYTES } from '../core/limits.ts';
import { silentLog } from '../core/log.ts';
import { fileName, isAndGiven, printable } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import { openRecording } from '../recording/open.ts';
import { readRecording } from '../recording/read.ts';
import { type Recording, RecordingError } from '../recording/recording.ts';
import { type Replay, type ReplayTarget, replay } from '../recording/replay.ts';
import { replayResults } from '../recording/replay-results.ts';
import { RequestSender } from '../recording/sender.ts';
import { signInLink } from '../sandbox/sign-in-codes.ts';
import { resolveSettings } from '../settings/config.ts';
import { SettingsError } from '../settings/settings.ts';
import type { FlagValues, LocalCall } from './command.ts';
import { readBase, readKey } from './connection.ts';
import { failedRunFile } from './failed-run.ts';
import type { REPLAY } from './flags.ts';
import { showResults } from './report.ts';
import { firstRequest } from './shell.ts';
import { stopOnSignals } from './signals.ts';
import { complain, EXIT, StatusLine } from './terminal.ts';

/**
 * @param read its bytes, if they were read before
 * @throws {SettingsError} naming the file, for one that cannot be read or is no recording
 */
export async function recordingInFile(file: string, read?: Buffer): Promise<Recording> {
  try {
    return await readRecording(read ?? (await readGivenFile(file, MAX_RECORDING_BYTES)));
  } catch (cause) {
    const { message } = cause as Error;
    const why = cause instanceof RecordingError ? message : `cannot be read: ${message}`;
    throw new SettingsError(`${fileName(file)}: ${why}`, { cause });
  }
}

/**
 * @param given a file; by default that of the last failed run
 * @throws {SettingsError} for a file that isn't a recording
 */
export async function open(
  given: string | undefined,
  port = '0',
  environment: NodeJS.ProcessEnv = {},
): Promise<undefined> {
  const file = given ?? failedRunFile(environment);
  if (given === undefined && !existsSync(file))
    throw new SettingsError('no failed run of exec --start was kept for this project; name a recording');
  const found = await recordingInFile(file);
  if (!/^\d{1,5}$/.test(port)) throw new SettingsError(`--port ${isAndGiven('a port number', port)}`);
  const settings = resolveSettings([{ port: Number(port), memory: true, maxPets: 10_000_000 }]);
  const onFatal = (error: Error): void => {
    complain(`the server stopped: ${error.message}`);
    process.exitCode = 1;
  };
  const { startServer } = await import('../server/server.ts');
  const server = await startServer({ settings, log: silentLog, onFatal });
  const { url, sandboxes, fixtures, requestLogs, signInCodes } = server;
  try {
    const { secret, sandbox } = await openRecording(found, { sandboxes, fixtures, requestLogs }, { ttlSeconds: null });
    const dashboard = signInLink(url, signInCodes.issue(sandbox.id, secret).code);
    stopOnSignals(server, { ...silentLog, info: () => undefined });
    process.stdout.write(linesFor({ url, dashboard, key: secret, file }).map(printable).join('\n').concat('\n'));
    return undefined;
  } catch (error) {
    await server.close();
    if (!(error instanceof ApiError)) throw error;
    throw new SettingsError(`${file}: ${error.message}`, { cause: error });
  }
}

const linesFor = ({ url, dashboard, key, file }: Record<'url' | 'dashboard' | 'key' | 'file', string>): string[] => [
  '',
  `  recording  ${file}`,
  `  dashboard  ${dashboard}  (signs in once, within an hour)`,
  `  API        ${url}/v1`,
  `  key        ${key}`,
  '',
  ...firstRequest({ base: url, key }, process.platform).map((line) => `  ${line}`),
  '',
  '  Ctrl-C ends it; nothing is kept.',
  '',
];

type ReplayFlags = FlagValues<typeof REPLAY>;

const TIMEOUT_MS = 30_000;

/**
 * Replays a recording and reports differences; returns the exit code.
 * @throws {SettingsError} for invalid flags or an unusable file
 */
export async function replayCommand({ flags, args, environment }: LocalCall<typeof REPLAY>): Promise<number> {
  const [file = ''] = args;
  const found = await recordingInFile(file);
  const replayed =
    flags.url === undefined ? await onOwnServer(found, flags, environment) : await onServer(found, flags, environment);
  if (!replayed) return EXIT.notReached;
  return showResults(replayResults(replayed, isoTime(realClock.now())), flags);
}

async function onOwnServer(
  found: Recording,
  { key, allowCreate }: ReplayFlags,
  environment: NodeJS.ProcessEnv,
): Promise<Replay> {
  const extra = key !== undefined ? '--key' : allowCreate ? '--allow-create' : undefined;
  if (extra) throw new SettingsError(`${extra} needs --url: without it, the requests go to a sandbox of their own`);
  const { startTarget } = await import('../server/replay-target.ts');
  const { target, close } = await startTarget(found);
  try {
    return await withProgress(found, target, environment, (shown) => replay(found, shown));
  } finally {
    await close();
  }
}

/** `undefined` if the server gave no response at all. */
async function onServer(
  found: Recording,
  { url, key, allowCreate = false }: ReplayFlags,
  environment: NodeJS.ProcessEnv,
): Promise<Replay | undefined> {
  const base = readBase(url);
  const sender = new RequestSender({ url: base, key: readKey(key, environment['SANDBOX_KEY']), timeoutMs: TIMEOUT_MS });
  let answered = 0;
  let sent = 0;
  try {
    const target: ReplayTarget = {
      send: async (exchange) => {
        sent++;
        const arrived = await sender.send(exchange);
        if (arrived.status !== 0) answered++;
        return arrived;
      },
    };
    const replayed = await withProgress(found, target, environment, (shown) =>
      replay(found, shown, { foreign: { allowCreate } }),
    );
    if (sent === 0 || answered > 0) return replayed;
    complain(`no server responds at ${base}`);
    return undefined;
  } finally {
    sender.close();
  }
}

/** Shows on a terminal how many requests were sent. */
async function withProgress<Result>(
  found: Recording,
  target: ReplayTarget,
  environment: NodeJS.ProcessEnv,
  work: (shown: ReplayTarget) => Promise<Result>,
): Promise<Result> {
  const status = new StatusLine(environment);
  const total = found.exchanges.length;
  let sent = 0;
  try {
    return await work({
      ...target,
      send: (exchange) => {
        status.show(`request ${++sent} of at most ${total}`);
        return target.send(exchange);
      },
    });
  } finally {
    status.clear();
  }
}
