/** A HAR in a file. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { HarError } from '../recording/har-entries.ts';
import { type HarTraffic, validatedHar } from '../recording/har-report.ts';
import { SettingsError } from '../server/settings.ts';

/** Bytes of a HAR. */
const MAX_HAR_BYTES = 1024 * 1024 * 1024;

/** @param base see `validatedHar` @throws {SettingsError} naming the file */
export async function harInFile(file: string, base: string | undefined): Promise<HarTraffic> {
  await rejectUnreadable(file);
  try {
    return await validatedHar(createReadStream(file), base);
  } catch (cause) {
    if (!(cause instanceof HarError)) throw cause;
    throw new SettingsError(`${file}: ${cause.message}`, { cause });
  }
}

async function rejectUnreadable(file: string): Promise<void> {
  let size: number;
  try {
    const about = await stat(file);
    if (!about.isFile()) throw new Error('it is not a regular file');
    size = about.size;
  } catch (cause) {
    throw new SettingsError(`${file}: cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (size > MAX_HAR_BYTES) throw new SettingsError(`${file}: a HAR has at most ${MAX_HAR_BYTES / 2 ** 20} MiB`);
}
