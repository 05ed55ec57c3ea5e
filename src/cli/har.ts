/** Files with traffic: reports and previews of a HAR are made in the thread for documents. */

import { keepHeapsSmall } from '../base/memory.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { fileName } from '../base/text.ts';
import { RecordingError } from '../traffic/files/recording.ts';
import { Documents } from '../verdict/documents/documents.ts';
import { HarError } from '../verdict/documents/har-source.ts';
import { readBase } from './connection.ts';

/** The largest file takes no more, and as long as it takes. */
const HEAP = 1024 * 1024 * 1024;

/** Runs `use` with the thread for documents of this process. */
export async function withDocuments<T>(use: (documents: Documents) => Promise<T>): Promise<T> {
  keepHeapsSmall({ tight: true });
  const documents = new Documents({ heap: HEAP });
  try {
    return await use(documents);
  } finally {
    await documents.close();
  }
}

/** The base addresses of the API, as `--base` gives them. @throws {SettingsError} */
export const basesOf = (bases: readonly string[] = []): readonly string[] =>
  bases.map((base) => new URL(readBase(base, '--base')).href);

/** @throws {SettingsError} naming the file, if it is neither a HAR nor a recording */
export async function naming<T>(file: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (cause) {
    if (!(cause instanceof HarError || cause instanceof RecordingError)) throw cause;
    throw new SettingsError(`${fileName(file)}: ${cause.message}`, { cause });
  }
}
