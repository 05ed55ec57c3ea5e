/** Drills: the catalogue, and the active drill of a sandbox. */
import type { JsonValue } from '../core/int64.ts';
import { DRILLS, shownDrill } from '../drills/catalogue.ts';
import type { DrillRuns } from '../drills/runs.ts';
import { ROUND } from '../http/heavy-lane.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { Histories } from '../sandbox/backend.ts';
import { type Controls, done, json } from './control.ts';

interface DrillControlsOptions {
  readonly runs: DrillRuns;
  readonly redact: Redact;
  readonly histories: Pick<Histories, 'settled'>;
}

export const drillControls = ({ runs, redact, histories }: DrillControlsOptions): Controls => ({
  listDrills: () => json(200, { drills: DRILLS.map(shownDrill) }),

  startDrill: async (call) =>
    json(200, await runs.start(call.sandbox(), (call.body as { drill: string }).drill, call.key)),

  getDrill: async (call) => {
    const sandbox = call.sandbox();
    await histories.settled(sandbox.id);
    return call.req.exchange.inTurn(ROUND, async () => {
      const result = await runs.result(sandbox, call.query['strict'] === true);
      return { status: 200, body: redactedJson(result, redact) };
    });
  },

  reportDrillOutcome: async (call) => {
    const { results = [] } = call.exact as { results?: JsonValue[] };
    await runs.reportOutcome(call.sandbox(), call.body as { success: boolean; crashed?: boolean }, results);
    return done;
  },

  endDrill: async (call) => {
    await runs.end(call.sandbox());
    return done;
  },
});
