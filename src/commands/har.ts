/** A HAR in a file. */
import { open, stat } from 'node:fs/promises';
import { keepHeapsSmall } from '../core/memory.ts';
import { HarError } from '../recording/har-entries.ts';
import { type HarTraffic, validatedHar } from '../recording/har-report.ts';
import { SettingsError } from '../settings/settings.ts';

const MAX_HAR_BYTES = 1024 * 1024 * 1024;

/** @param base see `validatedHar` @throws {SettingsError} naming the file */
export async function harInFile(file: string, base: string | undefined): Promise<HarTraffic> {
  try {
    const about = await stat(file);
    if (!about.isFile()) throw new HarError('it is not a regular file');
    if (about.size > MAX_HAR_BYTES) throw new HarError(`a HAR has at most ${MAX_HAR_BYTES / 2 ** 20} MiB`);
    keepHeapsSmall({ tight: true });
    return await validatedHar(bytesOf(file), base);
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    if (cause instanceof HarError) throw new SettingsError(`${file}: ${message}`, { cause });
    if (code === undefined) throw cause;
    throw new SettingsError(`${file}: cannot be read: ${message}`, { cause });
  }
}

/** In one buffer for all of it: V8 would free those of a stream late. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (let bytes = 1; bytes > 0; ) {
      bytes = (await handle.read(buffer)).bytesRead;
      yield buffer.subarray(0, bytes);
    }
  } finally {
    await handle.close();
  }
}
