/** Opens a HAR: plain, compressed with gzip, or in a zip archive. Playwright puts bodies into such an archive as separate files. */
import { createGunzip } from 'node:zlib';
import { quoted } from '../core/text.ts';
import { HarError, type HarFile, partsBetween, UnpackLimit, unpacked } from './har-file.ts';
import { membersOf, unzipped, unzippedWhole } from './har-zip.ts';

/** An archive whose bytes can be read more than once. */
export interface OpenHar {
  readonly parts: () => AsyncIterable<Buffer>;
  /** The content of a file that lies in the same container; `undefined` if there is none, or if it is too large. */
  readonly attached: (name: string) => Promise<Buffer | undefined>;
}

/** Bytes of an attached body. */
const MAX_ATTACHED = 4 * 1024 * 1024;

/** Names of files in an error. */
const MAX_NAMED_FILES = 5;

/** How files begin that are sent by mistake. */
const OTHERS: readonly (readonly [beginning: string, what: string])[] = [
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
 * @param most bytes of the archive when it is unpacked
 * @throws {HarError} if it isn't a HAR by its first bytes, and for a container without one
 */
export async function openHar(file: HarFile, most: number): Promise<OpenHar> {
  const beginning = (await file.part(0, 8)).toString('hex');
  if (file.size === 0) throw new HarError('this is no HAR: it is empty');
  if (beginning.startsWith(GZIP)) return gzipped(file, most);
  if (beginning.startsWith(ZIP)) return fromZip(file, most);
  return { parts: () => noOther(file.parts()), attached: async () => undefined };
}

/** The same parts. @throws {HarError} if they begin like another file, or like one that was packed twice */
async function* noOther(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const part of parts) {
    const what = isFirst ? otherBy(part) : undefined;
    if (what !== undefined) throw new HarError(`this is no HAR: ${what}`);
    isFirst = false;
    yield part;
  }
}

function otherBy(part: Buffer): string | undefined {
  const beginning = part.toString('hex', 0, 8);
  if (beginning.startsWith(GZIP) || beginning.startsWith(ZIP)) return 'it is packed twice; unpack it first';
  if (part.toString('latin1', 257, 262) === 'ustar') return 'this is a tar archive; unpack it first';
  return OTHERS.find(([start]) => beginning.startsWith(start))?.[1];
}

const gzipped = (file: HarFile, most: number): OpenHar => ({
  parts: () => noOther(unpacked(partsBetween(file, 0, file.size), createGunzip(), new UnpackLimit(file.size, most))),
  attached: async () => undefined,
});

async function fromZip(file: HarFile, most: number): Promise<OpenHar> {
  const members = await membersOf(file);
  // A Mac adds a file of its own to each.
  const hars = [...members.values()].filter(
    ({ name }) => /\.har$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name),
  );
  const [har, another] = hars;
  if (!har) throw new HarError(`this is a zip archive without a .har in it${namesIn([...members.keys()])}`);
  if (another) {
    const names = namesIn(hars.map(({ name }) => name));
    throw new HarError(`this is a zip archive with ${hars.length} files .har in it${names}; unpack it first`);
  }
  const folder = har.name.slice(0, har.name.lastIndexOf('/') + 1);
  const limit = new UnpackLimit(file.size, most);
  return {
    parts: () => noOther(unzipped(file, har, new UnpackLimit(file.size, most))),
    attached: async (name) => {
      const member = members.get(folder + name);
      const content = member && (await unzippedWhole(file, member, MAX_ATTACHED));
      limit.take(content?.length ?? 0);
      return content;
    },
  };
}

/** ` ("traffic.har.gz", "notes.txt")` */
function namesIn(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED_FILES).map((name) => quoted(name, 64));
  return shown.length === 0 ? '' : ` (${shown.join(', ')}${names.length > MAX_NAMED_FILES ? ', …' : ''})`;
}
