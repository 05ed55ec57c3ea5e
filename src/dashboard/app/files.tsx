/** Recordings that are chosen, or dropped anywhere on the page. */
import { useEffect, useState } from 'preact/hooks';
import { MAX_RECORDING_BYTES } from '../../recording/bounds.ts';
import { useAction } from './kit/action.ts';
import { FileField } from './kit/form.tsx';
import { Trouble } from './kit/trouble.tsx';
import { openClient, openSession, type Session, useSignIn } from './session.ts';

export function RecordingPicker() {
  const { open } = useSignIn();
  const { run, isBusy, error } = useAction();
  return (
    <>
      <FileField
        label="Recording"
        accept=".jsonl,application/jsonl"
        isBusy={isBusy}
        onChoose={(file) => void run(async () => open(await openRecording(await textOf(file))))}
      />
      <p class="hint">Or drop the file anywhere on this page. It opens as a new sandbox, and contains no key.</p>
      <Trouble error={error} />
    </>
  );
}

/** @throws {ClientError} saying what is wrong with the file; nothing of it is left on the server */
async function openRecording(text: string): Promise<Session> {
  const { key } = await openClient().importRecording(text);
  const session = await openSession(key);
  location.hash = '#/traffic';
  return session;
}

/** @throws {Error} for a file that is too large, or a folder */
export async function textOf(
  file: File,
  most = MAX_RECORDING_BYTES,
  larger = 'a recording has at most 64 MiB.',
): Promise<string> {
  if (file.size > most) throw new Error(`${file.name} is too large: ${larger}`);
  return file.text().catch((cause) => {
    throw new Error(`${file.name} cannot be read: is it a folder?`, { cause });
  });
}

/** Takes a recording that is dropped anywhere on the page. */
export function FileDrop() {
  const { open } = useSignIn();
  const { run, isBusy, error } = useAction();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const take = async (files: FileList): Promise<unknown> => {
      const [file, another] = files;
      if (!file || another) throw new Error('Drop one file.');
      const opened = await openRecording(await textOf(file));
      open(opened);
      return `Opened ${opened.sandbox.label ?? 'the recording'} as a new sandbox.`;
    };
    const on: Readonly<Record<string, (event: DragEvent) => void>> = {
      dragover: (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        // Otherwise the browser would open the file in place of the page.
        event.preventDefault();
        setOver(true);
      },
      dragleave: ({ relatedTarget }) => setOver(relatedTarget !== null),
      drop: (event) => {
        const files = event.dataTransfer?.files;
        setOver(false);
        // A view may have taken it.
        if (event.defaultPrevented || !files || files.length === 0) return;
        event.preventDefault();
        void run(() => take(files));
      },
    };
    for (const [name, listen] of Object.entries(on)) document.addEventListener(name as 'drop', listen);
    return () => {
      for (const [name, listen] of Object.entries(on)) document.removeEventListener(name as 'drop', listen);
    };
  }, [run, open]);
  if (!isOver && !isBusy && error === undefined) return null;
  return (
    <div class="drop">
      {(isOver || isBusy) && <p class="toast">{isBusy ? 'Reading the file' : 'Drop the file to open it'}</p>}
      <Trouble error={error} />
    </div>
  );
}
