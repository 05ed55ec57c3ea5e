/** `GET /_sandbox/preview`: which requests of a sandbox stop working, and when. */
import type { Clock } from '../core/clock.ts';
import { ROUND } from '../http/heavy-lane.ts';
import { FORMATS, type FormatName, inFormat } from '../report/formats/formats.ts';
import { changesBy, examinedAt, nextChange, type Preview, previewOf } from '../report/preview.ts';
import { previewResults } from '../report/preview-results.ts';
import { isSettled } from '../requests/exchange.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { RequestLogs } from '../requests/request-logs.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Call, Controls } from './control.ts';

interface PreviewControlOptions {
  readonly requestLogs: RequestLogs;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly histories: Pick<Histories, 'settled'>;
}

export const previewControls = (options: PreviewControlOptions): Controls => ({
  getPreview: async (call) => {
    const sandbox = call.sandbox();
    const date = (call.query['at'] as string | undefined) ?? nextChange(sandbox.now());
    await options.histories.settled(sandbox.id);
    return call.req.exchange.inTurn(ROUND, () => rendered(call, previewAt(sandbox, date, options), options.redact));
  },
});

/** The preview of a date, or of no change; it may contain secrets until it is redacted. */
function previewAt(sandbox: Sandbox, date: string | undefined, { requestLogs, clock }: PreviewControlOptions): Preview {
  const { requestLog } = requestLogs.of(sandbox);
  const exchanges = [...requestLog.newestFirst()].filter(isSettled).reverse();
  return previewOf({
    examined: examinedAt(exchanges, date),
    changes: changesBy(date),
    dropped: requestLog.dropped,
    date: date ?? null,
    draft: null,
    source: sandbox.id,
    now: clock.now(),
    countedFrom: sandbox.now(),
  });
}

async function rendered({ query }: Call, preview: Preview, redact: Redact) {
  // Redacted once, as data: no format can then contain a secret.
  const data = JSON.parse(redactedJson(preview, redact)) as Preview;
  const format = (query['format'] ?? 'json') as FormatName;
  const body = await inFormat(format, previewResults(data), { full: true });
  return { status: 200, contentType: FORMATS[format].mediaType, body };
}
