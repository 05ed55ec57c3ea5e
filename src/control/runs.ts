/** `/_sandbox/runs`, and the choice of a run that other controls offer. */
import { ApiError } from '../api/errors.ts';
import { inSlices } from '../core/turns.ts';
import { runOutcomesOf } from '../report/run-outcomes.ts';
import { redactedJson } from '../requests/redact.ts';
import type { RequestLog } from '../requests/request-log.ts';
import { ALL, LAST } from '../requests/runs.ts';
import { unansweredWords } from '../requests/unanswered.ts';
import { type ControlContext, type Controls, done, readLog, validatedOf } from './control.ts';
import { unattributedTo } from './unmatched.ts';

/** Of the list. */
const MAX_LISTED_RUNS = 20;

export const runControls = (context: ControlContext): Controls => ({
  listRuns: (call) =>
    readLog(call, context, async (log) => {
      const { sandbox, newestFirst, held, history } = log;
      const { id, record } = sandbox;
      const options = {
        sandbox: { id, label: record.label },
        ...{ strict: false, now: context.clock.now(), sandboxNow: sandbox.now() },
        wholeFrom: history.requestLog.wholeFrom,
        unattributed: unattributedTo(log, context),
        gaps: unansweredWords(context.unanswered.of(id)),
      };
      const against = runNamed(call.query['against'], history.requestLog);
      const outcomes = runOutcomesOf(newestFirst.reverse(), held.evictedOfRuns, options, MAX_LISTED_RUNS, against);
      const runs = await inSlices(outcomes);
      return { status: 200, body: redactedJson({ runs }, context.redact) };
    }),

  startRun: async (call) => {
    const { history } = await validatedOf(call, context);
    history.requestLog.endRuns();
    return done;
  },
});

/**
 * The name of the run that a query asks for; `undefined` for all requests. The latest run of an empty log is one without
 * requests. @throws {ApiError} `not_found`, with the names of the latest runs
 */
export function runNamed(wanted: unknown, requestLog: RequestLog): string | undefined {
  if (wanted === undefined || wanted === ALL) return undefined;
  const names = requestLog.runs();
  if (wanted === LAST) return names.at(-1) ?? LAST;
  if (names.includes(wanted as string)) return wanted as string;
  const known = names.length === 0 ? 'there is none yet' : `the latest are ${names.slice(-MAX_NAMED_RUNS).join('; ')}`;
  throw new ApiError('not_found', `no run in the request log has this name; ${known}`);
}

const MAX_NAMED_RUNS = 3;
