/**
 * The counts of a journal up to a number, in the engine. With them the exchanges that a journal no longer shows can be
 * forgotten.
 */
import { MAX_EXCHANGES } from '../sandbox/journal.ts';
import type { SavedTallies } from '../sandbox/saved-tallies.ts';
import type { Engine } from './engine.ts';
import { journalKey, talliesKey } from './keys.ts';
import { KEPT_SECONDS } from './outbox.ts';
import { FOLD } from './scripts.ts';

/** Counts of all exchanges up to a number, but those that were open then. */
interface Kept {
  readonly upTo: number;
  readonly open: readonly number[];
  readonly dropped: number;
  readonly lost: number;
  readonly tallies: SavedTallies;
}

export class KeptCounts {
  readonly #engine: Engine;
  readonly #sandbox: string;

  constructor(engine: Engine, sandbox: string) {
    this.#engine = engine;
    this.#sandbox = sandbox;
  }

  async read(): Promise<Kept | undefined> {
    const text = (await this.#engine.call('GET', talliesKey(this.#sandbox))) as string | null;
    if (text === null) return undefined;
    const at = text.indexOf(' ');
    return { upTo: Number(text.slice(0, at)), ...(JSON.parse(text.slice(at + 1)) as Omit<Kept, 'upTo'>) };
  }

  /** Whether a server has forgotten the exchange with a number, because it counted it and keeps later ones. */
  async hasForgotten(number: number): Promise<boolean> {
    const beginning = (await this.#engine.call('GETRANGE', talliesKey(this.#sandbox), 0, 15)) as string;
    return Number.parseInt(beginning, 10) - MAX_EXCHANGES >= number;
  }

  /**
   * Writes counts up to a number, and forgets older exchanges but the open ones, unless later counts are kept.
   * @param counts `since`: up to where they were written before; `text`: the other members of `Kept` as JSON
   */
  async write({ upTo, since, open, text }: WrittenCounts): Promise<void> {
    const last = upTo - MAX_EXCHANGES;
    const old = Array.from({ length: Math.max(0, last - since + MAX_EXCHANGES) }, (_, n) => last - n);
    const forgotten = old.filter((number) => number > 0 && !open.includes(number));
    const keys = [journalKey(this.#sandbox), talliesKey(this.#sandbox)];
    await this.#engine.run(FOLD, keys, [upTo, text, KEPT_SECONDS, ...forgotten]);
  }
}

interface WrittenCounts {
  readonly upTo: number;
  readonly since: number;
  readonly open: readonly number[];
  readonly text: string;
}
