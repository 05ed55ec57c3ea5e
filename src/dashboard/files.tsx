/** Files that are chosen, or dropped anywhere on the page: their content says what they are. */

import { useEffect, useState } from 'preact/hooks';
import { MAX_RECORDING_BYTES } from '../base/limits.ts';
import { ClientError } from '../client/errors.ts';
import { readJson } from '../client/json.ts';
import type { Schema } from '../client/routes.ts';
import { isHar } from '../verdict/documents/is-har.ts';
import { useAction } from './kit/action.ts';
import { many } from './kit/time.ts';
import { Trouble } from './kit/trouble.tsx';
import { openClient, openSession, type Session, type SignIn, useSignIn } from './session.ts';
import type { Foreign } from './strip/state.ts';
import { withUndo } from './strip/undo.ts';

/** @throws {ClientError} saying what is wrong with the file; nothing of it is left on the server */
async function openRecording(text: string): Promise<Session> {
  const { key } = await openClient().importRecording(text);
  const session = await openSession(key);
  location.hash = '#/live';
  return session;
}

/** @throws {Error} for a file that is too large, or a folder */
async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > MAX_RECORDING_BYTES) throw new Error(`${file.name} is too large: a file has at most 64 MiB.`);
  const content = await file.arrayBuffer().catch((cause) => {
    throw new Error(`${file.name} cannot be read: is it a folder?`, { cause });
  });
  return new Uint8Array(content);
}

/** Beyond this, a server with the default limit ends the connection before its error is read. */
const MOST_BYTES = 16 * 1024 * 1024;

type Json = Readonly<Record<string, unknown>>;

const isReport = (json: Json | undefined): boolean => json !== undefined && 'verdict' in json && 'account' in json;
const isFixture = (json: Json | undefined): boolean => json !== undefined && ('pets' in json || 'generate' in json);

/** The commands for files that the page does not open. */
const COMMANDS = {
  report: 'npx petstore-sandbox report --merge',
  draft: 'npx petstore-sandbox preview --spec',
} as const;

/** What a file is, by its content: a HAR, a recording or pets. */
async function openFile(file: File, at: InSandbox | undefined, open: SignIn['open']): Promise<string> {
  const { name } = file;
  const bytes = await bytesOf(file);
  if (isHar(name, bytes)) return inSandbox('a HAR', (here) => reportOnHar(name, bytes, here));
  const text = new TextDecoder().decode(bytes);
  if (/^\s*\{\s*"recording"/.test(text) || /\.jsonl$/i.test(name)) {
    const opened = await as('a recording', () => openRecording(text));
    open(opened);
    return `Opened ${opened.sandbox.label ?? 'the recording'} as a new sandbox.`;
  }
  const json = jsonIn(text);
  if (isReport(json)) throw byCommand('a saved report', COMMANDS.report);
  if (isFixture(json)) return inSandbox('a fixture', ({ session }) => resetTo(name, json as Fixture, session));
  if (/^\s*(\{|["']?(openapi|swagger|info|paths)\b|---|#)/.test(text))
    throw byCommand('a draft of the specification', COMMANDS.draft);
  if (/\.(csv|tsv)$/i.test(name) || /^\W*\w+["']?[,;\t]/.test(text))
    return inSandbox('a table of pets (CSV)', async ({ session }) => {
      const { readCsv } = await import('../sandbox/csv-pets.ts');
      return resetTo(name, (await readCsv(text, name)).value as unknown as Fixture, session);
    });
  throw new Error(`${name} is none of these: a recording, a HAR, a fixture or a CSV file of pets.`);

  function byCommand(kind: string, command: string): Error {
    return new Error(`${name} is ${kind}. Open it with \`${command} ${name}\`.`);
  }

  /** Every kind but a recording is about an open sandbox. */
  function inSandbox(kind: string, work: (here: InSandbox) => Promise<string>): Promise<string> {
    if (!at) throw new Error(`${name} is ${kind}: open a sandbox first, then this file.`);
    return as(kind, () => work(at));
  }

  /** @throws {Error} that says as what the file was read */
  async function as<T>(kind: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof ClientError && cause.code === 'not_reached') throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${name}, read as ${kind}: ${why}`, { cause });
    }
  }
}

type Fixture = Schema<'InlineFixture'>;

/** The open sandbox. */
interface InSandbox {
  readonly session: Session;
  readonly showHar: (har: Foreign) => void;
}

/** Every integer keeps its digits. */
function jsonIn(text: string): Json | undefined {
  try {
    const value = readJson(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

async function reportOnHar(name: string, bytes: Uint8Array<ArrayBuffer>, { session, showHar }: InSandbox) {
  if (bytes.length > MOST_BYTES) throw new Error('it is too large; run npx petstore-sandbox report --har FILE');
  showHar({ name, report: await session.client.reportHar(bytes) });
  location.hash = '#/live';
  return `Checked ${name}.`;
}

const resetTo = (name: string, fixture: Fixture, session: Session): Promise<string> =>
  withUndo(session, async () => {
    const { sandbox } = await session.client.request('POST /reset', { body: { fixture } });
    location.hash = '#/pets';
    return `Reset to ${name}: ${many(sandbox?.pets.total ?? 0, 'pet')}.`;
  });

/** Opens a file of any kind, and shows what is wrong with it. */
function useOpening(at: InSandbox | undefined) {
  const { open } = useSignIn();
  const { run, isBusy, error } = useAction();
  const take = ([file, another]: FileList | readonly File[]): void =>
    void run(() => {
      if (!file || another) throw new Error('Drop one file.');
      return openFile(file, at, open);
    });
  return { take, isBusy, trouble: error === undefined ? null : <Trouble error={error} /> };
}

export function OpenFile({ at }: { at?: InSandbox }) {
  const { take, isBusy, trouble } = useOpening(at);
  return (
    <>
      <label class="button">
        Open a file…
        <input
          type="file"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])]);
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
      </label>
      {trouble && <div class="drop">{trouble}</div>}
    </>
  );
}

/** Takes a file that is dropped anywhere on the page. */
export function FileDrop({ at }: { at?: InSandbox }) {
  const { take, isBusy, trouble } = useOpening(at);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener(
      'dragover',
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        // Otherwise the browser would open the file instead of the page.
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    document.addEventListener('dragleave', ({ relatedTarget }) => setOver(relatedTarget !== null), { signal });
    document.addEventListener(
      'drop',
      (event) => {
        const files = event.dataTransfer?.files;
        setOver(false);
        if (!files || files.length === 0) return;
        event.preventDefault();
        take(files);
      },
      { signal },
    );
    return () => ending.abort();
  });
  if (!isOver && !isBusy && trouble === null) return null;
  return (
    <div class="drop">
      {(isOver || isBusy) && <p class="toast">{isBusy ? 'Reading the file' : 'Drop the file to open it'}</p>}
      {trouble}
    </div>
  );
}
