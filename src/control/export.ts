/** `GET /_sandbox/export`: the sandbox as a file. */
import { ApiError } from '../api/errors.ts';
import { version } from '../core/shipped.ts';
import { inSlices } from '../core/turns.ts';
import { ROUND } from '../http/cpu-queue.ts';
import type { ResponseData } from '../http/response.ts';
import { MAX_LINE_BYTES, MAX_RECORDING_BYTES } from '../recording/bounds.ts';
import { curlOf } from '../recording/curl.ts';
import { harOf } from '../recording/har.ts';
import { exchangesOf, fits, malformedIn, piecesOf, recordingOf } from '../recording/write.ts';
import { redactedJson } from '../requests/redact.ts';
import type { History } from '../requests/request-logs.ts';
import { exchangeIn } from '../requests/search.ts';
import { shownExchange } from '../requests/shown.ts';
import { fixtureBytes, fixtureText, MAX_FIXTURE_BYTES } from '../sandbox/fixture-text.ts';
import { type Call, type ControlContext, type Controls, settledOf } from './control.ts';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/jsonl';
const SCRIPT_TYPE = 'text/x-shellscript; charset=utf-8';

/** Bytes of a file that is sent, and validated, as a whole. */
const MOST_AT_ONCE = 64 * 1024;
/** Pets that the validator sees of a longer file. */
const SAMPLED = 100;

export const exportControls = (context: ControlContext): Controls => ({
  exportSandbox: async (call) => {
    const { format = 'fixture', request } = call.query;
    if (request !== undefined && format !== 'har' && format !== 'curl') {
      throw new ApiError('invalid_request', `query/request: \`${format}\` contains no single request; send format=har`);
    }
    if (format === 'fixture') return exportFixture(call, context);
    const { sandbox, history } = await settledOf(call, context);
    return format === 'recording'
      ? exportRecording(call, sandbox.id, history, context)
      : exportRequestLog(call, history, context);
  },
});

/** The present pets as a fixture file. */
async function exportFixture(call: Call, { store }: ControlContext): Promise<ResponseData> {
  const { id, record } = call.sandbox();
  const { nextId, atMost, texts } = await store.allPets(id);
  const bytes = fixtureBytes(atMost);
  if (bytes > MAX_FIXTURE_BYTES) throw tooLong(bytes);
  const about = { description: record.label === null ? 'Saved pets.' : `Saved from ${record.label}.`, nextId };
  const text = (pets: Iterable<string>): Generator<string, void> => fixtureText({ ...about, pets });
  if (bytes <= MOST_AT_ONCE) return { status: 200, body: [...text(texts())].join('') };
  const sample = [...text(firstOf(texts(), SAMPLED))].join('');
  return { status: 200, contentType: JSON_TYPE, body: sample, pieces: text(texts()) };
}

function* firstOf<T>(all: Iterable<T>, count: number): Generator<T, void> {
  let left = count;
  for (const each of all) {
    if (left-- <= 0) return;
    yield each;
  }
}

const tooLong = (bytes: number): ApiError =>
  new ApiError(
    'limit_reached',
    `the pets take about ${bytes} bytes, and a fixture file has at most ${MAX_FIXTURE_BYTES}; stop the server and copy its data directory instead`,
  );

async function exportRecording(
  call: Call,
  id: string,
  history: History,
  { redact, clock, store }: ControlContext,
): Promise<ResponseData> {
  const turn = <T>(slice: () => T | Promise<T>): Promise<T> => call.inTurn(ROUND, slice);
  const recording = await turn(() => recordingOf(id, { store, history, version, now: clock.now() }));
  if (!(await inSlices(fits(recording), turn))) throw recordingTooLong;
  const pieces = piecesOf(recording, redact);
  const [first, second] = await turn(() => [pieces.next(), pieces.next()]);
  if (second.done) return { status: 200, contentType: LINES_TYPE, body: String(first.value) };
  return { status: 200, contentType: LINES_TYPE, body: '', pieces: piecesOf(recording, redact) };
}

/** The exchanges alone. A request log is far smaller than a recording may be. */
async function exportRequestLog(
  call: Call,
  history: History,
  { redact, addressFor }: ControlContext,
): Promise<ResponseData> {
  const { format, request } = call.query;
  const asHar = format === 'har';
  const text = await call.inTurn(ROUND, () => {
    const chosen = request === undefined ? exchangesOf(history) : [exchangeIn(history.requestLog, String(request))];
    const exchanges = chosen.map(shownExchange);
    const address = addressFor(call.req);
    const malformed = request === undefined ? malformedIn(history) : 0;
    const missing = request === undefined ? malformed + history.requestLog.dropped : 0;
    if (asHar) return redactedJson(harOf(exchanges, { address, version, missing }), redact);
    return curlOf(JSON.parse(redactedJson(exchanges, redact)), address, malformed);
  });
  const contentType = asHar ? JSON_TYPE : SCRIPT_TYPE;
  if (text.length <= MOST_AT_ONCE) return { status: 200, contentType, body: text };
  const none = { address: addressFor(call.req), version, missing: 0 };
  const sample = asHar ? redactedJson(harOf([], none), redact) : '#!/bin/sh';
  return { status: 200, contentType, body: sample, pieces: slices(text) };
}

function* slices(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; at += MOST_AT_ONCE) yield text.slice(at, at + MOST_AT_ONCE);
}

const recordingTooLong = new ApiError(
  'limit_reached',
  `a recording has at most ${MAX_RECORDING_BYTES / 2 ** 20} MiB, ${MAX_LINE_BYTES / 2 ** 20} MiB a line, and this one would be larger; clear the request log, drop snapshots or reset the sandbox, or stop the server and copy its data directory`,
);
