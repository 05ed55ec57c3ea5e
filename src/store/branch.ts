/**
 * A branch is an append-only log of changes. Sandboxes, snapshots and forks reference points in branches (a branch and
 * a number of changes), and a branch starts at such a point, so nothing is ever copied. A branch has one writer;
 * readers see only the changes before their point. A branch is dropped with its last reference.
 */

import { newId } from '../core/ids.ts';
import type { Pet, PetStatus, StoredPet } from '../core/pet.ts';
import { petStatuses } from '../generated/facts.ts';
import type { Before, Change } from './change.ts';
import { type ChangeCount, FIRST_PLACE, NO_CHANGES, type Place } from './counts.ts';
import type { Page } from './page.ts';
import { Pages } from './pages.ts';
import { weightOfPets } from './weight.ts';

/** A value for each status of a pet. */
const eachStatus = <T>(value: (status: PetStatus) => T): Record<PetStatus, T> =>
  Object.fromEntries(petStatuses.map((status) => [status, value(status)])) as Record<PetStatus, T>;

/** The first `changes` changes of a branch, including its ancestors' changes. */
export interface BranchPoint {
  readonly branch: Branch;
  readonly changes: ChangeCount;
}

/** A read-only branch point. */
export interface PetLog {
  readonly branch: Pick<Branch, 'placesAt' | 'countOf' | 'placeOf' | 'has' | 'find' | 'idAt' | 'runAt' | 'lastIdAt'>;
  readonly changes: ChangeCount;
}

/** Texts of adjacent pets in a page, as a range of slots. */
export interface Run {
  readonly page: Page;
  readonly from: number;
  readonly to: number;
}

/** Changes and places are counted from 0 at the start of the oldest ancestor. */
export class Branch implements Before {
  readonly id: string;
  /** Its origin: these changes come first. */
  readonly from: BranchPoint | undefined;
  /** The number of changes, including its ancestors' changes. */
  length: ChangeCount;
  /** The number of references to it. */
  refs = 0;
  /** The number of pets of each status before its first own one. */
  readonly #before: Readonly<Record<PetStatus, number>>;
  readonly #pages: Pages;
  readonly #positions: Partial<Record<PetStatus, Positions>> = {};
  readonly #depth: number;
  /** A distant ancestor, chosen so that any ancestor is found in logarithmic time (Myers 1983). */
  readonly #skip: Branch | undefined;

  /** @param from the normalized starting point: see `pointAt` */
  constructor(id: string, from: BranchPoint | undefined) {
    this.id = id;
    this.from = from;
    this.length = from?.changes ?? NO_CHANGES;
    this.#pages = new Pages(from ? from.branch.placesAt(from.changes) : FIRST_PLACE);
    this.#before = from ? eachStatus((status) => from.branch.countOf(status, from.changes)) : NONE;
    this.#depth = from ? from.branch.#depth + 1 : 0;
    this.#skip = from ? from.branch.#skipOfChild() : undefined;
  }

  /** The number of its own changes. */
  get ownLength(): number {
    return this.length - (this.from?.changes ?? 0);
  }

