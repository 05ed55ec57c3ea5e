/** `/_sandbox/preview`: which requests of a sandbox stop working on a date, or with a draft of the specification. */
import { ApiError, SpecificationError } from '../api/errors.ts';
import { inSlices } from '../core/turns.ts';
import { recordedText } from '../http/body.ts';
import { ROUND } from '../http/cpu-queue.ts';
import { nextChange, type PreviewRequests, previewAt, previewWith } from '../report/preview.ts';
import { previewResults } from '../report/preview-results.ts';
import { MAX_DRAFT_BYTES } from '../validator/draft.ts';
import { type ControlCall, type ControlContext, type Controls, ownBody, rendered, settledOf } from './control.ts';

export function previewControls(context: ControlContext): Controls {
  return {
    getPreview: async (call) => {
      const requests = await requestsOf(call, context);
      const date = (call.query['at'] as string | undefined) ?? nextChange(requests.countedFrom);
      return call.inTurn(ROUND, () => rendered(call, previewAt(date, requests), previewResults, context));
    },
    previewDraft: async (call) => {
      const at = call.query['at'] as string | undefined;
      const text = await draftIn(call, context);
      const requests = await requestsOf(call, context);
      const draft = await examined(text, requests, context);
      return call.inTurn(ROUND, () => rendered(call, previewWith(draft, requests, at), previewResults, context));
    },
  };
}

async function requestsOf(call: ControlCall, context: ControlContext): Promise<PreviewRequests> {
  const { sandbox, history } = await settledOf(call, context);
  const { requestLog } = history;
  const exchanges = await inSlices(requestLog.settled(), (slice) => call.inTurn(ROUND, slice));
  return {
    exchanges: exchanges.reverse(),
    dropped: requestLog.dropped,
    source: sandbox.id,
    now: context.clock.now(),
    countedFrom: sandbox.now(),
  };
}

async function draftIn({ req }: ControlCall, { capacity }: ControlContext): Promise<string> {
  const limits = { maxBytes: MAX_DRAFT_BYTES, mediaTypes: ['application/yaml'] };
  const bytes = await ownBody(req, limits, 'an OpenAPI specification');
  return capacity.inTurnWithBody(req.exchange, bytes.length, () => recordedText(req, bytes));
}

const examined = (text: string, { exchanges, source }: PreviewRequests, { documents }: ControlContext) =>
  documents.examine(source, text, exchanges).catch((error: unknown) => {
    // The validator sees a text, and cannot agree.
    throw error instanceof SpecificationError ? new ApiError('invalid_request', `body: ${error.message}`) : error;
  });
