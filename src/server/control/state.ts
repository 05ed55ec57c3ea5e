/** What a sandbox's state is made of, besides its pets: the clock, fault rules, snapshots, fixtures and drills. */
import { whyNotRecorded } from '../../base/api/credential.ts';
import { ApiError } from '../../base/api/errors.ts';
import type { JsonValue } from '../../base/int64.ts';
import { isAndSent } from '../../base/text.ts';
import { isoTime, readTime } from '../../base/time.ts';
import type { ClockReading } from '../../sandbox/sandbox-clock.ts';
import type { SnapshotInfo } from '../../sandbox/store/journal.ts';
import type { FaultRecord, NewFault } from '../../sandbox/store/record.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { DRILLS, shownDrill } from '../../verdict/drills/catalog.ts';
import { type ControlContext, type Controls, done, json, validatedOf } from './control.ts';
import { rejectSecret } from './parse.ts';

export const stateControls = (context: ControlContext): Controls => ({
  getClock: (call) => shownClock(call.sandbox().readClock()),

  setClock: async (call) => {
    const { now, frozen } = call.body as { now?: string; frozen?: boolean };
    return shownClock(await call.sandbox().setClock({ now: now === undefined ? undefined : readTime(now), frozen }));
  },

  resetClock: async (call) => shownClock(await call.sandbox().resetClock()),

  advanceClock: async (call) =>
    shownClock(await call.sandbox().advanceClock((call.body as { duration: string }).duration)),

  listFaults: (call) => json(200, { faults: call.sandbox().record.faults.map(shownRule) }),

  createFault: async (call) => {
    const request = call.body as NewFault;
    const { delayMs = 0, delayToMs = delayMs } = request;
    if (delayToMs < delayMs)
      throw new ApiError(
        'invalid_request',
        `body/delayToMs ${isAndSent(`at least delayMs, ${delayMs}`, String(delayToMs))}`,
      );
    rejectSecret(call.req, 'body/query', request.query, context.redact);
    const hidden = whyNotRecorded(request.query ?? '');
    if (hidden) throw new ApiError('invalid_request', `body/query: ${hidden}`);
    return json(201, shownRule(await call.sandbox().addFault(request)));
  },

  clearFaults: async (call) => {
    await call.sandbox().journal.update({ faults: [] });
    return done;
  },

  deleteFault: async (call) => {
    await call.sandbox().removeFault(call.params['faultId'] as string);
    return done;
  },

  listSnapshots: async (call) => {
    const { snapshots } = call.sandbox().journal;
    return json(200, { snapshots: snapshots.map(shownSnapshot) });
  },

  createSnapshot: async (call) => {
    const { name } = call.body as { name: string };
    rejectSecret(call.req, 'body/name', name, context.redact);
    return json(201, shownSnapshot(await call.sandbox().journal.saveSnapshot(name, context.clock.now())));
  },

  deleteSnapshot: async (call) => {
    await call.sandbox().journal.change(() => ({ drop: call.params['name'] as string }));
    return done;
  },

  listFixtures: () =>
    json(200, {
      fixtures: context.fixtures.list().map(({ name, description, count }) => ({ name, description, pets: count })),
    }),

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

const shownClock = ({ now, frozen }: ClockReading) => json(200, { now: isoTime(now), frozen });

/** A rule without its internal state. */
const shownRule = ({ drawn: _, seen: __, window: ___, ...rule }: FaultRecord) => rule;

const shownSnapshot = ({ createdAt, ...snapshot }: SnapshotInfo) => ({ ...snapshot, createdAt: isoTime(createdAt) });
