/**
 * The pets of one state, in ascending id: an immutable value. They are in columns of 1,024 outside V8's heap, which takes half the
 * memory of an object each. States share columns: each sees as many pets as there were when it was made, and where two states
 * go on from one, the second one copies the columns that are not full. So nothing is ever taken back: what was planned and
 * could not be written is not seen by anybody.
 */
import type { Pet, PetStatus, StoredPet } from '../../base/api/pet.ts';
import { petStatuses } from '../../base/generated/facts.ts';

/** The size of a full chunk. The last pet may exceed the bytes: a pet is never split. */
const FULL = { pets: 1024, bytes: 256 * 1024 };
const COMMA = 0x2c;
/** A pet's memory besides its text, in bytes: the columns, and its part of what columns take. */
const PET_OVERHEAD = 24;

/** The memory that new pets will take. Each text is followed by a comma. Measuring also flattens it to one string. */
export const weightOfNewPets = (pets: readonly StoredPet[]): number =>
  pets.reduce((sum, { json }) => sum + PET_OVERHEAD + Buffer.byteLength(json) + 1, 0);

/** In a column: 0 without a status, otherwise its place in the specification, from 1. */
const statusNumber = (status: PetStatus | undefined): number =>
  status === undefined ? 0 : petStatuses.indexOf(status) + 1;

/** Up to 1,024 pets in columns. Pets are only appended: a state that knows its length always sees the same pets. */
class Columns {
  readonly ids: BigInt64Array;
  /** The end of each text, including the comma behind it. */
  readonly ends: Uint32Array;
  readonly statuses: Uint8Array;
  bytes = Buffer.allocUnsafeSlow(256);
  length = 0;
  /** A bit for each status that a pet has. */
  seen = 0;

  /** @param room for so many pets */
  constructor(room: number) {
    this.ids = new BigInt64Array(room);
    this.ends = new Uint32Array(room);
    this.statuses = new Uint8Array(room);
  }

  add({ id, json, status }: Pet): void {
    const at = this.length;
    const start = this.endOf(at);
    const end = start + Buffer.byteLength(json) + 1;
    if (end > this.bytes.length) this.#resize(Math.max(end, Math.min(2 * end, FULL.bytes)));
    this.bytes.write(json, start);
    this.bytes[end - 1] = COMMA;
    this.ids[at] = id;
    this.ends[at] = end;
    this.statuses[at] = statusNumber(status);
    this.seen |= 1 << statusNumber(status);
    this.length++;
    if (this.isFull && this.bytes.length > end) this.#resize(end);
  }

  get isFull(): boolean {
    return this.isFullWith(this.length);
  }

  isFullWith(length: number): boolean {
    return length === FULL.pets || this.endOf(length) >= FULL.bytes;
  }

  /** Of the texts of the first pets. */
  endOf(length: number): number {
    return length === 0 ? 0 : (this.ends[length - 1] as number);
  }

  /** Columns of their own with the first pets, and room for more. */
  beginning(length: number): Columns {
    const copy = new Columns(Math.min(4 * Math.max(length, 4), FULL.pets));
    copy.ids.set(this.ids.subarray(0, length));
    copy.ends.set(this.ends.subarray(0, length));
    copy.statuses.set(this.statuses.subarray(0, length));
    copy.bytes = Buffer.allocUnsafeSlow(Math.max(256, this.endOf(length)));
    this.bytes.copy(copy.bytes, 0, 0, this.endOf(length));
    copy.seen = this.seen;
    copy.length = length;
    return copy;
  }

  /** Readers with a view of the bytes keep the old buffer. */
  #resize(bytes: number): void {
    const moved = Buffer.allocUnsafeSlow(bytes);
    this.bytes.copy(moved, 0, 0, this.endOf(this.length));
    this.bytes = moved;
  }
}

/** The first pets of some columns. It never changes. */
class Chunk {
  /** The place of its first pet among all. */
  readonly first: number;
  readonly length: number;
  /** The memory of its pets and of all before them. */
  readonly weight: number;
  readonly columns: Columns;

  /** @param before the chunk before it */
  constructor(before: Chunk | undefined, columns: Columns, length = columns.length) {
    this.first = before ? before.first + before.length : 0;
    this.length = length;
    this.weight = (before?.weight ?? 0) + length * PET_OVERHEAD + columns.endOf(length);
    this.columns = columns;
  }

  idAt(slot: number): bigint {
    return this.columns.ids[slot] as bigint;
  }

  statusAt(slot: number): PetStatus | undefined {
    return petStatuses[(this.columns.statuses[slot] as number) - 1];
  }

  /** The slot of the pet with this id; negative if it is not here. The ids ascend. */
  slotOf(id: bigint): number {
    // Ids are assigned in sequence, so the first guess is nearly always right; a gap costs a search.
    const guess = Number(id - this.idAt(0));
    if (guess < this.length && this.columns.ids[guess] === id) return guess;
    // The id of a new pet is looked up in the fixture, too.
    if (id > this.idAt(this.length - 1)) return -1;
    return this.columns.ids.subarray(0, this.length).indexOf(id);
  }

  /** Adjacent pets, `most` of them at most. @param status that they have; all by default */
  *runs(most: number, status?: PetStatus): Generator<SlotRange, void> {
    if (status === undefined) return yield { chunk: this, from: 0, to: Math.min(this.length, most) };
    const code = statusNumber(status);
    const { statuses, seen } = this.columns;
    if ((seen & (1 << code)) === 0) return;
    let left = most;
    for (let from = statuses.indexOf(code); from >= 0 && from < this.length && left > 0; ) {
      let to = from + 1;
      while (to < this.length && to - from < left && statuses[to] === code) to++;
      yield { chunk: this, from, to };
      left -= to - from;
      from = statuses.indexOf(code, to);
    }
  }

