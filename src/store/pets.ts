/**
 * Pets as columns: a chunk holds the JSON texts of up to 1,024 pets as contiguous bytes outside V8's heap, their ids and
 * their statuses. A state of a sandbox covers the first pets of its columns. Appending to the newest state grows them in
 * place; from any other state new columns go on, which share all full chunks.
 */
import type { Pet, PetStatus, StoredPet } from '../api/pet.ts';
import { petStatuses } from '../generated/facts.ts';

/** The size of a full chunk. The last pet may exceed the bytes: a pet is never split. */
const FULL = { pets: 1024, bytes: 256 * 1024 };
const COMMA = 0x2c;
/** A pet's memory besides its text, in bytes, from measurements with Node 20 to 24, rounded up. */
const PET_OVERHEAD = 24;

/** The memory of several pets. @param bytes of their texts in UTF-8 */
const weightOfPets = (count: number, bytes: number): number => count * PET_OVERHEAD + bytes;

/** The memory that new pets will take. Each text is followed by a comma. Measuring also flattens it to one string. */
export const weightOfNewPets = (pets: readonly StoredPet[]): number =>
  pets.reduce((sum, { json }) => sum + weightOfPets(1, Buffer.byteLength(json) + 1), 0);

/** In a column: 0 without a status, otherwise its place in the specification, from 1. */
const statusNumber = (status: PetStatus | undefined): number =>
  status === undefined ? 0 : petStatuses.indexOf(status) + 1;

/** Up to 1,024 pets. A full chunk never changes. */
class PetChunk {
  /** The place of its first pet among all. */
  readonly first: number;
  length = 0;
  /** Bytes of its texts, with a comma after each. */
  size = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #ids = new BigInt64Array(4);
  /** The end of each text, including its comma. */
  #ends = new Uint32Array(4);
  #statuses = new Uint8Array(4);
  /** How many pets have each status. */
  readonly #counts = new Uint16Array(petStatuses.length + 1);

  /** @param before the chunk before it: chunks of many pets resemble each other, so this one need not grow in steps */
  constructor(first: number, before?: PetChunk) {
    this.first = first;
    if (before?.length === FULL.pets) this.#reserve(FULL.pets, before.size + (before.size >> 5));
  }

  get isFull(): boolean {
    return this.length >= FULL.pets || this.size >= FULL.bytes;
  }

  get weight(): number {
    return weightOfPets(this.length, this.size);
  }

