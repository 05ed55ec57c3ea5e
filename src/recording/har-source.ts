/**
 * Opens a HAR, in a file or in memory, as the one source of its entries: plain, compressed with gzip, or in a zip archive, in
 * UTF-8, or in UTF-16 as PowerShell saves it. Playwright puts bodies into such an archive as separate files.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ZipFile, Entry as ZipMember } from 'yauzl';
import { decoderFor } from '../core/given-file.ts';
import { quoted } from '../core/text.ts';
import { entriesIn, type HarArchive, type HarEntry, HarError } from './har-entries.ts';

/** A path, or all bytes. */
export type HarInput = string | Buffer;

/** The entries of a HAR, which can be read more than once. */
export interface HarSource {
  /** @param archive is filled in at the end @throws {HarError} */
  readonly entries: (archive?: HarArchive) => AsyncIterable<HarEntry>;
  /** The content of a file that lies in the same container; `undefined` if there is none, or if it is too large. */
  readonly attached: (name: string) => Promise<Buffer | undefined>;
}

/** Bytes where they lie. */
interface Bytes {
  readonly size: number;
  /** Each part is valid until the next one is asked for. */
  readonly parts: () => AsyncIterable<Buffer>;
  readonly stream: () => Readable;
  readonly zip: () => Promise<ZipFile>;
}

const PART_BYTES = 64 * 1024;
const MIB = 2 ** 20;
/** Bytes of an attached body. */
const MAX_ATTACHED = 4 * MIB;
/** Files in a zip archive, and bytes of all that it says of them. */
const MAX_ZIP_MEMBERS = 100_000;
const MAX_DIRECTORY_BYTES = 16 * MIB;
/** Names of files in an error. */
const MAX_NAMED_FILES = 5;

/** How files begin that are sent by mistake. */
const OTHERS: readonly (readonly [beginning: string, what: string])[] = [
  ['1f8b', 'it is packed twice; unpack it first'],
  ['504b', 'it is packed twice; unpack it first'],
  ['28b52ffd', 'it is compressed with Zstandard; unpack it first'],
  ['425a68', 'it is compressed with bzip2; unpack it first'],
  ['fd377a585a00', 'it is compressed with xz; unpack it first'],
  ['377abcaf271c', 'this is a 7-Zip archive; unpack it first'],
  ['526172211a07', 'this is a RAR archive; unpack it first'],
  ['255044462d', 'this is a PDF file'],
  ['3c', 'this is HTML or XML'],
  ['fffe0000', 'it is in UTF-32; save it in UTF-8'],
  ['0000feff', 'it is in UTF-32; save it in UTF-8'],
];
const [GZIP, ZIP] = ['1f8b', '504b'];

/**
 * Opens a HAR while `use` runs.
 * @param most bytes of a file, and of the archive when it is unpacked
 * @throws {HarError} if it isn't a file, or not a HAR by its first bytes, and for one that is too large
 */
export async function withHar<T>(input: HarInput, most: number, use: (har: HarSource) => Promise<T>): Promise<T> {
  if (typeof input !== 'string') return use(await sourceOf(inMemory(input), most));
  const about = await stat(input);
  if (!about.isFile()) throw new HarError('it is not a regular file');
  if (about.size > most) throw new HarError(`a HAR has at most ${most / MIB} MiB`);
  const handle = await open(input);
  try {
    const har = await sourceOf(inFile(handle, about.size), most);
    return await use(har);
  } finally {
    await handle.close();
  }
}

const inMemory = (bytes: Buffer): Bytes => ({
  size: bytes.length,
  parts: async function* () {
    for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
  },
  stream: () => Readable.from([bytes], { objectMode: false }),
  zip: async () => (await import('yauzl')).default.fromBufferPromise(bytes),
});

const inFile = (handle: FileHandle, size: number): Bytes => ({
  size,
  parts: async function* () {
    // One buffer for all of it: V8 would free those of a stream late.
    const buffer = Buffer.allocUnsafe(PART_BYTES);
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  },
  stream: () => handle.createReadStream({ start: 0, autoClose: false }),
  zip: async () => (await import('yauzl')).default.fromFdPromise(handle.fd),
});

