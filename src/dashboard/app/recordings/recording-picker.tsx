/** Chooses the file of a recording. */

import { MAX_RECORDING_BYTES } from '../../../recording/bounds.ts';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { openClient, openSession, type Session } from '../session.ts';

export function RecordingPicker({ onOpen }: { onOpen: (session: Session) => void }) {
  const opening = useAction();
  const pick = (input: HTMLInputElement): void => {
    const { files } = input;
    if (!files || files.length === 0) return;
    void opening
      .run(async () => onOpen(await openRecording(files)))
      .then(() => {
        // The same file may be chosen again.
        input.value = '';
      });
  };
  return (
    <>
      <label>
        <span>Recording</span>
        <input
          type="file"
          accept=".jsonl,application/jsonl"
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
export async function openRecording(files: ArrayLike<File>): Promise<Session> {
  const [file, another] = Array.from(files);
  if (!file || another) throw new Error('One file is a recording: give one file.');
  if (file.size > MAX_RECORDING_BYTES) throw new Error(`${file.name} is too large: a recording has at most 64 MiB.`);
  const text = await file.text().catch((cause) => {
    throw new Error(`${file.name} cannot be read: is it a folder?`, { cause });
  });
  const { key } = await openClient().importRecording(text);
  const session = await openSession(key);
  location.hash = '#/traffic';
  return session;
}
