/** `/_sandbox/runs`. */

import { inSlices } from '../../base/turns.ts';
import type { Schema } from '../../client/routes.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { runOutcomesOf } from '../../verdict/report/run-outcomes.ts';
import { type ControlContext, type Controls, done, validatedOf } from './control.ts';
import { readPart, runNamed } from './part.ts';
import { optionsOf, withoutRules } from './report.ts';

/** Of the list. */
const MAX_LISTED_RUNS = 20;

export const runControls = (context: ControlContext): Controls => ({
  listRuns: async (call) => {
    const part = await readPart(call, context, { wait: false });
    const against = runNamed(call.query['against'], part.requestLog);
    const options = withoutRules(optionsOf(part, context));
    const all = part.runs();
    const latest = all.slice(-MAX_LISTED_RUNS).toReversed();
    const runs = await inSlices(runOutcomesOf(all, latest, options, against), call.inTurn);
    return { status: 200, body: redactedJson({ runs }, context.redact) };
  },

  startRun: async (call) => {
    const { requestLog } = await validatedOf(call, context);
    requestLog.beginRun((call.body as Schema<'NewRun'>).name);
    return done;
  },
});
