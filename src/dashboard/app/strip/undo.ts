/** Undo of a reset: a snapshot of what was there before, kept for ten minutes. */
import type { Session } from '../session.ts';

const KEPT_MS = 10 * 60_000;
/** The name has the time at which it ends: another tab, and this one after a reload, undo it as well. */
const NAME = /^undo-(\d+)$/;

export const endOfUndo = (name: string): number | undefined => {
  const [, time] = NAME.exec(name) ?? [];
  return time === undefined ? undefined : Number(time);
};

/**
 * Saves what is there, then destroys it. @returns what to announce: `said`, and whether there is an undo
 * @throws {ClientError} of `destroy`
 */
export async function withUndo({ client }: Session, destroy: () => Promise<string>): Promise<string> {
  const name = `undo-${Date.now() + KEPT_MS}`;
  // Without room for one more snapshot, the dialog has said what is lost.
  const isKept = await client.request('POST /snapshots', { body: { name } }).then(
    () => true,
    () => false,
  );
  const said = await destroy();
  return isKept ? `${said} You can undo it for ten minutes.` : said;
}

/** The snapshots that a person saved, without those for an undo, of which the ended ones are deleted. */
export async function readSnapshots({ client }: Session) {
  const { snapshots } = await client.request('GET /snapshots');
  const ended = snapshots.filter(({ name }) => (endOfUndo(name) ?? Number.POSITIVE_INFINITY) <= Date.now());
  for (const { name } of ended) await client.request('DELETE /snapshots/{name}', { params: { name } });
  return snapshots.filter((each) => !ended.includes(each));
}