  /** The texts from slot `from` to before `to`, separated by commas: a view of the columns' own bytes. */
  bytesOf(from: number, to: number): Buffer {
    const { columns } = this;
    return columns.bytes.subarray(columns.endOf(from), Math.max(columns.endOf(from), columns.endOf(to) - 1));
  }

  /** Like `bytesOf`, decoded. */
  textOf(from: number, to: number): string {
    const { columns } = this;
    return columns.bytes.toString('utf8', columns.endOf(from), columns.endOf(to) - 1);
  }
}

/** Texts of adjacent pets in a chunk, as a range of slots. */
export interface SlotRange {
  readonly chunk: Chunk;
  readonly from: number;
  readonly to: number;
}

/** Columns to append to behind a chunk with room: its own, unless others were appended there already. */
function ownColumns(chunk: Chunk | undefined): Columns | undefined {
  if (!chunk || chunk.columns.isFullWith(chunk.length)) return undefined;
  return chunk.columns.length === chunk.length ? chunk.columns : chunk.columns.beginning(chunk.length);
}

export class Pets {
  static readonly NONE = new Pets([]);
  readonly length: number;
  /** In ascending id. All but the last one are full. */
  readonly #chunks: readonly Chunk[];

  private constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
    const last = chunks.at(-1);
    this.length = last ? last.first + last.length : 0;
  }

  /** @param pets in ascending id */
  static of(pets: Iterable<Pet>): Pets {
    return Pets.NONE.with(pets);
  }

  /** The memory of several lists of pets: what they share, which is always their beginning, counts once. */
  static weight(all: readonly Pets[]): number {
    return all.reduce((sum, pets, n) => {
      const shared = all.slice(0, n).map((other) => {
        const last = pets.#shared(other) - 1;
        return Math.min(pets.#chunks[last]?.weight ?? 0, other.#chunks[last]?.weight ?? 0);
      });
      return sum + pets.#weight - Math.max(0, ...shared);
    }, 0);
  }

  get #weight(): number {
    return this.#chunks.at(-1)?.weight ?? 0;
  }

  /** The bytes of their texts. */
  get bytes(): number {
    return this.#weight - this.length * PET_OVERHEAD;
  }

  get lastId(): bigint | undefined {
    const chunk = this.#chunks.at(-1);
    return chunk?.idAt(chunk.length - 1);
  }

  /** These and more pets. @throws {RangeError} if the ids do not ascend */
  with(more: Iterable<Pet>): Pets {
    const chunks = [...this.#chunks];
    let last = this.lastId;
    let open = ownColumns(chunks.at(-1));
    if (open) chunks.pop();
    for (const pet of more) {
      if (last !== undefined && pet.id <= last) throw new RangeError(`ids must ascend; ${pet.id} comes after ${last}`);
      last = pet.id;
      open ??= new Columns(4);
      if (open.length === open.ids.length) open = open.beginning(open.length);
      open.add(pet);
      if (!open.isFull) continue;
      chunks.push(new Chunk(chunks.at(-1), open));
      open = undefined;
    }
    if (open) chunks.push(new Chunk(chunks.at(-1), open));
    return new Pets(chunks);
  }

  find(id: bigint): StoredPet | undefined {
    const chunk = this.#chunks[this.#indexOf((each) => each.idAt(0) <= id)];
    const slot = chunk?.slotOf(id) ?? -1;
    return chunk && slot >= 0 ? { id, json: chunk.textOf(slot, slot + 1) } : undefined;
  }

  has(id: bigint): boolean {
    return this.find(id) !== undefined;
  }

  /** The first pets: adjacent ones in a chunk form one run. @param status that they have; all by default */
  *runs(most = Number.POSITIVE_INFINITY, status?: PetStatus): Generator<SlotRange, void> {
    let left = most;
    for (const chunk of this.#chunks) {
      if (left <= 0) return;
      for (const run of chunk.runs(left, status)) {
        left -= run.to - run.from;
        yield run;
      }
    }
  }

  /** Each pet, after the first `skipped`. */
  *each(skipped = 0): Generator<Pet, void> {
    for (const chunk of this.#chunks) {
      for (let slot = Math.max(0, skipped - chunk.first); slot < chunk.length; slot++) {
        yield { id: chunk.idAt(slot), json: chunk.textOf(slot, slot + 1), status: chunk.statusAt(slot) };
      }
    }
  }

  /** Whether the first of others are these, shared or equal. */
  isBeginningOf(others: Pets): boolean {
    if (others.length < this.length) return false;
    for (let at = this.#shared(others); at < this.#chunks.length; at++) {
      const [chunk, other] = [this.#chunks[at] as Chunk, others.#chunks[at] as Chunk];
      if (chunk.length > other.length) return false;
      if (!chunk.bytesOf(0, chunk.length).equals(other.bytesOf(0, chunk.length))) return false;
    }
    return true;
  }

  /** The index of the last chunk for which this holds; it holds for all before it. */
  #indexOf(isEarly: (chunk: Chunk, at: number) => boolean): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isEarly(this.#chunks[middle] as Chunk, middle)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Whether these are others and what was appended to their columns. */
  goesOnFrom(others: Pets): boolean {
    const last = others.#chunks.length - 1;
    return this.#chunks[last]?.columns === others.#chunks[last]?.columns;
  }

  /** How many columns two lists share: they begin with them. */
  #shared(other: Pets): number {
    return this.#indexOf(({ columns }, at) => other.#chunks[at]?.columns === columns) + 1;
  }
}
