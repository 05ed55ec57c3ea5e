/** Chooses the file of a case. */

import { MAX_CASE_BYTES } from '../../../recording/bounds.ts';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { openClient, openSession, type Session } from '../session.ts';

export function CasePicker({ onOpen }: { onOpen: (session: Session) => void }) {
  const opening = useAction();
  const pick = (input: HTMLInputElement): void => {
    const { files } = input;
    if (!files || files.length === 0) return;
    void opening
      .run(async () => onOpen(await openCase(files)))
      .then(() => {
        // The same file may be chosen again.
        input.value = '';
      });
  };
  return (
    <>
      <label>
        <span>Case</span>
        <input
          type="file"
          accept=".json,application/json"
          disabled={opening.isBusy}
          onChange={({ currentTarget }) => pick(currentTarget)}
        />
      </label>
      <p class="hint">Or drop the file anywhere on this page. It opens as a new sandbox, and contains no key.</p>
      <Trouble error={opening.error} />
    </>
  );
}

/** @throws {Error} saying what is wrong with the file; nothing of it is left on the server */
export async function openCase(files: ArrayLike<File>): Promise<Session> {
  const [file, another] = Array.from(files);
  if (!file || another) throw new Error('One file is a case: give one file.');
  if (file.size > MAX_CASE_BYTES) throw new Error(`${file.name} is too large: a case has at most 64 MiB.`);
  const text = await file.text().catch((cause) => {
    throw new Error(`${file.name} cannot be read: is it a folder?`, { cause });
  });
  const { key } = await openClient().importCase(text);
  const session = await openSession(key);
  location.hash = '#/traffic';
  return session;
}
