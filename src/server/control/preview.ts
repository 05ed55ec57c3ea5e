/** `/_sandbox/preview`: which requests of a sandbox stop working on a date, or with a draft of the specification. */

import { ApiError, SpecificationError } from '../../base/api/errors.ts';
import { inSlices } from '../../base/lane.ts';
import { MAX_DRAFT_BYTES } from '../../base/limits.ts';
import { nextChange, type PreviewRequests, previewAt, previewResults } from '../../verdict/drafts/preview.ts';
import { recordedText } from '../http/body.ts';
import { type ControlCall, type ControlContext, type Controls, ownBody, rendered } from './control.ts';
import { readPart } from './part.ts';

export function previewControls(context: ControlContext): Controls {
  return {
    getPreview: async (call) => {
      const requests = await requestsOf(call, context);
      const date = (call.query['at'] as string | undefined) ?? nextChange(requests.countedFrom);
      const preview = await inSlices(previewAt(date, requests));
      return rendered(call, preview, previewResults, context);
    },
    previewDraft: async (call) => {
      const at = call.query['at'] as string | undefined;
      const text = await draftIn(call, context);
      // What the log has when the turn of this draft comes.
      const input = async () => ({ draft: text, requests: await requestsOf(call, context), at });
      const preview = await context.documents.previewDraft(input).catch((error: unknown) => {
        throw error instanceof SpecificationError ? new ApiError('invalid_request', `body: ${error.message}`) : error;
      });
      return rendered(call, preview, previewResults, context);
    },
  };
}

/** @throws {ApiError} as `readPart` */
async function requestsOf(call: ControlCall, context: ControlContext): Promise<PreviewRequests> {
  const { exchanges, dropped, gaps, sandbox } = await readPart(call, context, { run: call.query['run'] });
  return {
    exchanges,
    dropped: dropped.requests,
    gaps,
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
