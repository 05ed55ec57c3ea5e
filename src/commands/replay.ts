/** `petstore-sandbox replay recording.jsonl`: sends the requests of a recording again. */

import { isoTime, realClock } from '../core/clock.ts';
import type { Recording } from '../recording/recording.ts';
import { type Replay, replay, type Target } from '../recording/replay.ts';
import { replayResults } from '../recording/replay-results.ts';
import { Sender } from '../recording/sender.ts';
import { type FormatName, inFormat } from '../report/formats/formats.ts';
import { summaryOf } from '../report/results.ts';
import { SettingsError } from '../server/settings.ts';
import { readBase, readKey } from './base-and-key.ts';
import { complain, EXIT } from './problems.ts';
import { recordingInFile } from './recording-file.ts';
import { StatusLine } from './status-line.ts';
import { writeOut } from './write-out.ts';

export interface ReplayFlags {
  readonly url?: string;
  readonly key?: string;
  readonly allowCreate?: boolean;
  readonly format?: FormatName;
  readonly json?: boolean;
  readonly out?: string;
}

const TIMEOUT_MS = 30_000;

/**
 * Replays a recording and reports differences; returns the exit code.
 * @throws {SettingsError} for invalid flags or an unusable file
 */
export async function replayCommand(file: string, flags: ReplayFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  const found = await recordingInFile(file);
  const replayed =
    flags.url === undefined ? await onOwnServer(found, flags, environment) : await onServer(found, flags, environment);
  if (!replayed) return EXIT.notReached;
  const results = replayResults(replayed, isoTime(realClock.now()));
  const text = await inFormat(flags.format ?? (flags.json ? 'json' : 'text'), results, {
    listed: ['skipped'],
    full: true,
  });
  if (flags.out !== undefined) await writeOut('--out', flags.out, `${text}\n`);
  process.stdout.write(`${flags.out === undefined ? text : summaryOf(results)}\n`);
  return replayed.verdict === 'same' ? EXIT.done : EXIT.failed;
}

async function onOwnServer(
  found: Recording,
  { key, allowCreate }: ReplayFlags,
  environment: NodeJS.ProcessEnv,
): Promise<Replay> {
  const extra = key !== undefined ? '--key' : allowCreate ? '--allow-create' : undefined;
  if (extra) throw new SettingsError(`${extra} needs --url: without it, the requests go to a sandbox of their own`);
  const { startTarget } = await import('./replay-target.ts');
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
  const sender = new Sender({ url: base, key: readKey(key, environment['SANDBOX_KEY']), timeoutMs: TIMEOUT_MS });
  let answered = 0;
  let sent = 0;
  try {
    const target: Target = {
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
  target: Target,
  environment: NodeJS.ProcessEnv,
  work: (shown: Target) => Promise<Result>,
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