  /** The memory of its own pets, in bytes (see weight.ts). */
  get bytes(): number {
    return weightOfPets(this.#pages.next - this.#pages.first, this.#pages.size);
  }

  /** The highest id that its changes assigned: ids ascend. */
  get lastId(): bigint | undefined {
    return this.lastIdAt(this.length);
  }

  /** The number of places after the first `changes` changes: each change adds one pet. */
  placesAt(changes: ChangeCount): Place {
    return changes as number as Place;
  }

  /** The only function by which a change takes effect in memory, both for requests and for loading. */
  append(change: Change): void {
    this.#add(change.added);
    this.length = (this.length + 1) as ChangeCount;
  }

  /** The inverse of `append`: the changes after the first `from`, up to `to`. */
  *changes(from: ChangeCount, to: ChangeCount): Generator<Change<StoredPet>, void> {
    for (let location = this.placesAt(from); location < this.placesAt(to); location++)
      yield { added: this.#petAt(location) };
  }

  #add(pet: Pet): void {
    const { status } = pet;
    if (status !== undefined) {
      this.#positions[status] ??= new Positions();
      this.#positions[status].push(this.#pages.next);
    }
    this.#pages.add(pet);
  }

  /** Rolls back all changes after the first `length`; no reader has seen them. */
  truncate(length: ChangeCount): void {
    if (length >= this.length) return;
    const end = this.placesAt(length);
    for (const positions of Object.values(this.#positions)) positions.truncate(positions.countBefore(end));
    this.#pages.truncate(end);
    this.length = length;
  }

  /** The number of pets added by the first `changes` changes, of one status or of any. */
  countOf(status: PetStatus | undefined, changes: ChangeCount): number {
    const end = this.placesAt(changes);
    if (status === undefined) return end;
    return this.#before[status] + (this.#positions[status]?.countBefore(end) ?? 0);
  }

  /** The place of the pet with index `n`, of one status or of any. */
  placeOf(status: PetStatus | undefined, n: number): Place {
    if (status === undefined) return n as Place;
    const holder = this.#up((branch) => branch.#before[status] > n);
    return holder.#positions[status]?.at(n - holder.#before[status]) as Place;
  }

  /** The pet with this id among those of the first `changes` changes. */
  find(id: bigint, changes: ChangeCount): StoredPet | undefined {
    const run = this.#runOf(id, this.placesAt(changes));
    return run && { id, json: run.page.textOf(run.from, run.to) };
  }

  /** Whether there is a pet with this id among those of the first `changes` changes. */
  has(id: bigint, changes: ChangeCount): boolean {
    return this.#runOf(id, this.placesAt(changes)) !== undefined;
  }

  /** The highest id that the first `changes` changes assigned. */
  lastIdAt(changes: ChangeCount): bigint | undefined {
    const end = this.placesAt(changes);
    return end > 0 ? this.idAt((end - 1) as Place) : undefined;
  }

  /** The id of the pet at a place. */
  idAt(location: Place): bigint {
    const page = this.#holderOf(location).#pages.at(location);
    return page.idAt(location - page.first);
  }

  /** The texts of adjacent pets from `place` on: those in the same page, before `end`. There must be at least one. */
  runAt(location: Place, end: Place): Run {
    const child = this.#childAbove(location);
    const page = (child?.from?.branch ?? this).#pages.at(location);
    const most = Math.min(end, child ? child.#pages.first : this.#pages.next, page.first + page.length);
    return { page, from: location - page.first, to: most - page.first };
  }

  #petAt(location: Place): StoredPet {
    const { page, from } = this.runAt(location, (location + 1) as Place);
    return { id: page.idAt(from), json: page.textOf(from, from + 1) };
  }

  /** The text of the pet with this id before a place. */
  #runOf(id: bigint, end: Place): Run | undefined {
    const holder = this.#up((branch) => branch.#pages.areAbove(id));
    const page = holder.#pages.of(id);
    const slot = page?.slotOf(id) ?? -1;
    if (page === undefined || slot < 0) return undefined;
    const location = (page.first + slot) as Place;
    // Pets added after another branch had grown from this one do not belong to that branch.
    if (location >= end || this.#holderOf(location) !== holder) return undefined;
    return { page, from: slot, to: slot + 1 };
  }

  /** The branch that owns the pet at a place: this one or an ancestor. */
  #holderOf(location: Place): Branch {
    return this.#childAbove(location)?.from?.branch ?? this;
  }

  /** The branch that grew from the owner of `place` and continues this log. `undefined` if the owner is this branch. */
  #childAbove(location: Place): Branch | undefined {
    if (location >= this.#pages.first) return undefined;
    return this.#up(({ from }) => from !== undefined && from.branch.#pages.first > location);
  }

  /** The `#skip` of a branch that grows from this one. */
  #skipOfChild(): Branch {
    const first = this.#skip;
    const second = first === undefined ? undefined : first.#skip;
    if (first === undefined || second === undefined) return this;
    return this.#depth - first.#depth === first.#depth - second.#depth ? second : this;
  }

  /** The nearest of this branch and its ancestors for which `isBeyond` is false, or the oldest. */
  #up(isBeyond: (branch: Branch) => boolean): Branch {
    let at: Branch = this;
    while (at.from && isBeyond(at)) at = at.#skip && isBeyond(at.#skip) ? at.#skip : at.from.branch;
    return at;
  }
}

const NONE = Object.freeze(eachStatus(() => 0));

/** A new branch that starts at `point`, or empty. */
export function growFrom(point: BranchPoint | undefined, id: string = newId('brn')): Branch {
  const from = point && pointAt(point);
  if (from) from.branch.refs++;
  return new Branch(id, from);
}

/**
 * Normalizes "the first `changes` changes of this branch" to the branch that owns the last of them; `undefined` for
 * none.
 */
export function pointAt({ branch, changes }: BranchPoint): BranchPoint | undefined {
  let at = branch;
  while (at.from && at.from.changes === changes) at = at.from.branch;
  return changes === 0 ? undefined : { branch: at, changes };
}

/** An append-only list of ascending places of pets, four bytes each. */
const CHUNK = 1024;

class Positions {
  length = 0;
  /** All are full and of equal length, except the last; the first one grows to that length. */
  readonly #chunks: Uint32Array[] = [new Uint32Array(4)];

  push(location: Place): void {
    const slot = this.length % CHUNK;
    const n = (this.length - slot) / CHUNK;
    let chunk = this.#chunks[n];
    if (chunk === undefined || slot === chunk.length) {
      const before = chunk;
      chunk = new Uint32Array(before ? 4 * slot : CHUNK);
      if (before) chunk.set(before);
      this.#chunks[n] = chunk;
    }
    chunk[slot] = location;
    this.length++;
  }

  at(index: number): Place {
    return this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK] as Place;
  }

  /** The number of positions before this place. */
  countBefore(location: Place): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < location) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  truncate(length: number): void {
    this.length = length;
    this.#chunks.length = Math.max(1, Math.ceil(length / CHUNK));
  }
}