async function sourceOf(file: Bytes, most: number): Promise<HarSource> {
  if (file.size === 0) throw new HarError('this is no HAR: it is empty');
  let beginning = '';
  for await (const part of file.parts()) {
    beginning = part.toString('hex', 0, 8);
    break;
  }
  if (beginning.startsWith(ZIP)) return fromZip(file, most);
  const unpacked = () => bounded(pipeline(file.stream(), createGunzip(), noop), new UnpackLimit(file.size, most));
  const parts = beginning.startsWith(GZIP) ? unpacked : file.parts;
  return { entries: (archive) => entriesIn(textOf(parts()), archive), attached: async () => undefined };
}

/** The text of the parts. @throws {HarError} if they begin like another file, or like one that was packed twice */
async function* textOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderFor> | undefined;
  for await (const part of parts) {
    const what = decoder ? undefined : otherBy(part);
    if (what !== undefined) throw new HarError(`this is no HAR: ${what}`);
    decoder ??= decoderFor(part);
    yield decoder.decode(part, { stream: true });
  }
}

function otherBy(part: Buffer): string | undefined {
  if (part.toString('latin1', 257, 262) === 'ustar') return 'this is a tar archive; unpack it first';
  const beginning = part.toString('hex', 0, 8);
  return OTHERS.find(([start]) => beginning.startsWith(start))?.[1];
}

async function fromZip(file: Bytes, most: number): Promise<HarSource> {
  const zip = await file.zip().catch(rejectDamaged);
  const members = await membersOf(zip).catch(rejectDamaged);
  // A Mac adds a file of its own to each.
  const names = [...members.keys()].filter((name) => /\.har$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name));
  const [name, another] = names;
  if (name === undefined)
    throw new HarError(`this is a zip archive without a .har in it${namesIn([...members.keys()])}`);
  if (another !== undefined)
    throw new HarError(`this is a zip archive with ${names.length} files .har in it${namesIn(names)}; unpack it first`);
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const limit = new UnpackLimit(file.size, most);
  const har = members.get(name) as ZipMember;
  return {
    entries: (archive) => entriesIn(textOf(unzipped(zip, har, new UnpackLimit(file.size, most))), archive),
    attached: async (each) => {
      const member = members.get(folder + each);
      if (member === undefined || member.uncompressedSize > MAX_ATTACHED) return undefined;
      const parts: Buffer[] = [];
      for await (const part of unzipped(zip, member, limit)) parts.push(part);
      return Buffer.concat(parts);
    },
  };
}

/** The files of an archive by their names. */
async function membersOf(zip: ZipFile): Promise<ReadonlyMap<string, ZipMember>> {
  const members = new Map<string, ZipMember>();
  let bytes = 0;
  for await (const member of zip.eachEntry()) {
    members.set(member.fileName, member);
    bytes += member.fileNameLength + member.extraFieldLength + member.fileCommentLength;
    if (members.size > MAX_ZIP_MEMBERS || bytes > MAX_DIRECTORY_BYTES)
      throw new HarError('this zip archive has too many files; unpack it first');
  }
  return members;
}

/** The content of a file in the archive: never more than the archive says. */
async function* unzipped(zip: ZipFile, member: ZipMember, limit: UnpackLimit): AsyncGenerator<Buffer> {
  if (!member.canDecodeFileData())
    throw new HarError(
      `this zip archive is ${member.isEncrypted() ? 'encrypted' : `compressed by method ${member.compressionMethod}, which is not supported`}; unpack it first`,
    );
  yield* bounded(await zip.openReadStreamPromise(member).catch(rejectDamaged), limit);
}

/** @throws {HarError} for damaged bytes, and beyond the limit */
async function* bounded(parts: AsyncIterable<Buffer>, limit: UnpackLimit): AsyncGenerator<Buffer> {
  try {
    for await (const part of parts) {
      limit.take(part.length);
      yield part;
    }
  } catch (cause) {
    rejectDamaged(cause);
  }
}

/** @throws {HarError} */
function rejectDamaged(cause: unknown): never {
  throw cause instanceof HarError ? cause : new HarError(`it is damaged: ${(cause as Error).message}`, { cause });
}

/** The errors of a pipeline reach those who read its last stream. */
const noop = (): void => undefined;

/** ` ("traffic.har.gz", "notes.txt")` */
function namesIn(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED_FILES).map((name) => quoted(name, 64));
  return shown.length === 0 ? '' : ` (${shown.join(', ')}${names.length > MAX_NAMED_FILES ? ', …' : ''})`;
}

/** Traffic is repetitive, but not more than that; a small file may be. */
const MAX_RATIO = 200;
const FREE_BYTES = 32 * MIB;

/** How much may be unpacked of one file: a few KiB can stand for a terabyte. */
class UnpackLimit {
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
