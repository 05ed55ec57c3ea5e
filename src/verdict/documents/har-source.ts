/**
 * Opens an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/): JSON in UTF-8 or UTF-16, plain, packed with gzip,
 * or in a zip archive, into which Playwright puts bodies as files of their own. The thread's heap bounds what is parsed.
 */

import { gunzipSync } from 'node:zlib';
import { SANDBOX_PREFIX } from '../../base/address.ts';
import { isOperationPath } from '../../base/api/specification.ts';
import { decoderFor } from '../../base/files.ts';
import { basePath } from '../../base/generated/facts.ts';
import { MAX_HAR_BYTES } from '../../base/limits.ts';
import { ownCommand } from '../../base/own-command.ts';

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

const MAX_ZIP_MEMBERS = 10_000;
const MAX_MISSING = 1_000_000_000;
/** Of the heap of the thread that reads it, as measured with small entries: their objects take five times their text. */
const HEAP_SHARE = 1 / 5;
const MIB = 2 ** 20;

/** Bytes of a HAR, and of what it unpacks to, in a thread with that heap. */
export const mostOfHar = (heapBytes: number): number =>
  Math.min(MAX_HAR_BYTES, Math.floor((heapBytes * HEAP_SHARE) / MIB) * MIB);

/** @throws {HarError} */
export async function readHar(bytes: Buffer, maxBytes = MAX_HAR_BYTES): Promise<Har> {
  const files = await filesIn(bytes, maxBytes).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof HarError) throw cause;
    throw cause.code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(maxBytes)
      : new HarError(`cannot be read: ${cause.message}`, { cause });
  });
  // A Mac adds a file of its own to each.
  const names = [...files.keys()].filter((name) => /\.har$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name));
  const [name = ''] = names;
  if (names.length !== 1) throw new HarError(`this is a zip archive with ${names.length} files .har; unpack it first`);
  const { log } = parsed(files.get(name) as Buffer);
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

/** The files of a zip archive; another file is the only one. */
async function filesIn(bytes: Buffer, maxBytes: number): Promise<ReadonlyMap<string, Buffer>> {
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  const start = bytes.toString('latin1', 0, 2);
  if (start === 'PK') return unzipped(bytes, maxBytes);
  return new Map([['.har', start === '\x1f\x8b' ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes]]);
}

/** The library gives no more bytes of a file than the archive says. */
async function unzipped(bytes: Buffer, maxBytes: number): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await (await import('yauzl')).default.fromBufferPromise(bytes);
  const files = new Map<string, Buffer>();
  let size = 0;
  for await (const member of zip.eachEntry()) {
    size += member.uncompressedSize;
    if (size > maxBytes || files.size === MAX_ZIP_MEMBERS) throw tooLarge(maxBytes);
    // Nobody knows which of them a program would take.
    if (files.has(member.fileName)) throw new HarError('this zip archive has a file name twice; write it again');
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(member)) parts.push(part as Buffer);
    files.set(member.fileName, Buffer.concat(parts));
  }
  return files;
}

function tooLarge(maxBytes: number): HarError {
  const here = maxBytes < MAX_HAR_BYTES ? ' on this server' : '';
  const most = `a HAR has at most ${maxBytes / MIB} MiB${here}, also unpacked`;
  const elsewhere = here && `; ${ownCommand('report --har FILE')} takes 64 MiB`;
  return new HarError(`${most}; record fewer requests, or leave out those to other addresses${elsewhere}`);
}

/** The object of that name; `undefined` if there is none. */
export function objectIn(owner: Fields, name: string): Fields | undefined {
  const value = owner[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A recording of one client has one or two. */
const MAX_BASES = 50;

/**
 * The addresses before the path of an operation, whatever the method: over all entries, because the first request may be
 * a wrong one.
 * @throws {HarError} for a file with too many
 */
export function basesIn(entries: readonly HarEntry[]): readonly string[] {
  const bases = new Set<string>();
  for (const { url } of entries) {
    const base = url === undefined ? undefined : baseOf(url);
    if (base !== undefined) bases.add(base);
    if (bases.size > MAX_BASES)
      throw new HarError(
        `the file has more than ${MAX_BASES} base addresses of the API; give those that count as base`,
      );
  }
  return [...bases];
}

function baseOf(text: string): string | undefined {
  const url = text.includes(`${basePath}/`) ? httpUrl(text) : undefined;
  if (url === undefined) return undefined;
  const { origin, pathname } = url;
  for (let at = pathname.indexOf(`${basePath}/`); at >= 0; at = pathname.indexOf(`${basePath}/`, at + 1)) {
    const end = at + basePath.length;
    if (isOperationPath(pathname.slice(end))) return origin + withoutSandbox(pathname.slice(0, end));
  }
  return undefined;
}

/** The path at the server of a sandbox: requests to its address and to the server's are of one API. */
const withoutSandbox = (path: string): string => path.replace(OF_SANDBOX, '');
const OF_SANDBOX = new RegExp(`/${SANDBOX_PREFIX}\\w*(?=${basePath}(?:/|$))`);

/** Parts of a path that are looked at. */
const MAX_PARTS = 50;

/** Whether a text that isn't a URL, like `{{host}}/pets`, ends in the path of an operation. */
export function looksLikeOperation(text: string): boolean {
  const parts = (text.trim().split(/[?#]/, 1)[0] as string).split('/', MAX_PARTS);
  return parts.some((_, index) => isOperationPath(`/${parts.slice(index).join('/')}`));
}

/** An absolute URL of HTTP; `undefined` for any other text, and for a template, like `https://{{host}}/v1/pets`. */
export function httpUrl(text: string): URL | undefined {
  if (!/^\s*https?:/i.test(text) || /^[^?#]*[{$]\{/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^[\w.:[\]-]+$/.test(url.hostname) ? url : undefined;
}

/** Path and query of a request as the API sees them, and the base address, which is the longest that fits. */
export function locatedTarget({ origin, pathname, search }: URL, bases: readonly string[]): LocatedTarget | undefined {
  const found = [pathname, withoutSandbox(pathname)].flatMap((path) => {
    const address = origin + path;
    const fitting = bases.filter((base) => address === base || address.startsWith(`${base}/`));
    return fitting.map((base) => ({ base, target: basePath + address.slice(base.length) + search }));
  });
  return found.sort((a, b) => b.base.length - a.base.length)[0];
}

/** The base addresses of the API in a HAR, and what of a URL lies behind them. */
interface LocatedTarget {
  readonly base: string;
  readonly target: string;
}
