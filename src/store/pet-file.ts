/**
 * A file of added pets. It grows in place: a line for each change, written over the closing line and closing again, in
 * one call to the system. So a create costs the same however long the file is, and makes no new file.
 *
 *     {"from":null,"pets":[
 *      {"id":13,"name":"Biscuit","categoryId":1}
 *     ,{"id":14,"name":"Gravy","categoryId":1},{"id":15,"name":"Toast","categoryId":2}
 *     ]}
 *
 * The commas stand in front, so that no line has to be touched again. A kill may cut the call off: then the last line
 * is not whole, and nobody was told of what stands there.
 */
import { LowSync } from 'lowdb';
import type { JsonObject, JsonValue } from '../int64.ts';
import { type Pet, readPet } from '../pet.ts';
import { DataFileError, parseText, readText, Tail, writeWhole } from './data-file.ts';
import type { PointFile } from './head.ts';
import { weightOfPet } from './weight.ts';

/** Pets that were added in one change: all of them are there, or none. */
export type Added = readonly Pet[];

/** A file that can grow. */
export interface GrowingFile {
  readonly path: string;
  /** Bytes before its closing line. */
  readonly bytes: number;
  readonly pets: number;
}

const CLOSING = '\n]}\n';
/** More pets in one change are no line that anybody could read. */
const MAX_LINE = 100;

/** Begins a file, whole or not at all, with a line for each pet. */
export function beginFile(path: string, from: PointFile | null, changes: readonly Added[]): GrowingFile {
  const pets = changes.flat();
  const text = `{"from":${JSON.stringify(from)},"pets":[\n ${pets.map(({ json }) => json).join('\n,')}`;
  writeWhole(path, text + CLOSING);
  return { path, bytes: Buffer.byteLength(text), pets: pets.length };
}

/** Whether these changes can be lines of a file that is there already. */
export const canGrow = (changes: readonly Added[]): boolean => changes.every(({ length }) => length <= MAX_LINE);

/** Adds a line for each change. When it fails, the file is as it was. */
export function grow({ path, bytes, pets }: GrowingFile, changes: readonly Added[]): GrowingFile {
  let text = '';
  let more = 0;
  for (const added of changes) {
    text += `\n,${added.map(({ json }) => json).join(',')}`;
    more += added.length;
  }
  new LowSync(new Tail(path, bytes, CLOSING), text + CLOSING).write();
  return { path, bytes: bytes + Buffer.byteLength(text), pets: pets + more };
}

/** What a file of pets says. */
export interface PetFile {
  readonly from: PointFile | null;
  readonly pets: readonly Pet[];
  /** The text that it should have, where a kill cut off the last write. */
  readonly mended: string | undefined;
}

/**
 * @param isLast whether it is the one that was growing: the others were closed, and must be whole
 * @throws {DataFileError}
 */
export function readPetFile(path: string, isLast: boolean): PetFile {
  const text = readText(path);
  const mended = isLast ? withoutCutLine(text) : undefined;
  const value = parseText(path, mended ?? text);
  const file = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  const { from, pets } = file;
  if (!Array.isArray(pets)) throw new DataFileError(path, 'must be an object with "pets", an array');
  const read = pets.map((pet, index) => {
    const reading = readPet(pet, `pets[${index}]`);
    if (reading.ok) {
      // Flat, while the file is read: the parts that a new text is put together from take more than twice as much.
      weightOfPet(reading.value);
      return reading.value;
    }
    throw new DataFileError(path, reading.problems.map(({ place, message }) => `${place} ${message}`).join('; '));
  });
  return { from: pointOf(path, from), pets: read, mended };
}

/**
 * The text without a last line that a kill cut off; `undefined` where there is none. Only what ends with a line break is
 * a line. Of the closing line that stood there before, the end may be left: `,}` and `,{` are what a cut makes of it.
 */
function withoutCutLine(text: string): string | undefined {
  if (isJson(text)) return undefined;
  const whole = text.slice(0, text.lastIndexOf('\n')).replace(/\n,[{}]$/, '');
  const mended = whole + CLOSING;
  return isJson(mended) ? mended : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function pointOf(path: string, from: JsonValue | undefined): PointFile | null {
  if (from === null || from === undefined) return null;
  const { branch, size } = from as JsonObject;
  if (typeof branch === 'string' && /^brn_[A-Za-z0-9]{1,64}$/.test(branch) && typeof size === 'bigint' && size > 0n) {
    // A copy: a part of a text keeps the whole of it in memory.
    return { branch: Buffer.from(branch).toString('latin1'), size: Number(size) };
  }
  throw new DataFileError(path, '"from" must be null or {"branch", "size"}');
}
