/** Undo of a reset: a snapshot of what was there before, kept for ten minutes. */
import type { ControlsClient } from './client.ts';

const KEPT_MS = 10 * 60_000;
/** The name contains the time at which the undo ends, so that the next listing of the snapshots can delete it. */
const NAME = /^undo-(\d+)$/;

/** When the undo by a snapshot ends, in milliseconds since 1970; `undefined` for one that a person saved. */
export const endOfUndo = (name: string): number | undefined => {
  const [, time] = NAME.exec(name) ?? [];
  return time === undefined ? undefined : Number(time);
};

/** Saves what is there. @param now in milliseconds since 1970 @returns the name of the snapshot; `undefined` without room for one */
export async function saveUndo(client: ControlsClient, now: number): Promise<string | undefined> {
  const name = `undo-${now + KEPT_MS}`;
  const kept = await client.request('POST /snapshots', { body: { name } }).catch(() => undefined);
  return kept?.name;
}

/** The snapshots that a person saved, and those for an undo, of which the ended ones are deleted. */
export async function readSnapshots(client: ControlsClient, now: number) {
  const { snapshots } = await client.request('GET /snapshots');
  const ended = snapshots.filter(({ name }) => (endOfUndo(name) ?? Number.POSITIVE_INFINITY) <= now);
  for (const { name } of ended) await client.request('DELETE /snapshots/{name}', { params: { name } });
  return snapshots.filter((each) => !ended.includes(each));
}
