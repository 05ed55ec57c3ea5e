/**
 * A branch is an append-only log of changes. Sandboxes, snapshots and forks reference points in branches (a branch and
 * a number of changes), and a branch starts at such a point, so nothing is ever copied. A branch has one writer;
 * readers see only the changes before their point. A branch is dropped with its last reference.
 */
import { newId } from '../ids.ts';
import type { PetStatus, StoredPet } from '../pet.ts';
import type { Change } from './change.ts';
import { FULL, Page } from './page.ts';
import { Positions } from './positions.ts';
import { eachStatus } from './status.ts';
import { weightOfPets } from './weight.ts';

/** The first `changes` changes of a branch, including its ancestors' changes. */
export interface BranchPoint {
  readonly branch: Branch;
  readonly changes: number;
}

/** A read-only branch point. */
export interface Log {
  readonly branch: Pick<Branch, 'countOf' | 'placeOf' | 'has' | 'find' | 'idAt' | 'runAt'>;
  readonly changes: number;
}

/** Texts of adjacent pets in a page, as a range of slots. */
export interface Run {
  readonly page: Page;
  readonly from: number;
  readonly to: number;
}

/** Places in the log are counted from 0 at the start of the oldest ancestor. */
export class Branch {
  readonly id: string;
  /** Its origin: these changes come first. */
  readonly from: BranchPoint | undefined;
  /** The number of changes, including its ancestors' changes. */
  length: number;
  /** The number of references to it. */
  refs = 0;
  /** The place of its first own change. */
  readonly #start: number;
  /** The number of pets of each status before its first own change. */
  readonly #before: Readonly<Record<PetStatus, number>>;
  readonly #pages: Page[] = [];
  readonly #positions: Partial<Record<PetStatus, Positions>> = {};
  /** Bytes of its own texts. */
  #size = 0;
  readonly #depth: number;
  /** A distant ancestor, chosen so that any ancestor is found in logarithmic time (Myers 1983). */
  readonly #skip: Branch | undefined;

  /** @param from the normalized starting point: see `pointAt` */
  constructor(id: string, from: BranchPoint | undefined) {
    this.id = id;
    this.from = from;
    this.#start = this.length = from?.changes ?? 0;
    this.#before = from ? eachStatus((status) => from.branch.countOf(status, from.changes)) : NONE;
    this.#depth = from ? from.branch.#depth + 1 : 0;
    this.#skip = from ? from.branch.#skipOfChild() : undefined;
  }

  /** The number of its own changes. */
  get ownLength(): number {
    return this.length - this.#start;
  }

  /** The memory of its own pets, in bytes (see weight.ts). */
  get bytes(): number {
    return weightOfPets(this.ownLength, this.#size);
  }

  /** The only place where a change takes effect in memory, both for requests and for loading. */
  append({ added: { id, status, json } }: Change): void {
    let page = this.#pages.at(-1);
    if (page === undefined || page.isFull) {
      page = new Page(this.length, page);
      this.#pages.push(page);
    }
    const before = page.size;
    page.add(id, json, Buffer.byteLength(json));
    this.#size += page.size - before;
    if (status !== undefined) {
      this.#positions[status] ??= new Positions();
      this.#positions[status].push(this.length);
    }
    this.length++;
  }

  /** Rolls back all changes from a place on; no reader has seen them. */
  truncate(length: number): void {
    if (length >= this.length) return;
    for (const positions of Object.values(this.#positions)) positions.truncate(positions.countBefore(length));
    while ((this.#pages.at(-1)?.first ?? -1) >= length) this.#pages.pop();
    const last = this.#pages.at(-1);
    last?.truncate(length - last.first);
    this.#size = this.#pages.reduce((sum, { size }) => sum + size, 0);
    this.length = length;
  }

  /** The number of pets added by the first `changes` changes, of one status or of any. */
  countOf(status: PetStatus | undefined, changes: number): number {
    if (status === undefined) return changes;
    return this.#before[status] + (this.#positions[status]?.countBefore(changes) ?? 0);
  }

  /** The place of the pet with index `n`, of one status or of any. */
  placeOf(status: PetStatus | undefined, n: number): number {
    if (status === undefined) return n;
    const holder = this.#up((branch) => branch.#before[status] > n);
    return holder.#positions[status]?.at(n - holder.#before[status]) as number;
  }

  /** The pet with this id among the first `changes` changes. */
  find(id: bigint, changes: number): StoredPet | undefined {
    const run = this.#runOf(id, changes);
    return run && { id, json: run.page.textOf(run.from, run.to) };
  }

  /** Whether there is a pet with this id among the first `changes` changes. */
  has(id: bigint, changes: number): boolean {
    return this.#runOf(id, changes) !== undefined;
  }

  /** The id of the pet at a place. */
  idAt(place: number): bigint {
    const page = this.#holderOf(place).#pageAt(place);
    return page.idAt(place - page.first);
  }

  /** The texts of adjacent pets from `place` on: those in the same page, before `end`. */
  runAt(place: number, end: number): Run {
    const child = this.#childAbove(place);
    const page = (child?.from?.branch ?? this).#pageAt(place);
    const most = Math.min(end, child ? child.#start : this.length, page.first + page.length);
    return { page, from: place - page.first, to: most - page.first };
  }

  /** The text of the pet with this id among the first `changes` changes. */
  #runOf(id: bigint, changes: number): Run | undefined {
    const holder = this.#up((branch) => branch.#isAbove(id));
    const page = holder.#pageOf(id);
    const slot = page?.slotOf(id) ?? -1;
    if (page === undefined || slot < 0) return undefined;
    const place = page.first + slot;
    // Changes made after another branch had grown from this one do not belong to that branch.
    if (place >= changes || this.#holderOf(place) !== holder) return undefined;
    return { page, from: slot, to: slot + 1 };
  }

  /** The branch that owns the change at a place: this one or an ancestor. */
  #holderOf(place: number): Branch {
    return this.#childAbove(place)?.from?.branch ?? this;
  }

  /** The branch that grew from the owner of `place` and continues this log. `undefined` if the owner is this branch. */
  #childAbove(place: number): Branch | undefined {
    if (place >= this.#start) return undefined;
    return this.#up(({ from }) => from !== undefined && from.branch.#start > place);
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

  /** Whether all its own ids are above this one. */
  #isAbove(id: bigint): boolean {
    const [first] = this.#pages;
    return first === undefined || first.idAt(0) > id;
  }

  #pageAt(place: number): Page {
    // Pages of small pets contain the same number each.
    const guess = this.#pages[Math.floor((place - this.#start) / FULL.pets)];
    if (guess && place >= guess.first && place < guess.first + guess.length) return guess;
    return this.#lastPage((page) => page.first <= place) as Page;
  }

  #pageOf(id: bigint): Page | undefined {
    return this.#lastPage((page) => page.idAt(0) <= id);
  }

  /** The last of its pages that starts early enough. */
  #lastPage(beginsBefore: (page: Page) => boolean): Page | undefined {
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
