/**
 * Opens an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/): JSON in UTF-8 or UTF-16, plain, packed with gzip,
 * or in a zip archive, into which Playwright puts bodies as files of their own. The thread's heap bounds what is parsed.
 */
import { gunzipSync } from 'node:zlib';
import { decoderFor, readGivenFile } from '../core/given-file.ts';

/** A file that isn't a HAR. The message says what is wrong, and quotes nothing of it. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

export type Fields = Readonly<Record<string, unknown>>;

/** One item of `log.entries`: without fields if it is no object. */
export interface HarEntry {
  readonly index: number;
  readonly fields: Fields;
  /** The address in its request. */
  readonly url: string | undefined;
}

export interface Har {
  readonly entries: readonly HarEntry[];
  /** Requests that its recorder had, and that are not in it: `_missing`, as this server writes it. */
  readonly missing: number;
  /** The text of a file that lies in the same archive. */
  readonly attached: (name: string) => string | undefined;
}

/** Bytes of a file, and of what it unpacks to. */
const MAX_HAR = 64 * 1024 * 1024;
const MAX_ZIP_MEMBERS = 10_000;
const MAX_MISSING = 1_000_000_000;
const TOO_LARGE =
  'a HAR has at most 64 MiB, also unpacked; record fewer requests, or leave out those to other addresses';

/** @param input a path, or all bytes @throws {HarError} */
export async function readHar(input: string | Buffer): Promise<Har> {
  const bytes = typeof input === 'string' ? await readGivenFile(input, MAX_HAR).catch(rejectDamaged) : input;
  if (bytes.length > MAX_HAR) throw new HarError(TOO_LARGE);
  const start = bytes.toString('latin1', 0, 2);
  const files = start === 'PK' ? await unzipped(bytes).catch(rejectDamaged) : new Map([['.har', bytes]]);
  // A Mac adds a file of its own to each.
  const names = [...files.keys()].filter((name) => /\.har$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name));
  const [name = ''] = names;
  if (names.length !== 1) throw new HarError(`this is a zip archive with ${names.length} files .har; unpack it first`);
  const file = files.get(name) as Buffer;
  const { log } = parsed(start === '\x1f\x8b' ? gunzipped(file) : file);
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const list = objectIn({ log }, 'log')?.['entries'];
  if (!Array.isArray(list)) throw new HarError('this is no HAR: it has no list log.entries');
  const missing = Number((log as Fields)['_missing']);
  return {
    entries: list.map((entry, index) => {
      const fields = objectIn({ entry }, 'entry') ?? {};
      const url = objectIn(fields, 'request')?.['url'];
      return { index, fields, url: typeof url === 'string' ? url : undefined };
    }),
    missing: Number.isInteger(missing) ? Math.min(Math.max(0, missing), MAX_MISSING) : 0,
    attached: (each) => files.get(folder + each)?.toString(),
  };
}

/** The message of the parser would quote the file. */
function parsed(bytes: Buffer): Fields {
  try {
    return (JSON.parse(decoderFor(bytes).decode(bytes)) ?? {}) as Fields;
  } catch {
    throw new HarError(
      bytes.length === 0 ? 'this is no HAR: it is empty' : 'this is no HAR: it must be one JSON object, not cut',
    );
  }
}

function gunzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_HAR });
  } catch (cause) {
    return rejectDamaged(cause as Error);
  }
}

/** The files of a zip archive: the library gives no more bytes of one than the archive says. */
async function unzipped(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await (await import('yauzl')).default.fromBufferPromise(bytes);
  const files = new Map<string, Buffer>();
  let size = 0;
  for await (const member of zip.eachEntry()) {
    size += member.uncompressedSize;
    if (size > MAX_HAR || files.size === MAX_ZIP_MEMBERS) throw new HarError(TOO_LARGE);
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(member)) parts.push(part as Buffer);
    files.set(member.fileName, Buffer.concat(parts));
  }
  return files;
}

/** @throws {HarError} */
function rejectDamaged(cause: NodeJS.ErrnoException): never {
  if (cause instanceof HarError) throw cause;
  const isLarge = cause.code === 'ERR_BUFFER_TOO_LARGE' || cause.message.startsWith('it has more than');
  throw new HarError(isLarge ? TOO_LARGE : `cannot be read: ${cause.message}`, { cause });
}

/** The object of that name; `undefined` if there is none. */
export function objectIn(owner: Fields, name: string): Fields | undefined {
  const value = owner[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
