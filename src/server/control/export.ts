/** `GET /_sandbox/export`: the sandbox as a file. */

import { ApiError } from '../../base/api/errors.ts';
import { isSettled } from '../../base/api/exchange.ts';
import { inSlices } from '../../base/lane.ts';
import { MAX_FIXTURE_BYTES, MAX_LINE_BYTES, MAX_RECORDING_BYTES } from '../../base/limits.ts';
import { version } from '../../base/shipped.ts';
import { fixtureBytes, fixtureParts } from '../../sandbox/fixture-file.ts';
import { curlParts } from '../../traffic/files/curl.ts';
import { harParts } from '../../traffic/files/har.ts';
import { fits, hasPlace, piecesOf, recordingOf } from '../../traffic/files/write.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { exchangeIn, search } from '../../traffic/search.ts';
import { type ShownExchange, shownExchange } from '../../traffic/shown.ts';
import type { ResponseData } from '../http/response.ts';
import { type ControlCall, type ControlContext, type Controls, type Validated, validatedOf } from './control.ts';
import { longText } from './long-text.ts';
import { ALWAYS, unattributedIn } from './unmatched.ts';

const LINES_TYPE = 'application/jsonl';
const SCRIPT_TYPE = 'text/x-shellscript; charset=utf-8';

export const exportControls = (context: ControlContext): Controls => ({
  exportSandbox: async (call) => {
    const { format = 'fixture', request } = call.query;
    if (request !== undefined && format !== 'har' && format !== 'curl') {
      throw new ApiError('invalid_request', `query/request: \`${format}\` contains no single request; send format=har`);
    }
    if (format === 'fixture') return exportFixture(call);
    const validated = await validatedOf(call, context);
    return format === 'recording'
      ? exportRecording(call, validated, context)
      : exportRequestLog(call, validated, context);
  },
});

/** The present pets as a fixture file. */
async function exportFixture(call: ControlCall): Promise<ResponseData> {
  const { record, journal } = call.sandbox();
  const { contents } = journal;
  const { nextId } = contents;
  const bytes = fixtureBytes(contents.count, contents.bytes);
  if (bytes > MAX_FIXTURE_BYTES) throw tooLong(bytes);
  const description = record.label === null ? 'Saved pets.' : `Saved from ${record.label}.`;
  return longText(call, fixtureParts({ description, nextId, pets: contents.texts() }));
}

const tooLong = (bytes: number): ApiError =>
  new ApiError(
    'limit_reached',
    `the pets take about ${bytes} bytes, and a fixture file has at most ${MAX_FIXTURE_BYTES}; stop the server and copy its data directory instead`,
  );

async function exportRecording(
  call: ControlCall,
  validated: Validated,
  context: ControlContext,
): Promise<ResponseData> {
  const { redact, clock, store, capacity } = context;
  const { sandbox, requestLog } = validated;
  // What the request log drops meanwhile stays until the file is sent.
  await capacity.reserve(call.req.exchange, requestLog.bytes);
  const unattributed = unattributedCount(validated, context);
  const turn = call.inTurn;
  const recording = await recordingOf(sandbox.id, { store, requestLog, unattributed, version, now: clock.now(), turn });
  if (!(await inSlices(fits(recording), turn))) throw recordingTooLong;
  const pieces = { before: '', items: piecesOf(recording, redact), between: '', after: () => '' };
  return longText(call, { ...pieces, contentType: LINES_TYPE });
}

/** Requests of no sandbox that may be of its client. */
function unattributedCount(validated: Validated, context: ControlContext): number {
  const { count, cut } = unattributedIn(validated, validated.requestLog.settled(), ALWAYS, context) ?? {
    count: 0,
    cut: 0,
  };
  return count + cut;
}

/** The exchanges alone, the oldest first. */
async function exportRequestLog(
  call: ControlCall,
  validated: Validated,
  context: ControlContext,
): Promise<ResponseData> {
  const { redact, addressFor } = context;
  const { requestLog } = validated;
  const { format, request } = call.query;
  const address = redact(addressFor(call.req));
  const one = request === undefined ? undefined : exchangeIn(requestLog, String(request));
  const usual = (one ?? requestLog.at(requestLog.first))?.address ?? null;
  const all = search(requestLog, {}).reverse();
  const exchanges = all.filter((each) => isSettled(each) && hasPlace(each));
  const left = all.filter((each) => isSettled(each) && !hasPlace(each)).length;
  const missing = one ? 0 : requestLog.missing + unattributedCount(validated, context) + left;
  function* shown(): Generator<ShownExchange, void> {
    for (const exchange of one ? [one] : exchanges) yield shownExchange(exchange);
  }
  function* redacted(): Generator<ShownExchange, void> {
    for (const exchange of shown()) yield JSON.parse(redactedJson(exchange, redact)) as ShownExchange;
  }
  return format === 'har'
    ? longText(call, harParts(shown(), { address, version, redact, missing: () => missing }))
    : longText(call, { ...curlParts(redacted(), { server: address, usual }, () => missing), contentType: SCRIPT_TYPE });
}

const recordingTooLong = new ApiError(
  'limit_reached',
  `a recording has at most ${MAX_RECORDING_BYTES / 2 ** 20} MiB, ${MAX_LINE_BYTES / 2 ** 20} MiB a line, and this one would be larger; clear the request log, drop snapshots or reset the sandbox, or stop the server and copy its data directory`,
);
