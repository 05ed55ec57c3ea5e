/** Undo of what destroys the state of the sandbox. */

import { MAX_SNAPSHOTS } from '../../base/limits.ts';
import { saveUndo } from '../../client/undo.ts';
import type { Session } from '../session.ts';
import { useLoss, useSandboxState } from './state.ts';

/** What a dialog says before `withUndo`. */
export function useLossBeforeUndo(): string {
  const { snapshots } = useSandboxState();
  const loss = useLoss() ?? 'Nothing will be lost: no pet was added, and no fault or time was set.';
  if ((snapshots.value?.length ?? 0) >= MAX_SNAPSHOTS)
    return `${loss} You can’t undo it, because there are ${MAX_SNAPSHOTS} snapshots: delete one first.`;
  return `${loss} You can undo it for ten minutes.`;
}

/**
 * Saves what is there, then destroys it. @returns what to announce: `said`, and whether there is an undo
 * @throws {ClientError} of `destroy`
 */
export async function withUndo({ client }: Session, destroy: () => Promise<string>): Promise<string> {
  const undo = await saveUndo(client, Date.now());
  const said = await destroy();
  return `${said} ${undo === undefined ? 'It can’t be undone, because no snapshot could be saved before.' : 'You can undo it for ten minutes.'}`;
}
