/** Drills: the catalog, and the active drill of a sandbox. */
import type { JsonValue } from '../../base/int64.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { DRILLS, shownDrill } from '../../verdict/drills/catalog.ts';
import { type ControlContext, type Controls, done, json, validatedOf } from './control.ts';

export const drillControls = (context: ControlContext): Controls => ({
  listDrills: () => json(200, { drills: DRILLS.map(shownDrill) }),

  startDrill: async (call) =>
    json(200, await context.drills.start(call.sandbox(), (call.body as { drill: string }).drill, call.key)),

  getDrill: async (call) => {
    const { sandbox } = await validatedOf(call, context);
    const result = await context.drills.result(sandbox, call.query['strict'] === true);
    return call.inTurn(() => ({ status: 200, body: redactedJson(result, context.redact) }));
  },

  getDrillResult: (call) => json(200, context.drills.ended(call.sandbox(), call.params['drill'] as string)),

  reportDrillOutcome: async (call) => {
    const { results = [] } = call.exact as { results?: JsonValue[] };
    await context.drills.reportOutcome(call.sandbox(), call.body as { success: boolean; crashed?: boolean }, results);
    return done;
  },

  endDrill: async (call) => {
    await context.drills.end(call.sandbox());
    return done;
  },
});
