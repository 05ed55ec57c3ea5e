/**
 * For clients on a shared server: long work, such as parsing a body of 1 MiB or a report on thousands of requests,
 * blocks the event loop for milliseconds. So it is done in slices, one in each turn of the event loop, owners (usually
 * sandboxes) in turn, and what is short goes on in between.
 */
import { stopwatch } from './clock.ts';
import { nextTurn, setImmediate } from './real-globals.ts';

/**
 * A queue that is fair between owners (usually sandboxes): they are served in turn, one item each, so that an owner with
 * many items does not block those with few. The items of one owner keep their order.
 */
export class RoundRobin<Item> {
  /** The owner whose turn is next comes first. No line is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** Items of all owners. */
  get size(): number {
    return this.#size;
  }

  /** @param isFirst whether it goes before the others of its owner */
  push(owner: string, item: Item, isFirst = false): void {
    const line = this.#lines.get(owner);
    if (line && isFirst) line.unshift(item);
    else if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size += 1;
  }

  /** Takes the next item. @param may items for which it returns false are skipped; their owners keep their turn */
  shift(may: (item: Item) => boolean = always): Item | undefined {
    for (const [owner, line] of this.#lines) {
      if (!may(line[0] as Item)) continue;
      const item = line.shift() as Item;
      this.#size -= 1;
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      return item;
    }
    return undefined;
  }
}

const always = (): boolean => true;

export class Lane {
  readonly #waiting = new RoundRobin<() => void>();
  /** A piece runs, or another one has run in this turn of the event loop. */
  #isTaken = false;

  /**
   * Runs a piece of work when its turn comes. It must not wait for a client, nor for another piece.
   * @param goesOn whether it goes on with work that has begun: others of its owner wait, with what they would need of memory
   */
  async run<T>(owner: string, work: () => T | Promise<T>, goesOn = false): Promise<T> {
    if (this.#isTaken) await new Promise<void>((begin) => this.#waiting.push(owner, begin, goesOn));
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      setImmediate(this.#next);
    }
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift();
    if (begin) begin();
    else this.#isTaken = false;
  };
}

/** The maximum time of one slice: requests wait little longer for this work. */
const SLICE_MS = 5;

/** Runs a slice, now or when its turn comes. @param size of the work, if it is known @param goesOn whether it is not the first */
export type RunSlice = <T>(slice: () => Promise<T>, size?: number, goesOn?: boolean) => Promise<T>;

const atOnce: RunSlice = async (slice, _, goesOn) => {
  if (goesOn) await nextTurn();
  return slice();
};

/** Runs work in slices, each in a turn of the event loop of its own. @param work yields where it may pause */
export async function inSlices<T>(work: Iterator<void, T> | AsyncIterator<void, T>, turn = atOnce): Promise<T> {
  const slice = async () => {
    const until = stopwatch() + SLICE_MS;
    for (;;) {
      const next = await work.next();
      if (next.done || stopwatch() >= until) return next;
    }
  };
  for (let goesOn = false; ; goesOn = true) {
    const step = await turn(slice, undefined, goesOn);
    if (step.done) return step.value;
  }
}
