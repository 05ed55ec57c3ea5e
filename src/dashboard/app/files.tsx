/** Files that are chosen, or dropped anywhere on the page: recordings, and with a sandbox also drafts and HARs. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_RECORDING_BYTES } from '../../recording/bounds.ts';
import { isHar } from '../../recording/is-har.ts';
import { useAction } from './kit/action.ts';
import { FileField } from './kit/form.tsx';
import { Trouble } from './kit/trouble.tsx';
import { visible } from './kit/visible.ts';
import type { Future } from './live/future.ts';
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
        onChoose={(file) => void run(async () => open(await openRecording(file)))}
      />
      <p class="hint">Or drop the file anywhere on this page. It opens as a new sandbox, and contains no key.</p>
      <Trouble error={error} />
    </>
  );
}

/** @throws {ClientError} saying what is wrong with the file; nothing of it is left on the server */
async function openRecording(file: File): Promise<Session> {
  const bytes = await bytesOf(file, MAX_RECORDING_BYTES, 'a recording has at most 64 MiB.');
  const { key } = await openClient().importRecording(textIn(bytes));
  const session = await openSession(key);
  location.hash = '#/live';
  return session;
}

/** @throws {Error} for a file that is too large, or a folder */
async function bytesOf(file: File, most: number, larger: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > most) throw new Error(`${file.name} is too large: ${larger}`);
  const content = await file.arrayBuffer().catch((cause) => {
    throw new Error(`${file.name} cannot be read: is it a folder?`, { cause });
  });
  return new Uint8Array(content);
}

const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Beyond this, a server with the default limit ends the connection before its error is read. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Checks a HAR, or previews a draft, and shows what was found in the Live view. @throws {ClientError} */
export async function check(file: File, { client }: Session, { addDraft, showHar }: Future): Promise<string> {
  const bytes = await bytesOf(file, MOST_BYTES, 'for a HAR, run petstore-sandbox report --har FILE.');
  const { name } = file;
  if (isHar(name, bytes)) showHar({ name, report: await client.reportHar(bytes) });
  else addDraft({ name, preview: await client.previewDraft(textIn(bytes)) });
  location.hash = '#/live';
  return `Checked ${visible(name)}.`;
}

interface DropProps {
  readonly session?: Session;
  readonly future?: Future;
}

/** Takes a file that is dropped anywhere on the page. */
export function FileDrop({ session, future }: DropProps) {
  const { open } = useSignIn();
  const { run, isBusy, error } = useAction();
  const [isOver, setOver] = useState(false);
  const take = useRef<(files: FileList) => Promise<unknown>>(async () => undefined);
  take.current = async ([file, another]) => {
    if (!file || another) throw new Error('Drop one file.');
    if (session && future && !file.name.endsWith('.jsonl')) return check(file, session, future);
    const opened = await openRecording(file);
    open(opened);
    return `Opened ${opened.sandbox.label ?? 'the recording'} as a new sandbox.`;
  };
  useEffect(() => {
    const on: Readonly<Record<string, (event: DragEvent) => void>> = {
      dragover: (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        // Otherwise the browser would open the file instead of the page.
        event.preventDefault();
        setOver(true);
      },
      dragleave: ({ relatedTarget }) => setOver(relatedTarget !== null),
      drop: (event) => {
        const files = event.dataTransfer?.files;
        setOver(false);
        if (!files || files.length === 0) return;
        event.preventDefault();
        void run(() => take.current(files));
      },
    };
    for (const [name, listen] of Object.entries(on)) document.addEventListener(name as 'drop', listen);
    return () => {
      for (const [name, listen] of Object.entries(on)) document.removeEventListener(name as 'drop', listen);
    };
  }, [run]);
  if (!isOver && !isBusy && error === undefined) return null;
  return (
    <div class="drop">
      {(isOver || isBusy) && <p class="toast">{isBusy ? 'Reading the file' : 'Drop the file to open it'}</p>}
      <Trouble error={error} />
    </div>
  );
}
