/**
 * The referee's queue: first in, first out for each sandbox, and round-robin between sandboxes if the queue is long.
 */
import type { Exchange } from '../exchange.ts';
import { RoundRobin } from '../round-robin.ts';

/** The number of exchanges in a fixed order: about 5 ms of the referee's work. The others are queued by sandbox. */
const LINE = { places: 256, characters: 1024 * 1024 };

/** A queued exchange. It stores no text of its own: its input is built when it is posted. */
export interface Waiting {
  readonly exchange: Exchange;
  /** Of its input, as counted by `charactersOf`. */
  readonly characters: number;
}

export class Line {
  /** Oldest first. */
  readonly #line: Waiting[] = [];
  #characters = 0;
  /** Exchanges beyond the fixed line. */
  readonly #behind = new RoundRobin<Waiting>();

  /** The length of the fixed line, without the exchanges behind it. */
  get length(): number {
    return this.#line.length;
  }

  push(waiting: Waiting): void {
    if (this.#behind.size === 0 && this.#hasRoom()) this.#lineUp(waiting);
    else this.#behind.push(waiting.exchange.owner, waiting);
  }

  /** The exchanges of the fixed line from a place on. */
  slice(from: number, to: number): readonly Exchange[] {
    return this.#line.slice(from, to).map(({ exchange }) => exchange);
  }

  /** Removes the oldest `count`; others move up. */
  take(count: number): readonly Waiting[] {
    const taken = this.#line.splice(0, count);
    for (const { characters } of taken) this.#characters -= characters;
    while (this.#behind.size > 0 && this.#hasRoom()) this.#lineUp(this.#behind.shift() as Waiting);
    return taken;
  }

  /** The last exchanges queued now, which leave after all others: of one sandbox, or of all. */
  last(sandbox?: string): readonly Exchange[] {
    const last =
      sandbox === undefined
        ? [this.#line.at(-1), ...this.#behind.lasts()]
        : [this.#behind.last(sandbox) ?? this.#line.findLast(({ exchange }) => exchange.owner === sandbox)];
    return last.flatMap((waiting) => waiting?.exchange ?? []);
  }

  #hasRoom(): boolean {
    return this.#line.length < LINE.places && this.#characters < LINE.characters;
  }

  #lineUp(waiting: Waiting): void {
    this.#line.push(waiting);
    this.#characters += waiting.characters;
  }
}
