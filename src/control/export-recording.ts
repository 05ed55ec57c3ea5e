/** `GET /_sandbox/export` for what happened in a sandbox: as a recording, an HTTP Archive or a shell script. */

import { ApiError } from '../core/errors.ts';
import type { DrillRuns } from '../drills/runs.ts';
import { ROUND } from '../http/heavy-lane.ts';
import type { ResponseData } from '../http/response.ts';
import { stream } from '../http/stream.ts';
import { MAX_RECORDING_BYTES } from '../recording/bounds.ts';
import { curlOf } from '../recording/curl.ts';
import { exchangesOf, gather } from '../recording/gather.ts';
import { harOf } from '../recording/har.ts';
import { recordingText } from '../recording/write.ts';
import { redactedJson } from '../requests/redact.ts';
import { exchangeIn } from '../requests/search.ts';
import { shownExchange } from '../requests/shown.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Call, ControlContext } from './control.ts';
import { type ReportControlOptions, reportFor, unmatchedOf } from './report.ts';

export interface ExportRecordingOptions extends ControlContext, ReportControlOptions {
  readonly drills: DrillRuns;
}

/** Bytes of a file that is sent, and validated, as a whole. */
const MOST_AT_ONCE = 64 * 1024;
/** Pets and exchanges that the validator sees of a longer file. */
const SAMPLED = 3;

const JSON_TYPE = 'application/json';
const SCRIPT_TYPE = 'text/x-shellscript; charset=utf-8';

/** Every exchange before the call is validated first. */
export async function exportHistory(call: Call, options: ExportRecordingOptions): Promise<ResponseData | undefined> {
  const sandbox = call.sandbox();
  await options.histories.settled(sandbox.id);
  return call.query['format'] === 'recording'
    ? exportRecording(call, sandbox, options)
    : exportRequestLog(call, sandbox, options);
}

async function exportRecording(
  call: Call,
  sandbox: Sandbox,
  options: ExportRecordingOptions,
): Promise<ResponseData | undefined> {
  const { requestLogs, drills, redact, version, clock } = options;
  const { exchange } = call.req;
  const own = await unmatchedOf(call, sandbox, options);
  const facts = await exchange.inTurn(ROUND, async () => {
    const report = reportFor(sandbox, { strict: false, unmatched: own }, options);
    const faults = drills.faultsOf(sandbox);
    const drill = faults ? { ...(await drills.result(sandbox, false)), faults } : null;
    const history = requestLogs.of(sandbox);
    const sources = { sandbox, history, version, now: clock.now(), store: options.store };
    return gather(sources, { report: report as never, drill });
  });
  const { atMost, pieces } = await recordingText(facts, redact, (slice) => exchange.inTurn(ROUND, slice));
  if (atMost > MAX_RECORDING_BYTES) throw tooLong(atMost);
  if (atMost <= MOST_AT_ONCE) return { status: 200, body: [...pieces()].join('') };
  const few = <T>(all: readonly T[]): readonly T[] => all.slice(0, SAMPLED);
  const part = {
    ...facts,
    fixtures: facts.fixtures.map((fixture) => ({ ...fixture, pets: few(fixture.pets) })),
    state: { ...facts.state, logs: few(facts.state.logs).map((log) => ({ ...log, changes: few(log.changes) })) },
    exchanges: few(facts.exchanges),
  };
  const sample = [...(await recordingText(part, redact)).pieces()].join('');
  await stream(call.req, call.res, { contentType: JSON_TYPE, pieces: pieces(), sample });
  return undefined;
}

/** The exchanges alone. A request log is far smaller than a recording may be. */
async function exportRequestLog(
  call: Call,
  sandbox: Sandbox,
  { requestLogs, redact, version, addressFor }: ExportRecordingOptions,
): Promise<ResponseData | undefined> {
  const { format, request } = call.query;
  const asHar = format === 'har';
  const text = await call.req.exchange.inTurn(ROUND, () => {
    const history = requestLogs.of(sandbox);
    const chosen = request === undefined ? exchangesOf(history) : [exchangeIn(history.requestLog, String(request))];
    const exchanges = chosen.map(shownExchange);
    const address = addressFor(call.req);
    if (asHar) return redactedJson(harOf(exchanges, { address, version }), redact);
    return curlOf(JSON.parse(redactedJson(exchanges, redact)), address);
  });
  const contentType = asHar ? JSON_TYPE : SCRIPT_TYPE;
  if (text.length <= MOST_AT_ONCE) return { status: 200, contentType, body: text };
  const sample = asHar ? redactedJson(harOf([], { address: addressFor(call.req), version }), redact) : '#!/bin/sh';
  await stream(call.req, call.res, { contentType, pieces: slices(text), sample });
  return undefined;
}

function* slices(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; at += MOST_AT_ONCE) yield text.slice(at, at + MOST_AT_ONCE);
}

const tooLong = (bytes: number): ApiError =>
  new ApiError(
    'limit_reached',
    `the recording would take about ${bytes} bytes, and a recording has at most ${MAX_RECORDING_BYTES}; clear the request log, drop snapshots or reset the sandbox, or stop the server and copy its data directory`,
  );
