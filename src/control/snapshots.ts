/** Snapshots: list, save the present state, drop. A reset restores one. */
import { isoTime } from '../core/time.ts';
import type { SnapshotInfo } from '../store/store.ts';
import { type ControlContext, type Controls, done, json } from './control.ts';
import { rejectSecret } from './parse.ts';

export const snapshotControls = ({ sandboxes, store, redact }: ControlContext): Controls => ({
  listSnapshots: async (call) => {
    const snapshots = await store.snapshots(call.sandbox().id);
    return json(200, { snapshots: snapshots.map(shownSnapshot) });
  },

  createSnapshot: async (call) => {
    const { name } = call.body as { name: string };
    rejectSecret(call.req, 'body/name', name, redact);
    return json(201, shownSnapshot(await sandboxes.saveSnapshot(call.sandbox(), name)));
  },

  deleteSnapshot: async (call) => {
    await store.dropSnapshot(call.sandbox().id, call.params['name'] as string);
    return done;
  },
});

const shownSnapshot = ({ name, createdAt, fixture, pets }: SnapshotInfo) => ({
  name,
  createdAt: isoTime(createdAt),
  fixture,
  pets,
});
