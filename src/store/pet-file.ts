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
import { fieldsOf } from '../document.ts';
import type { JsonObject, JsonValue } from '../int64.ts';
import { type Pet, readPet } from '../pet.ts';
import { DataFileError, decode, parseText, readBytes, Tail, writeWhole } from './data-file.ts';
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
  /** How to mend it, where its end is not whole. */
  readonly mended: Mended | undefined;
}

/** A file whose end was not whole. */
export interface Mended {
  /** What it holds without that end. */
  readonly text: string;
  /** The end that was taken off. */
  readonly removed: Buffer;
}

const FILE_MEMBERS = new Set(['from', 'pets']);
const PET_MEMBERS = new Set(fieldsOf('Pet').map(({ name }) => name));

/**
 * Reads a file of pets strictly: what a newer version or a slip of the hand put there must not be lost unseen.
 *
 * @param mayBeCut whether it was the one that was growing: the others were closed, and must be whole
 * @throws {DataFileError}
 */
export function readPetFile(path: string, mayBeCut: boolean): PetFile {
  const bytes = readBytes(path);
  const mended = mayBeCut ? withoutCutEnd(bytes) : undefined;
  const value = parseText(path, mended?.text ?? decode(path, bytes));
  const file = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  const { from, pets } = file;
  if (!Array.isArray(pets)) throw new DataFileError(path, 'must be an object with "pets", an array');
  refuseUnknown(path, file, FILE_MEMBERS, '');
  // It is begun with a pet, in one step: no kill leaves an empty one.
  if (pets.length === 0) throw new DataFileError(path, '"pets" is empty; every file holds a pet at least');
  return { from: pointOf(path, from), pets: pets.map((pet, index) => petIn(path, pet, `pets[${index}]`)), mended };
}

function petIn(path: string, pet: JsonValue, place: string): Pet {
  const reading = readPet(pet, place);
  if (!reading.ok)
    throw new DataFileError(path, reading.problems.map((problem) => `${problem.place} ${problem.message}`).join('; '));
  refuseUnknown(path, pet as JsonObject, PET_MEMBERS, place);
  // Flat, while the file is read: the parts that a new text is put together from take more than twice as much.
  weightOfPet(reading.value);
  return reading.value;
}

function refuseUnknown(path: string, object: JsonObject, known: ReadonlySet<string>, place: string): void {
  for (const member of Object.keys(object)) {
    if (!known.has(member))
      throw new DataFileError(path, `${place}/${member.slice(0, 64)} is unknown; known are ${[...known].join(', ')}`);
  }
}

/**
 * The file without an end that is not whole; `undefined` for a whole file, and for one that is broken elsewhere.
 *
 * A kill cuts the last write off: only what ends with a line break is a line, and of the closing line that stood there
 * before, the last bytes may be left. A power cut may leave zeros where the end would be.
 */
export function withoutCutEnd(bytes: Buffer): Mended | undefined {
  if (isWhole(bytes)) return undefined;
  const written = withoutZeros(bytes);
  if (written.length < bytes.length && isWhole(written)) return mendedAt(bytes, written.length, '');
  let end = written.lastIndexOf(LINE_BREAK);
  if (/^\n[,\]][{}]$/.test(written.toString('latin1', Math.max(0, end - 3), Math.max(0, end)))) end -= 3;
  return end < 0 ? undefined : mendedAt(bytes, end, CLOSING);
}

const LINE_BREAK = 0x0a;

function mendedAt(bytes: Buffer, end: number, closing: string): Mended | undefined {
  const text = Buffer.concat([bytes.subarray(0, end), Buffer.from(closing)]);
  return isWhole(text) ? { text: text.toString(), removed: bytes.subarray(end) } : undefined;
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

/** Whether the bytes are a JSON text. */
function isWhole(bytes: Buffer): boolean {
  try {
    JSON.parse(decode('', bytes));
    return true;
  } catch {
    return false;
  }
}

function pointOf(path: string, from: JsonValue | undefined): PointFile | null {
  if (from === null) return null;
  const { branch, size, ...others } = (from ?? {}) as JsonObject;
  const known = typeof branch === 'string' && /^brn_[A-Za-z0-9]{1,64}$/.test(branch);
  if (known && typeof size === 'bigint' && size > 0n && Object.keys(others).length === 0) {
    // A copy: a part of a text keeps the whole of it in memory.
    return { branch: Buffer.from(branch).toString('latin1'), size: Number(size) };
  }
  throw new DataFileError(path, '"from" must be null or {"branch", "size"}');
}
