/** An append-only list of ascending places of pets, four bytes each. */
import type { Place } from './counts.ts';

const CHUNK = 1024;

export class Positions {
  length = 0;
  /** All are full and of equal length, except the last; the first one grows to that length. */
  readonly #chunks: Uint32Array[] = [new Uint32Array(4)];

  push(place: Place): void {
    const slot = this.length % CHUNK;
    const n = (this.length - slot) / CHUNK;
    let chunk = this.#chunks[n];
    if (chunk === undefined || slot === chunk.length) {
      const before = chunk;
      chunk = new Uint32Array(before ? 4 * slot : CHUNK);
      if (before) chunk.set(before);
      this.#chunks[n] = chunk;
    }
    chunk[slot] = place;
    this.length++;
  }

  at(index: number): Place {
    return this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK] as Place;
  }

  /** The number of positions before this place. */
  countBefore(place: Place): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  truncate(length: number): void {
    this.length = length;
    this.#chunks.length = Math.max(1, Math.ceil(length / CHUNK));
  }
}