  add({ id, json, status }: Pet): void {
    const end = this.size + Buffer.byteLength(json) + 1;
    if (this.length === this.#ends.length) this.#reserve(Math.min(4 * this.length, FULL.pets), 0);
    if (end > this.#bytes.length) this.#reserve(0, end > FULL.bytes ? end : Math.max(end, 2 * this.size, 256));
    this.#bytes.write(json, this.size);
    this.#bytes[end - 1] = COMMA;
    this.#ids[this.length] = id;
    this.#statuses[this.length] = statusNumber(status);
    this.#ends[this.length] = end;
    this.#count(this.length, 1);
    this.length++;
    this.size = end;
    // The free space of a complete chunk is released, unless it is small.
    if (this.isFull && this.#bytes.length > end + (end >> 3)) this.#reserve(0, end);
  }

  /** Cuts it to its first `length` pets, which are all that anybody has seen. */
  truncate(length: number): void {
    for (let slot = length; slot < this.length; slot++) this.#count(slot, -1);
    this.length = length;
    this.size = this.#endOf(length);
  }

  /** A chunk of its own with the first `length` pets. */
  beginning(length: number): PetChunk {
    const copy = new PetChunk(this.first);
    copy.#reserve(Math.max(4, length), this.#endOf(length));
    this.#bytes.copy(copy.#bytes, 0, 0, this.#endOf(length));
    copy.#ids.set(this.#ids.subarray(0, length));
    copy.#ends.set(this.#ends.subarray(0, length));
    copy.#statuses.set(this.#statuses.subarray(0, length));
    for (let slot = 0; slot < length; slot++) copy.#count(slot, 1);
    copy.length = length;
    copy.size = this.#endOf(length);
    return copy;
  }

  /** How many of their first `most` pets two chunks have in common. */
  common(other: PetChunk, most: number): number {
    if (this === other || this.bytesOf(0, most).equals(other.bytesOf(0, most))) return most;
    let common = 0;
    while (this.bytesOf(common, common + 1).equals(other.bytesOf(common, common + 1))) common++;
    return common;
  }

  idAt(slot: number): bigint {
    return this.#ids[slot] as bigint;
  }

  statusAt(slot: number): PetStatus | undefined {
    return petStatuses[(this.#statuses[slot] as number) - 1];
  }

  /** The slot of the pet with this id; negative if it is not here. The ids ascend. */
  slotOf(id: bigint): number {
    // Ids are assigned in sequence, so the first guess is nearly always right; a gap costs a binary search.
    const guess = Number(id - this.idAt(0));
    if (guess >= 0 && guess < this.length && this.#ids[guess] === id) return guess;
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.idAt(middle);
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Adjacent pets before slot `end`, `most` of them at most. @param status that they have; all by default */
  *runs(end: number, most: number, status?: PetStatus): Generator<SlotRange, void> {
    if (status === undefined) {
      const to = Math.min(end, most);
      if (to > 0) yield { chunk: this, from: 0, to };
      return;
    }
    const code = statusNumber(status);
    if (this.#counts[code] === 0) return;
    let left = most;
    for (let from = this.#statuses.indexOf(code); from >= 0 && from < end && left > 0; ) {
      let to = from + 1;
      while (to < end && to - from < left && this.#statuses[to] === code) to++;
      yield { chunk: this, from, to };
      left -= to - from;
      from = this.#statuses.indexOf(code, to);
    }
  }

  /** The length of `bytesOf`. */
  bytesBetween(from: number, to: number): number {
    return Math.max(0, this.#endOf(to) - 1 - this.#endOf(from));
  }

  /** The texts from slot `from` to before `to`, separated by commas: a view of the chunk's own bytes. */
  bytesOf(from: number, to: number): Buffer {
    return this.#bytes.subarray(this.#endOf(from), Math.max(this.#endOf(from), this.#endOf(to) - 1));
  }

  /** Like `bytesOf`, decoded. */
  textOf(from: number, to: number): string {
    return this.#bytes.toString('utf8', this.#endOf(from), this.#endOf(to) - 1);
  }

  #count(slot: number, by: 1 | -1): void {
    const code = this.#statuses[slot] as number;
    this.#counts[code] = (this.#counts[code] as number) + by;
  }

  #endOf(slots: number): number {
    return slots === 0 ? 0 : (this.#ends[slots - 1] as number);
  }

  /** Makes room for more pets or bytes. Readers with a view of the bytes keep the old buffer. */
  #reserve(pets: number, bytes: number): void {
    if (pets > 0) {
      const [ids, ends, statuses] = [new BigInt64Array(pets), new Uint32Array(pets), new Uint8Array(pets)];
      ids.set(this.#ids.subarray(0, this.length));
      ends.set(this.#ends.subarray(0, this.length));
      statuses.set(this.#statuses.subarray(0, this.length));
      this.#ids = ids;
      this.#ends = ends;
      this.#statuses = statuses;
    }
    if (bytes > 0) {
      const moved = Buffer.allocUnsafeSlow(bytes);
      this.#bytes.copy(moved, 0, 0, this.size);
      this.#bytes = moved;
    }
  }
}

/** Texts of adjacent pets in a chunk, as a range of slots. */
export interface SlotRange {
  readonly chunk: PetChunk;
  readonly from: number;
  readonly to: number;
}

/** An append-only list of chunks, shared by the states that cover a part of it. */
class Columns {
  readonly chunks: PetChunk[] = [];
  length = 0;
  weight = 0;

  /** Columns of their own that go on after the first `length` pets of others. */
  static after(other: Columns, length: number): Columns {
    const columns = new Columns();
    for (const chunk of other.chunks) {
      const covered = Math.min(chunk.length, length - chunk.first);
      if (covered <= 0) break;
      columns.#push(covered === chunk.length && chunk.isFull ? chunk : chunk.beginning(covered));
    }
    return columns;
  }

  add(pet: Pet): void {
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || chunk.isFull) {
      chunk = new PetChunk(this.length, chunk);
      this.chunks.push(chunk);
    }
    const before = chunk.weight;
    chunk.add(pet);
    this.weight += chunk.weight - before;
    this.length++;
  }

  truncate(length: number): void {
    while ((this.chunks.at(-1)?.first ?? -1) >= length) this.chunks.pop();
    const last = this.chunks.at(-1);
    last?.truncate(length - last.first);
    this.length = length;
    this.weight = this.chunks.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** The last chunk for which this holds; it holds for all before it. */
  last(isEarly: (chunk: PetChunk) => boolean): PetChunk | undefined {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isEarly(this.chunks[middle] as PetChunk)) low = middle + 1;
      else high = middle;
    }
    return this.chunks[low - 1];
  }

  #push(chunk: PetChunk): void {
    this.chunks.push(chunk);
    this.length = chunk.first + chunk.length;
    this.weight += chunk.weight;
  }
}

/** The pets of one state, in ascending id: an immutable value. */
export class Pets {
  static readonly NONE = new Pets(new Columns(), 0);
  readonly length: number;
  readonly #columns: Columns;

  private constructor(columns: Columns, length: number) {
    this.#columns = columns;
    this.length = length;
  }

  /** @param pets in ascending id */
  static of(pets: Iterable<Pet>): Pets {
    return Pets.NONE.with(pets);
  }

  /** The memory of several lists of pets: what they share counts once. */
  static weight(all: readonly Pets[]): number {
    const columns = new Set(all.filter(({ length }) => length > 0).map((pets) => pets.#columns));
    const [only, ...others] = columns;
    if (only && others.length === 0) return only.weight;
    const chunks = new Set<PetChunk>();
    for (const each of columns) for (const chunk of each.chunks) chunks.add(chunk);
    let weight = 0;
    for (const chunk of chunks) weight += chunk.weight;
    return weight;
  }

  /** @returns a function that removes whatever was appended in place to any of these since */
  static mark(all: readonly Pets[]): () => void {
    const marks = all.map((pets) => [pets.#columns, pets.#columns.length] as const);
    return () => {
      for (const [columns, length] of marks) if (columns.length > length) columns.truncate(length);
    };
  }

  /** The bytes of their texts. */
  get bytes(): number {
    let bytes = 0;
    for (const { chunk, from, to } of this.runs()) bytes += chunk.bytesBetween(from, to) + 1;
    return bytes;
  }

  get lastId(): bigint | undefined {
    const chunk = this.#columns.last(({ first }) => first < this.length);
    return chunk?.idAt(this.length - 1 - chunk.first);
  }

  /** These and more pets. @throws {RangeError} if the ids do not ascend; nothing was appended then */
  with(more: Iterable<Pet>): Pets {
    const isNewest = this.length > 0 && this.#columns.length === this.length;
    const columns = isNewest ? this.#columns : Columns.after(this.#columns, this.length);
    let last = this.lastId;
    try {
      for (const pet of more) {
        if (last !== undefined && pet.id <= last)
          throw new RangeError(`ids must ascend; ${pet.id} comes after ${last}`);
        last = pet.id;
        columns.add(pet);
      }
    } catch (error) {
      columns.truncate(this.length);
      throw error;
    }
    return new Pets(columns, columns.length);
  }

  /** Whether these are others and what was appended to them in place. */
  goesOnFrom(others: Pets): boolean {
    return this.#columns === others.#columns;
  }

  /** A copy with its own columns, so that appending never grows those of another sandbox. */
  fork(): Pets {
    return this.length === 0 ? Pets.NONE : new Pets(Columns.after(this.#columns, this.length), this.length);
  }

  first(length: number): Pets {
    return length >= this.length ? this : new Pets(this.#columns, length);
  }

  find(id: bigint): StoredPet | undefined {
    const chunk = this.#columns.last((each) => each.idAt(0) <= id);
    const slot = chunk?.slotOf(id) ?? -1;
    if (chunk === undefined || slot < 0 || chunk.first + slot >= this.length) return undefined;
    return { id, json: chunk.textOf(slot, slot + 1) };
  }

  has(id: bigint): boolean {
    return this.placeOf(id) >= 0;
  }

  /** How many come before the pet with this id; negative if it is not here. */
  placeOf(id: bigint): number {
    const chunk = this.#columns.last((each) => each.idAt(0) <= id);
    const slot = chunk?.slotOf(id) ?? -1;
    return chunk !== undefined && slot >= 0 && chunk.first + slot < this.length ? chunk.first + slot : -1;
  }

  /** The first pets: adjacent ones in a chunk form one run. @param status that they have; all by default */
  *runs(most = Number.POSITIVE_INFINITY, status?: PetStatus): Generator<SlotRange, void> {
    let left = most;
    for (const chunk of this.#columns.chunks) {
      if (left <= 0 || chunk.first >= this.length) return;
      for (const run of chunk.runs(Math.min(chunk.length, this.length - chunk.first), left, status)) {
        left -= run.to - run.from;
        yield run;
      }
    }
  }

  /** Each pet, after the first `skipped`. */
  *each(skipped = 0): Generator<Pet, void> {
    for (const { chunk, from, to } of this.runs()) {
      for (let slot = Math.max(from, skipped - chunk.first); slot < to; slot++) {
        yield { id: chunk.idAt(slot), json: chunk.textOf(slot, slot + 1), status: chunk.statusAt(slot) };
      }
    }
  }

  /** How many pets two lists begin with in common. */
  common(other: Pets): number {
    const most = Math.min(this.length, other.length);
    let common = 0;
    for (const [n, chunk] of this.#columns.chunks.entries()) {
      const counterpart = other.#columns.chunks[n];
      if (common >= most || counterpart?.first !== chunk.first) break;
      const covered = Math.min(chunk.length, counterpart.length, most - common);
      const same = chunk.common(counterpart, covered);
      common += same;
      if (same < chunk.length) break;
    }
    return common;
  }

  isBeginningOf(others: Pets): boolean {
    return this.common(others) === this.length;
  }
}
