/**
 * Finds the long lists in the text of a recording: pets, changes and exchanges. What is left is short and read as a whole;
 * the items are read one by one, so that a file of 64 MiB never holds the event loop for long.
 */
import { endOfString, JsonError } from '../core/json.ts';
import { RecordingError } from './problems.ts';

/** The items of a list, each by the places where it begins and ends: two numbers an item. */
export type Items = readonly number[];

export interface Split {
  /** The file with its long lists empty. */
  readonly rest: string;
  /** By the place of the list, like `logs[0]/changes`. */
  readonly lists: ReadonlyMap<string, Items>;
}

/** `items`: a long list. `each`: a list of objects. */
interface SplitPlan {
  readonly items?: true;
  readonly each?: SplitPlan;
  readonly members?: ReadonlyMap<string, SplitPlan>;
}

const members = (of: Record<string, SplitPlan>): SplitPlan => ({ members: new Map(Object.entries(of)) });
const ITEMS: SplitPlan = { items: true };
const RECORDING: SplitPlan = members({
  fixtures: { each: members({ pets: ITEMS }) },
  logs: { each: members({ changes: ITEMS }) },
  requestLog: members({ exchanges: ITEMS }),
});

/** Characters between two pauses. */
const PAUSE = 64 * 1024;
/** Characters and objects of the rest. */
const MAX_REST = 4 * 1024 * 1024;
const MAX_EACH = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** @throws {JsonError | RecordingError} The parts are not known to be JSON yet. */
export function* split(text: string): Generator<void, Split> {
  const splitter = new Splitter(text);
  yield* splitter.value(RECORDING, '');
  return splitter.result();
}

class Splitter {
  readonly #text: string;
  readonly #lists = new Map<string, Items>();
  readonly #rest: string[] = [];
  #at = 0;
  /** What comes before this is in the rest. */
  #kept = 0;
  #restLength = 0;
  #each = 0;
  #pauseAt = PAUSE;

  constructor(text: string) {
    this.#text = text;
  }

  result(): Split {
    this.#keepUpTo(this.#text.length);
    return { rest: this.#rest.join(''), lists: this.#lists };
  }

  *value(plan: SplitPlan | undefined, location: string): Generator<void, void> {
    const code = this.#next();
    if (plan?.items && code === OPEN_LIST) yield* this.#items(location);
    else if (plan?.each && code === OPEN_LIST) yield* this.#listOf(plan.each, location);
    else if (plan?.members && code === OPEN_OBJECT) yield* this.#object(plan.members, location);
    else yield* this.#skip();
  }

  *#items(location: string): Generator<void, void> {
    const found: number[] = [];
    this.#at++;
    this.#keepUpTo(this.#at);
    if (this.#next() !== CLOSE_LIST) {
      do {
        this.#next();
        found.push(this.#at);
        yield* this.#skip();
        found.push(this.#at);
      } while (!this.#isLast(CLOSE_LIST));
    } else this.#at++;
    this.#kept = this.#at - 1;
    this.#lists.set(location, found);
  }

  *#listOf(plan: SplitPlan, location: string): Generator<void, void> {
    this.#at++;
    if (this.#next() === CLOSE_LIST) {
      this.#at++;
      return;
    }
    let index = 0;
    do {
      if (++this.#each > MAX_EACH) throw new RecordingError(`${location} has over ${MAX_EACH} items`);
      yield* this.value(plan, `${location}[${index++}]`);
    } while (!this.#isLast(CLOSE_LIST));
  }

  *#object(plans: ReadonlyMap<string, SplitPlan>, location: string): Generator<void, void> {
    const seen = new Set<string>();
    this.#at++;
    if (this.#next() === CLOSE_OBJECT) {
      this.#at++;
      return;
    }
    do {
      if (this.#next() !== QUOTE) throw this.#expected('a field name in double quotes');
      const start = this.#at + 1;
      this.#at = endOfString(this.#text, this.#at) + 1;
      // A name with escapes stays in the rest, where it is compared with the others.
      const name = this.#at - start > 20 ? '' : this.#text.slice(start, this.#at - 1);
      if (this.#next() !== COLON) throw this.#expected('":"');
      this.#at++;
      const plan = plans.get(name);
      if (plan && seen.has(name)) throw new RecordingError(`${location}${location && '/'}${name} is given twice`);
      if (plan) seen.add(name);
      yield* this.value(plan, `${location}${location && '/'}${name}`);
    } while (!this.#isLast(CLOSE_OBJECT));
  }

  /** Passes over a value. Brackets are only counted: what is passed over is read later. */
  *#skip(): Generator<void, void> {
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      if (this.#at >= this.#pauseAt) {
        this.#pauseAt = this.#at + PAUSE;
        yield;
      }
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) this.#at = endOfString(this.#text, this.#at);
      else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
      else if (depth === 0 && (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT)) break;
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    }
    if (this.#at === start) throw this.#expected('a value');
  }

  /** Passes the closing bracket (true) or the comma (false) after a member or an item. */
  #isLast(close: number): boolean {
    const code = this.#next();
    if (code !== close && code !== COMMA) throw this.#expected(`"," or "${String.fromCharCode(close)}"`);
    this.#at++;
    return code === close;
  }

  /** The code of the next character that is not whitespace; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #keepUpTo(end: number): void {
    this.#restLength += end - this.#kept;
    if (this.#restLength > MAX_REST)
      throw new RecordingError(
        `what a recording holds beside pets, changes and exchanges takes at most ${MAX_REST / 2 ** 20} MiB`,
      );
    this.#rest.push(this.#text.slice(this.#kept, end));
    this.#kept = end;
  }

  #expected(what: string): JsonError {
    const code = this.#text.codePointAt(this.#at);
    const got = code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
    return new JsonError(`not valid JSON: expected ${what} at position ${this.#at}; got ${got}`, 'syntax');
  }
}
