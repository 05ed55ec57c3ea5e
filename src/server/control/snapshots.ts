/** Snapshots: list, save the present state, drop. A reset restores one. */
import { isoTime } from '../../base/time.ts';
import type { SnapshotInfo } from '../../sandbox/store/journal.ts';
import { type ControlContext, type Controls, done, json } from './control.ts';
import { rejectSecret } from './parse.ts';

export const snapshotControls = ({ clock, redact }: ControlContext): Controls => ({
  listSnapshots: async (call) => {
    const { snapshots } = call.sandbox().journal;
    return json(200, { snapshots: snapshots.map(shownSnapshot) });
  },

  createSnapshot: async (call) => {
    const { name } = call.body as { name: string };
    rejectSecret(call.req, 'body/name', name, redact);
    return json(201, shownSnapshot(await call.sandbox().journal.saveSnapshot(name, clock.now())));
  },

  deleteSnapshot: async (call) => {
    await call.sandbox().journal.dropSnapshot(call.params['name'] as string);
    return done;
  },
});

const shownSnapshot = ({ name, createdAt, fixture, pets }: SnapshotInfo) => ({
  name,
  createdAt: isoTime(createdAt),
  fixture,
  pets,
});
