/** A HAR as bytes, and the bounds of what unpacks to more. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';

/** A file that isn't a HAR. The message says what is wrong, and where. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

/** Bytes that can be read more than once. */
export interface HarFile {
  readonly size: number;
  /** A part of it; fewer bytes at its end. */
  readonly part: (at: number, bytes: number) => Promise<Buffer>;
  /** All of it. A part is valid until the next one is asked for. */
  readonly parts: () => AsyncIterable<Buffer>;
}

export const PART_BYTES = 64 * 1024;

/** A HAR that is in memory. */
export const harInMemory = (bytes: Buffer): HarFile => ({
  size: bytes.length,
  part: async (at, count) => bytes.subarray(at, at + count),
  parts: () => blocksIn(bytes),
});

/**
 * Opens a HAR in a file while `use` runs.
 * @param most bytes
 * @throws {HarError} if it isn't a file, and for one that is too large
 */
export async function withHarFile<T>(path: string, most: number, use: (file: HarFile) => Promise<T>): Promise<T> {
  const about = await stat(path);
  if (!about.isFile()) throw new HarError('it is not a regular file');
  if (about.size > most) throw new HarError(`a HAR has at most ${most / MIB} MiB`);
  const handle = await open(path);
  try {
    return await use({
      size: about.size,
      part: async (at, bytes) => {
        const buffer = Buffer.alloc(bytes);
        return buffer.subarray(0, (await handle.read(buffer, 0, bytes, at)).bytesRead);
      },
      parts: () => blocksOf(handle),
    });
  } finally {
    await handle.close();
  }
}

/** In one buffer for all of it: V8 would free those of a stream late. */
async function* blocksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PART_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* blocksIn(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES);
  }
}

/** The bytes from one place to another, each part in a buffer of its own. */
export async function* partsBetween({ part }: HarFile, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += PART_BYTES) yield part(at, Math.min(PART_BYTES, to - at));
}

/** Traffic is repetitive, but not more than that; a small file may be. */
const MAX_RATIO = 200;
const FREE_BYTES = 32 * 1024 * 1024;
const MIB = 2 ** 20;

/** How much may be unpacked of one file: a few KiB can stand for a terabyte. */
export class UnpackLimit {
  readonly #most: number;
  readonly #message: string;
  #bytes = 0;

  /** @param packed bytes of the file @param most bytes of what it contains, whatever its size */
  constructor(packed: number, most: number) {
    const byRatio = Math.max(FREE_BYTES, packed * MAX_RATIO);
    this.#most = Math.min(byRatio, most);
    this.#message =
      byRatio < most
        ? `it unpacks to more than ${MAX_RATIO} times its size`
        : `it unpacks to more than ${Math.floor(most / MIB)} MiB`;
  }

  /** @throws {HarError} */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#most) throw new HarError(this.#message);
  }
}

/** What a stream of `node:zlib` makes of packed bytes. @throws {HarError} for damaged bytes, and beyond the limit */
export async function* unpacked(
  packed: AsyncIterable<Buffer>,
  unpack: Transform,
  limit: UnpackLimit,
): AsyncGenerator<Buffer> {
  // Its errors reach the loop below, because a pipeline destroys its last stream with them.
  pipeline(Readable.from(packed, { objectMode: false, highWaterMark: PART_BYTES }), unpack, () => undefined);
  try {
    for await (const part of unpack) {
      limit.take(part.length);
      yield part;
    }
  } catch (cause) {
    if (cause instanceof HarError) throw cause;
    throw new HarError(`it is damaged: ${(cause as Error).message}`, { cause });
  }
}
