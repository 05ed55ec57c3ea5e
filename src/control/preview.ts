/** `/_sandbox/preview`: which requests of a sandbox stop working on a date, or with a draft of the specification. */
import type { Clock } from '../core/clock.ts';
import { ApiError, SpecificationError } from '../core/errors.ts';
import { textOf } from '../http/body.ts';
import { HeavyLane, ROUND } from '../http/heavy-lane.ts';
import { FORMATS, type FormatName, inFormat } from '../report/formats/formats.ts';
import { nextChange, type Preview, type PreviewRequests, previewAt, previewWith } from '../report/preview.ts';
import { previewResults } from '../report/preview-results.ts';
import { isSettled } from '../requests/exchange.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { RequestLogs } from '../requests/request-logs.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { examineByDraft, MAX_DRAFT_BYTES } from '../validator/draft.ts';
import { type Call, type Controls, ownBody } from './control.ts';

interface PreviewControlOptions {
  readonly requestLogs: RequestLogs;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly histories: Pick<Histories, 'settled'>;
}

export function previewControls(options: PreviewControlOptions): Controls {
  /** One draft at a time: sandboxes take turns. */
  const drafts = new HeavyLane();
  return {
    getPreview: async (call) => {
      const sandbox = call.sandbox();
      const date = (call.query['at'] as string | undefined) ?? nextChange(sandbox.now());
      const requests = await requestsOf(sandbox, options);
      return call.req.exchange.inTurn(ROUND, () => rendered(call, previewAt(date, requests), options));
    },
    previewDraft: async (call) => {
      const text = await draftIn(call);
      const requests = await requestsOf(call.sandbox(), options);
      const draft = await drafts.run(call.sandbox().id, ROUND, () => examined(text, requests));
      return call.req.exchange.inTurn(ROUND, () => rendered(call, previewWith(draft, requests), options));
    },
  };
}

async function requestsOf(sandbox: Sandbox, options: PreviewControlOptions): Promise<PreviewRequests> {
  await options.histories.settled(sandbox.id);
  const { requestLog } = options.requestLogs.of(sandbox);
  return {
    exchanges: [...requestLog.newestFirst()].filter(isSettled).reverse(),
    dropped: requestLog.dropped,
    source: sandbox.id,
    now: options.clock.now(),
    countedFrom: sandbox.now(),
  };
}

async function draftIn({ req }: Call): Promise<string> {
  const limits = { maxBytes: MAX_DRAFT_BYTES, mediaType: 'application/yaml' };
  const bytes = await ownBody(req, limits, 'an OpenAPI specification');
  return req.exchange.inTurnWithBody(bytes.length, () => textOf(req, bytes));
}

const examined = (text: string, { exchanges }: PreviewRequests) =>
  examineByDraft(text, exchanges).catch((error: unknown) => {
    // The validator sees a text, and cannot agree.
    throw error instanceof SpecificationError ? new ApiError('invalid_request', `body: ${error.message}`) : error;
  });

/** Redacted once, as data: no format can then contain a secret. */
async function rendered({ query }: Call, preview: Preview, { redact }: PreviewControlOptions) {
  const data = JSON.parse(redactedJson(preview, redact)) as Preview;
  const format = (query['format'] ?? 'json') as FormatName;
  const body = await inFormat(format, previewResults(data), { full: true });
  return { status: 200, contentType: FORMATS[format].mediaType, body };
}
