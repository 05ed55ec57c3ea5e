/** What a command prints, and where: results, messages, progress, files, and exit codes. */
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TextDecoder } from 'node:util';
import { stopwatch } from '../base/clock.ts';
import { MAX_SMALL_FILE, readGivenFile } from '../base/files.ts';
import { writeJson } from '../base/int64.ts';
import { type Screen, screenOf } from '../base/layout.ts';
import { clearInterval, setInterval } from '../base/real-globals.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { printable } from '../base/text.ts';

/** The screen behind one of this program's streams. */
export const screenBehind = (stream: NodeJS.WriteStream): Screen => screenOf(stream, process.env);

/** What every message on standard error begins with. */
export const PREFIX = 'petstore-sandbox: ';

/** Prints one line on standard error. */
export const complain = (message: string): void => void process.stderr.write(`${PREFIX}${printable(message)}\n`);

/** Prints the message of an error, which may have several lines. */
export const complainOf = ({ message }: Error): void =>
  void process.stderr.write(`${PREFIX}${message.split('\n').map(printable).join('\n')}\n`);

/** The program's exit codes, the same for every command. */
export const EXIT = {
  done: 0,
  /** A negative result: not healthy in time, a failed assertion. */
  failed: 1,
  /** Wrong usage, or unusable input. */
  wrongUse: 2,
  /** No response from a server. */
  notReached: 3,
} as const;

/** Where a command prints its result. */
export interface Output {
  /** Prints a result: as JSON with `--json`, otherwise as lines, escaped for terminals. */
  show<Value>(value: Value, lines: (value: Value) => readonly string[]): undefined;
  /** The same with lines of `base/layout.ts`, which are escaped and have colors. */
  layOut<Value>(value: Value, lines: (value: Value, screen: Screen) => readonly string[]): undefined;
}

export function output({ json }: { json: boolean }): Output {
  const layOut: Output['layOut'] = (value, lines) => {
    const shown = json ? [printable(writeJson(value))] : lines(value, screenBehind(process.stdout));
    for (const line of shown) process.stdout.write(`${line}\n`);
    return undefined;
  };
  return { layOut, show: (value, lines) => layOut(value, (shown) => lines(shown).map(printable)) };
}

/**
 * Checks the file of `--out` before any work is done for it.
 * @throws {SettingsError} if its directory is missing, or it cannot be written
 */
export async function checkOut(file: string): Promise<void> {
  const directory = dirname(file);
  const [there, around] = [await about(file), await about(directory)];
  if (!around?.isDirectory())
    throw new SettingsError(`--out ${file}: there is no directory ${directory}; create it first`);
  if (there?.isDirectory()) throw new SettingsError(`--out ${file} is a directory; name a file in it`);
  // A file such as /dev/stdout may be written where its directory may not.
  await access(there ? file : directory, constants.W_OK).catch((cause: Error) => {
    throw new SettingsError(`--out ${file} cannot be written: ${cause.message}`, { cause });
  });
}

const about = (path: string) => stat(path).catch(() => undefined);

/**
 * Writes a file.
 * @param flag the flag that named the file, for the error
 * @throws {SettingsError} if the file cannot be written
 */
export async function writeOut(flag: string, file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new SettingsError(`${flag} ${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Reads a file.
 * @param named the file with its flag, for the error
 * @throws {SettingsError} if it cannot be read
 */
export async function readBytes(named: string, file: string, maxBytes: number): Promise<Buffer> {
  return readGivenFile(file, maxBytes).catch((cause: Error) => {
    throw new SettingsError(`${named} cannot be read: ${cause.message}`, { cause });
  });
}

/** Reads a text file. @throws {SettingsError} if it cannot be read, or is not UTF-8 */
export async function readIn(named: string, file: string, maxBytes = MAX_SMALL_FILE): Promise<string> {
  const bytes = await readBytes(named, file, maxBytes);
  if (!isUtf8(bytes)) throw new SettingsError(`${named} cannot be read: it is not UTF-8; save it as UTF-8`);
  return new TextDecoder().decode(bytes);
}

/** Moves to the beginning of the line, and clears it. */
const CLEAR = '\r\u001b[K';
const EVERY_MS = 1_000;

/**
 * Shows a text and the seconds that have passed, until the work is done: on a terminal, and not in CI. Short work shows
 * nothing.
 */
export async function during<Result>(
  text: string,
  work: Promise<Result>,
  environment: NodeJS.ProcessEnv,
  to: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): Promise<Result> {
  if (!to.isTTY || environment['CI'] || environment['TERM'] === 'dumb') return work;
  const began = stopwatch();
  const timer = setInterval(() => to.write(`${CLEAR}${text}, ${Math.round((stopwatch() - began) / 1000)} s`), EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    to.write(CLEAR);
  }
}
