/**
 * A page contains the JSON texts of up to 1,024 pets as contiguous bytes, each followed by a comma. So the texts of
 * adjacent pets are one slice that can be part of a JSON array. Bytes never change once a reader may see them: a page
 * grows at its end, and only unseen bytes are cut off again.
 */
import type { Place } from './counts.ts';

/** The size of a full page. The last pet may exceed the bytes: a pet is never split between pages. */
export const FULL = { pets: 1024, bytes: 256 * 1024 };
const COMMA = 0x2c;

export class Page {
  /** The place of its first pet in the log. */
  readonly first: Place;
  /** The number of its pets. */
  length = 0;
  /** The number of bytes of their texts, with the commas. */
  size = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #ids = new BigInt64Array(4);
  /** The end of each text, including its comma. */
  #ends = new Uint32Array(4);

  /**
   * @param before the page before it: pages of many pets resemble each other, so that this one need not grow in steps
   */
  constructor(first: Place, before?: Page) {
    this.first = first;
    if (before?.length !== FULL.pets) return;
    this.#bytes = Buffer.allocUnsafeSlow(before.size + (before.size >> 5));
    this.#ids = new BigInt64Array(FULL.pets);
    this.#ends = new Uint32Array(FULL.pets);
  }

  get isFull(): boolean {
    return this.length >= FULL.pets || this.size >= FULL.bytes;
  }

  /** @param bytes the length of `json` in UTF-8 */
  add(id: bigint, json: string, bytes: number): void {
    const end = this.size + bytes + 1;
    if (this.length === this.#ends.length) this.#makePlaces();
    if (end > this.#bytes.length) this.#moveBytes(end > FULL.bytes ? end : Math.max(end, 2 * this.size, 256));
    this.#bytes.write(json, this.size);
    this.#bytes[end - 1] = COMMA;
    this.#ids[this.length] = id;
    this.#ends[this.length] = end;
    this.length++;
    this.size = end;
    // The page is complete: its free space is released, unless it is small.
    if (this.isFull && this.#bytes.length > end + (end >> 3)) this.#moveBytes(end);
  }

  /** Truncates it to its first `length` pets. */
  truncate(length: number): void {
    this.length = length;
    this.size = this.#endOf(length);
  }

  /** @param slot counts from 0 in this page */
  idAt(slot: number): bigint {
    return this.#ids[slot] as bigint;
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

  /** The length of `bytesOf`. */
  bytesBetween(from: number, to: number): number {
    return this.#endOf(to) - 1 - this.#endOf(from);
  }

  /** The texts from slot `from` to before `to`, separated by commas: a view of the page's own bytes. */
  bytesOf(from: number, to: number): Buffer {
    return this.#bytes.subarray(this.#endOf(from), this.#endOf(to) - 1);
  }

  /** Like `bytesOf`, decoded. */
  textOf(from: number, to: number): string {
    return this.#bytes.toString('utf8', this.#endOf(from), this.#endOf(to) - 1);
  }

  #endOf(slots: number): number {
    return slots === 0 ? 0 : (this.#ends[slots - 1] as number);
  }

  #makePlaces(): void {
    const places = Math.min(4 * this.length, FULL.pets);
    const [ids, ends] = [new BigInt64Array(places), new Uint32Array(places)];
    ids.set(this.#ids);
    ends.set(this.#ends);
    this.#ids = ids;
    this.#ends = ends;
  }

  /** Readers with a view of the bytes keep the old buffer. */
  #moveBytes(room: number): void {
    const bytes = Buffer.allocUnsafeSlow(room);
    this.#bytes.copy(bytes, 0, 0, this.size);
    this.#bytes = bytes;
  }
}
