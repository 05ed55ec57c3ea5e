/** Writes the output of a command to a file. */
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from '../server/settings.ts';

/**
 * Checks the file of `--out` before any work is done for it.
 * @throws {SettingsError} if its directory is missing, or it cannot be written
 */
export async function checkOut(file: string): Promise<void> {
  const directory = dirname(file);
  const [there, around] = [await about(file), await about(directory)];
  if (!around) throw new SettingsError(`--out ${file}: there is no directory ${directory}; create it first`);
  if (!around.isDirectory()) throw new SettingsError(`--out ${file}: ${directory} is not a directory`);
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
