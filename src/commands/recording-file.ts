/** Reads a recording from a file. */

import { readGivenFile } from '../core/given-file.ts';
import { MAX_RECORDING_BYTES } from '../recording/bounds.ts';
import { readRecording } from '../recording/read.ts';
import { type Recording, RecordingError } from '../recording/recording.ts';
import { SettingsError } from '../server/settings.ts';

/** @throws {SettingsError} naming the file, for one that cannot be read or is no recording */
export async function recordingInFile(file: string): Promise<Recording> {
  try {
    return await readRecording(await readGivenFile(file, MAX_RECORDING_BYTES));
  } catch (cause) {
    const { message } = cause as Error;
    const why = cause instanceof RecordingError ? message : `cannot be read: ${message}`;
    throw new SettingsError(`${file}: ${why}`, { cause });
  }
}
