/**
 * Bytes that many owners (usually sandboxes) use at once, at most half of them for one owner: whatever one of them does, the
 * others have the other half. Waiting owners take turns.
 */
import { RoundRobin } from './lane.ts';

/** What was taken, or waits for its turn. */
export interface Lease {
  /** Resolves when the bytes are taken; `undefined` if they are. */
  readonly waiting: Promise<void> | undefined;
  /** Gives the bytes back. If it still waits, it takes none. */
  release(): void;
}

/** What takes bytes, once at a time: an exchange. */
export interface Lessee {
  /** Whose it is: a sandbox, the admin, or nobody. */
  readonly owner: string;
  lease: Lease | undefined;
}

interface WaitingLease {
  readonly owner: string;
  bytes: number;
  isIn: boolean;
  readonly begin: () => void;
}

export class ByteBudget {
  readonly #whole: number;
  readonly #waiting = new RoundRobin<WaitingLease>();
  /** What each owner has; only owners that have anything are listed. */
  readonly #shares = new Map<string, number>();
  #taken = 0;

  constructor(whole: number) {
    this.#whole = whole;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Whether an owner may take any bytes now. */
  hasRoom(owner: string): boolean {
    return this.#taken < this.#whole && this.#shareOf(owner) < this.#whole / 2;
  }

  /** Counts bytes that are there already, or, below zero, no longer. Beyond an owner's half they take nothing from the others. */
  count(owner: string, bytes: number): void {
    const before = this.#shareOf(owner);
    const share = before + bytes;
    if (share > 0) this.#shares.set(owner, share);
    else this.#shares.delete(owner);
    this.#taken += Math.min(share, this.#whole / 2) - Math.min(before, this.#whole / 2);
  }

  /** Takes bytes when the owner's turn comes. More than an owner's half counts as half. */
  take(owner: string, wanted: number): Lease {
    let begin = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const lease: WaitingLease = { owner, bytes: Math.min(wanted, this.#whole / 2), isIn: false, begin };
    this.#waiting.push(owner, lease);
    this.#admit();
    const release = (): void => {
      const { bytes } = lease;
      lease.bytes = 0;
      if (lease.isIn) this.count(owner, -bytes);
      this.#admit();
    };
    return { waiting: lease.isIn ? undefined : turn, release };
  }

  /** Who waits for bytes goes first; who waits for its own half does not hold up others. */
  #admit(): void {
    let isFull = false;
    const may = ({ owner, bytes }: WaitingLease): boolean => {
      if (isFull || this.#shareOf(owner) + bytes > this.#whole / 2) return false;
      isFull = this.#taken + bytes > this.#whole;
      return !isFull;
    };
    for (let next = this.#waiting.shift(may); next; next = this.#waiting.shift(may)) {
      this.count(next.owner, next.bytes);
      next.isIn = true;
      next.begin();
    }
  }

  #shareOf(owner: string): number {
    return this.#shares.get(owner) ?? 0;
  }
}
