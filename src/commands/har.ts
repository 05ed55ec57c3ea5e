/** A HAR in a file. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { keepHeapsSmall } from '../core/memory.ts';
import { HarError, type HarFile, PART_BYTES } from '../recording/har-file.ts';
import { type HarTraffic, validatedHar } from '../recording/har-report.ts';
import { SettingsError } from '../settings/settings.ts';
import { readBase } from './connection.ts';

/** Of a file, and of what it unpacks to. */
const MAX_HAR_BYTES = 1024 * 1024 * 1024;

/** @param bases those of the API, as `--base` gives them @throws {SettingsError} naming the file or the flag */
export async function harInFile(file: string, bases: readonly string[] = []): Promise<HarTraffic> {
  const known = bases.map((base) => readBase(base, '--base'));
  let handle: FileHandle | undefined;
  try {
    const about = await stat(file);
    if (!about.isFile()) throw new HarError('it is not a regular file');
    if (about.size > MAX_HAR_BYTES) throw new HarError(`a HAR has at most ${MAX_HAR_BYTES / 2 ** 20} MiB`);
    keepHeapsSmall({ tight: true });
    handle = await open(file);
    return await validatedHar(inFile(handle, about.size), known, MAX_HAR_BYTES);
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    if (cause instanceof HarError) throw new SettingsError(`${file}: ${message}`, { cause });
    if (code === undefined) throw cause;
    throw new SettingsError(`${file}: cannot be read: ${message}`, { cause });
  } finally {
    await handle?.close();
  }
}

const inFile = (handle: FileHandle, size: number): HarFile => ({
  size,
  part: async (at, bytes) => {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, (await handle.read(buffer, 0, bytes, at)).bytesRead);
  },
  parts: () => partsOf(handle),
});

/** In one buffer for all of it: V8 would free those of a stream late. */
async function* partsOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PART_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
