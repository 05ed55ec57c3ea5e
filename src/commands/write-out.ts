/** Writes the output of a command to a file. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from '../settings.ts';

/**
 * Writes a file, and creates its directory.
 * @param flag the flag that named the file, for the error
 * @throws {SettingsError} if the file cannot be written
 */
export async function writeOut(flag: string, file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    throw new SettingsError(`${flag} ${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}
