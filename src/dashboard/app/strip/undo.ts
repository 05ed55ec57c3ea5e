/** Undo of what destroys the state of the sandbox. */
import { saveUndo } from '../../../client/undo.ts';
import type { Session } from '../session.ts';

/**
 * Saves what is there, then destroys it. @returns what to announce: `said`, and whether there is an undo
 * @throws {ClientError} of `destroy`
 */
export async function withUndo({ client }: Session, destroy: () => Promise<string>): Promise<string> {
  // Without room for one more snapshot, the dialog has said what is lost.
  const undo = await saveUndo(client, Date.now());
  const said = await destroy();
  return undo === undefined ? said : `${said} You can undo it for ten minutes.`;
}
