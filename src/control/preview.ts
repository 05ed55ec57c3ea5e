/** `/_sandbox/preview`: which requests of a sandbox stop working on a date, or with a draft of the specification. */

import { ApiError, SpecificationError } from '../api/errors.ts';
import { MAX_DRAFT_BYTES } from '../core/limits.ts';
import { inSlices } from '../core/turns.ts';
import { recordedText } from '../http/body.ts';
import { nextChange, type PreviewRequests, previewAt } from '../report/preview.ts';
import { previewResults } from '../report/preview-results.ts';
import { lossIn } from '../requests/request-log.ts';
import { type UnansweredRequest, unansweredWords } from '../requests/unanswered.ts';
import { unattributedReasons } from '../requests/unmatched-requests.ts';
import {
  type ControlCall,
  type ControlContext,
  type Controls,
  ownBody,
  readLog,
  rendered,
  validatedOf,
  type WholeLog,
} from './control.ts';
import { runNamed } from './runs.ts';
import { unattributedTo } from './unmatched.ts';

export function previewControls(context: ControlContext): Controls {
  return {
    getPreview: async (call) => {
      const unanswered = await context.unanswered.whenAnswered(call.sandbox().id);
      return readLog(call, context, async (log) => {
        const requests = requestsOf(call, log, context, unanswered);
        const date = (call.query['at'] as string | undefined) ?? nextChange(requests.countedFrom);
        const preview = await inSlices(previewAt(date, requests));
        return rendered(call, preview, previewResults, context);
      });
    },
    previewDraft: async (call) => {
      const at = call.query['at'] as string | undefined;
      const text = await draftIn(call, context);
      const unanswered = await context.unanswered.whenAnswered(call.sandbox().id);
      const validated = await validatedOf(call, context);
      // What the log has when the turn of this draft comes.
      const input = () =>
        context.logReader.read(validated.history.requestLog, (newestFirst, held) => {
          const requests = requestsOf(call, { ...validated, newestFirst, held }, context, unanswered);
          return { draft: text, requests, at };
        });
      const preview = await context.documents.previewDraft(input).catch((error: unknown) => {
        throw error instanceof SpecificationError ? new ApiError('invalid_request', `body: ${error.message}`) : error;
      });
      return rendered(call, preview, previewResults, context);
    },
  };
}

/** @throws {ApiError} as `runNamed` */
function requestsOf(
  { query }: ControlCall,
  whole: WholeLog,
  context: ControlContext,
  unanswered: readonly UnansweredRequest[],
): PreviewRequests {
  const { sandbox, history, newestFirst, held } = whole;
  const run = runNamed(query['run'], history.requestLog);
  const log = newestFirst.reverse();
  const exchanges = run === undefined ? log : log.filter((each) => each.run === run);
  return {
    exchanges,
    dropped: run === undefined ? held.dropped : (held.evictedOfRuns.get(run) ?? 0),
    gaps: [
      ...lossIn(history.requestLog, run === undefined ? undefined : exchanges),
      ...unansweredWords(unanswered),
      ...unattributedReasons(unattributedTo(whole, context), sandbox.id),
    ],
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
