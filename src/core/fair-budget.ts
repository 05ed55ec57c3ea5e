/**
 * A budget in bytes that many owners (usually sandboxes) share fairly: for everyone, while one of them asks for more than its
 * share. One owner may take as much as it leaves to others: a single one half of the budget, two a third each, and a new one
 * always gets some. Those that wait take turns, in order within an owner.
 */
interface WaitingEntry {
  readonly bytes: number;
  /** Whether the bytes are taken when the turn comes. */
  readonly takes: boolean;
  readonly begin: () => void;
}

export class FairBudget {
  readonly #whole: number;
  readonly #waiting = new RoundRobin<WaitingEntry>();
  /** What each owner has; only owners that have anything are listed. */
  readonly #shares = new Map<string, number>();
  /** What all have, counting at most half of the budget for each. */
  #taken = 0;
  /** Amounts beyond half of the budget that are taken: one at a time is let in. */
  #giants = 0;

  constructor(whole: number) {
    this.#whole = whole;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes bytes when the owner's turn comes.
   * @returns `undefined` if they are taken now; otherwise a promise that resolves when they are
   */
  enter(owner: string, bytes: number): Promise<void> | undefined {
    let isIn = false;
    let tell: (() => void) | undefined;
    const begin = (): void => {
      isIn = true;
      tell?.();
    };
    this.#waiting.push(owner, { bytes, takes: true, begin });
    this.admit();
    if (isIn) return undefined;
    return new Promise((resolve) => {
      tell = resolve;
    });
  }

  /**
   * Waits until the owner may take bytes, and takes none.
   * @returns `undefined` if it may now; otherwise a promise that resolves when it may
   */
  wait(owner: string, bytes: number): Promise<void> | undefined {
    const mayTake = this.#freeWith(bytes, 0) >= 0 && !this.#isHeldBack(owner, bytes, 0);
    if (mayTake && !this.#waiting.has(owner)) return undefined;
    return new Promise((begin) => this.#waiting.push(owner, { bytes, takes: false, begin }));
  }

  /** Takes bytes, even if there are none. */
  take(owner: string, bytes: number): void {
    if (this.#isGiant(bytes)) this.#giants += 1;
    this.#change(owner, bytes);
  }

  /** Gives back what was taken. Call `admit` then. */
  give(owner: string, bytes: number): void {
    if (this.#isGiant(bytes)) this.#giants -= 1;
    this.#change(owner, -bytes);
  }

  /**
   * Lets those in who wait, each in its turn. Who waits for room goes first; who waits for its share, or for another giant,
   * does not. Not everyone who only waits takes something then: when nothing is taken, all are let in, since nothing would let
   * them in later.
   * @param most how many of those who take nothing yet
   */
  admit(most = Number.POSITIVE_INFINITY): void {
    let promised = 0;
    let left = most;
    const isEmpty = this.#shares.size === 0;
    let isFull = false;
    const may = (owner: string): boolean => {
      const { bytes, takes } = this.#waiting.first(owner) as WaitingEntry;
      if (isEmpty && !takes) return true;
      if (isFull || (!takes && left <= 0) || this.#isHeldBack(owner, bytes, promised)) return false;
      isFull = this.#freeWith(bytes, promised) < 0;
      return !isFull;
    };
    for (let next = this.#waiting.take(may); next; next = this.#waiting.take(may)) {
      const { owner, item } = next;
      if (item.takes) this.take(owner, item.bytes);
      else {
        promised += item.bytes;
        left -= 1;
      }
      item.begin();
    }
  }

  /** What is left if these bytes are taken. @param promised bytes that those who were let in just now will take */
  #freeWith(bytes: number, promised: number): number {
    return this.#whole - this.#taken - promised - this.#counted(bytes);
  }

  /** Whether the owner waits for its own share, or for another giant, however much is left. */
  #isHeldBack(owner: string, bytes: number, promised: number): boolean {
    if (this.#giants > 0 && this.#isGiant(bytes)) return true;
    const share = this.#shares.get(owner);
    return share !== undefined && share + this.#counted(bytes) > this.#freeWith(bytes, promised);
  }

  #change(owner: string, bytes: number): void {
    const before = this.#shares.get(owner) ?? 0;
    const after = before + bytes;
    if (after > 0) this.#shares.set(owner, after);
    else this.#shares.delete(owner);
    this.#taken += this.#counted(after) - this.#counted(before);
  }

  readonly #isGiant = (bytes: number): boolean => bytes > this.#whole / 2;
  readonly #counted = (bytes: number): number => Math.min(bytes, this.#whole / 2);
}

/**
 * A queue that is fair between owners: they are served in turn, one item each, so that an owner with many items does
 * not block those with few. The items of one owner keep their order.
 */
export class RoundRobin<Item> {
  /** The owner whose turn is next comes first. No queue is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** Items of all owners. */
  get size(): number {
    return this.#size;
  }

  has(owner: string): boolean {
    return this.#lines.has(owner);
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size += 1;
  }

  /** Takes the next item. @param may owners for which it returns false are skipped; they keep their turn */
  take(may: (owner: string) => boolean): { readonly owner: string; readonly item: Item } | undefined {
    for (const [owner, line] of this.#lines) {
      if (!may(owner)) continue;
      const item = line.shift() as Item;
      this.#size -= 1;
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      return { owner, item };
    }
    return undefined;
  }

  /** Takes the next item, whosever it is. */
  shift(): Item | undefined {
    return this.take(always)?.item;
  }

  first(owner: string): Item | undefined {
    return this.#lines.get(owner)?.[0];
  }

  last(owner: string): Item | undefined {
    return this.#lines.get(owner)?.at(-1);
  }

  /** The last item of each owner. */
  lasts(): Item[] {
    return [...this.#lines.values()].map((line) => line.at(-1) as Item);
  }
}

const always = (): boolean => true;
