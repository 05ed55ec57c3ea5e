/**
 * Reads a zip archive by its central directory (APPNOTE 6.3.10, section 4.3), as Playwright and every file manager write
 * it: stored or deflated.
 */
import { promisify } from 'node:util';
import { createInflateRaw, inflateRaw } from 'node:zlib';
import { HarError, type HarFile, partsBetween, type UnpackLimit, unpacked } from './har-file.ts';

/** A file in the archive. */
export interface ZipMember {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  /** Position of its header. */
  readonly at: number;
}

const END = { signature: 0x06054b50, bytes: 22 };
const MEMBER = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const [STORED, DEFLATED] = [0, 8];
/** A comment may follow the end of the directory. */
const MAX_COMMENT = 65_535;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;

/** The files of an archive by their names. @throws {HarError} */
export async function membersOf(file: HarFile): Promise<ReadonlyMap<string, ZipMember>> {
  const tailAt = Math.max(0, file.size - END.bytes - MAX_COMMENT);
  const tail = await file.part(tailAt, file.size - tailAt);
  const end = endIn(tail);
  if (end < 0) throw damaged('it has no directory; was it cut?');
  const [count, bytes, at] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (count === 0xffff || at === 0xffff_ffff)
    throw new HarError('this zip archive has the form zip64; unpack it first');
  if (bytes > MAX_DIRECTORY_BYTES) throw damaged('its directory is too large');
  return new Map(membersIn(await file.part(at, bytes), count).map((member) => [member.name, member]));
}

/** Where the end of the directory begins, which says how long the comment behind it is. */
function endIn(tail: Buffer): number {
  for (let at = tail.length - END.bytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === END.signature && at + END.bytes + tail.readUInt16LE(at + 20) === tail.length)
      return at;
  }
  return -1;
}

function membersIn(directory: Buffer, count: number): ZipMember[] {
  const members: ZipMember[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + MEMBER.bytes > directory.length || directory.readUInt32LE(at) !== MEMBER.signature)
      throw damaged('its directory cannot be read');
    const nameAt = at + MEMBER.bytes;
    const extraAt = nameAt + directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', nameAt, extraAt);
    members.push({
      name,
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: directory.readUInt32LE(at + 20),
      at: directory.readUInt32LE(at + 42),
    });
    at = extraAt + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

/** The content of a file in the archive, in parts. @throws {HarError} */
export async function* unzipped(file: HarFile, member: ZipMember, limit: UnpackLimit): AsyncGenerator<Buffer> {
  const from = await contentAt(file, member);
  const packed = partsBetween(file, from, from + member.packedBytes);
  yield* member.method === DEFLATED ? unpacked(packed, createInflateRaw(), limit) : packed;
}

const inflate = promisify(inflateRaw);

/** The content of a small file in the archive; `undefined` if it has more bytes than `most`. @throws {HarError} */
export async function unzippedWhole(file: HarFile, member: ZipMember, most: number): Promise<Buffer | undefined> {
  if (member.packedBytes > most) return undefined;
  const packed = await file.part(await contentAt(file, member), member.packedBytes);
  if (member.method === STORED) return packed;
  try {
    return await inflate(packed, { maxOutputLength: most });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw damaged((cause as Error).message);
  }
}

/** Where the content begins: behind another header. @throws {HarError} */
async function contentAt(file: HarFile, { at, isEncrypted, method }: ZipMember): Promise<number> {
  if (isEncrypted) throw new HarError('this zip archive is encrypted; unpack it first');
  if (method !== STORED && method !== DEFLATED)
    throw new HarError(`this zip archive is compressed by method ${method}, which is not supported; unpack it first`);
  const header = await file.part(at, LOCAL.bytes);
  if (header.length < LOCAL.bytes || header.readUInt32LE(0) !== LOCAL.signature)
    throw damaged('a file in it is missing');
  return at + LOCAL.bytes + header.readUInt16LE(26) + header.readUInt16LE(28);
}

const damaged = (why: string): HarError => new HarError(`this zip archive is damaged: ${why}`);
