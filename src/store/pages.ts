/** The pages of a branch: its own pets, found by their place and by their id. */
import type { StoredPet } from '../core/pet.ts';
import type { Place } from './counts.ts';
import { FULL, Page } from './page.ts';

export class Pages {
  /** The place of the first pet. */
  readonly first: Place;
  /** The place of the next pet. */
  next: Place;
  /** The number of bytes of their texts, with the commas. */
  size = 0;
  readonly #pages: Page[] = [];

  constructor(first: Place) {
    this.first = this.next = first;
  }

  add({ id, json }: StoredPet): void {
    let page = this.#pages.at(-1);
    if (page === undefined || page.isFull) {
      page = new Page(this.next, page);
      this.#pages.push(page);
    }
    const before = page.size;
    page.add(id, json, Buffer.byteLength(json));
    this.size += page.size - before;
    this.next = (this.next + 1) as Place;
  }

  /** Removes all pets from a place on. */
  truncate(end: Place): void {
    while ((this.#pages.at(-1)?.first ?? -1) >= end) this.#pages.pop();
    const last = this.#pages.at(-1);
    last?.truncate(end - last.first);
    this.size = this.#pages.reduce((sum, { size }) => sum + size, 0);
    this.next = end;
  }

  /** The page of the pet at a place. */
  at(location: Place): Page {
    // Pages of small pets contain the same number each.
    const guess = this.#pages[Math.floor((location - this.first) / FULL.pets)];
    if (guess && location >= guess.first && location < guess.first + guess.length) return guess;
    return this.#last((page) => page.first <= location) as Page;
  }

  /** The page that contains the pet with this id, if any does. */
  of(id: bigint): Page | undefined {
    return this.#last((page) => page.idAt(0) <= id);
  }

  /** Whether all ids are above this one. */
  areAbove(id: bigint): boolean {
    const [first] = this.#pages;
    return first === undefined || first.idAt(0) > id;
  }

  /** The last page that starts early enough. */
  #last(beginsBefore: (page: Page) => boolean): Page | undefined {
    let low = 0;
    let high = this.#pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (beginsBefore(this.#pages[middle] as Page)) low = middle + 1;
      else high = middle;
    }
    return this.#pages[low - 1];
  }
}
