/** Whether the client sent what it should have: asks the journal, and says of the nearest requests how they differ. */
import type { Exchange } from '../exchange.ts';
import { type JsonValue, OtherNumber } from '../int64.ts';
import { shorten as shortenTo } from '../wording.ts';
import { Comparison, type Expectation, type Notes, type Place, Unreadable } from './comparison.ts';

/** One point in which a request is not as expected. */
export interface Discrepancy {
  /** `operation`, `method`, `path`, `path?status`, `status`, `body/categoryId`. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

/** A request, and how far it is from the expected one: 0 for one that is as expected. */
export interface Compared {
  readonly exchange: Exchange;
  readonly distance: number;
}

/** What keeps a request from being the expected one. */
export interface Differences {
  /** The first of them. */
  readonly differences: readonly Discrepancy[];
  /** How many there are beyond those. */
  readonly more: number;
}

/** Differences of one request that are told. */
const MAX_DIFFERENCES = 20;
/** Characters of a value, a name and a place that are shown. */
const MAX_SHOWN = 200;
/** Work before others get their turn, in characters that are read: a few milliseconds. */
const WORK_AT_ONCE = 128 * 1024;
/** To compare two values takes about as long as to read this many characters. */
const CHARACTERS_A_VALUE = 8;

/** Holds exchanges against an expectation, in their order. Between them it lets others have their turn. */
export async function compareAll(exchanges: readonly Exchange[], expected: Expectation): Promise<Compared[]> {
  const comparison = new Comparison(expected);
  const all: Compared[] = [];
  let until = WORK_AT_ONCE;
  for (const exchange of exchanges) {
    const distance = new Distance();
    comparison.compare(exchange, distance);
    all.push({ exchange, distance: distance.value });
    const work = comparison.charactersRead + CHARACTERS_A_VALUE * comparison.valuesCompared;
    if (work < until) continue;
    until = work + WORK_AT_ONCE;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}

/** The few that come nearest, the nearest first. */
export const nearest = (all: readonly Compared[], count: number): Compared[] =>
  [...all].sort((a, b) => a.distance - b.distance).slice(0, count);

/** How an exchange differs from what is expected, in words. */
export function differencesOf(exchange: Exchange, expected: Expectation): Differences {
  const told = new Told();
  new Comparison(expected).compare(exchange, told);
  return told;
}

/** Counts only: one wrong field in a body is nearer than another operation. */
class Distance implements Notes {
  #inBody = 0;
  #others = 0;

  get value(): number {
    return this.#inBody + this.#others * (MAX_DIFFERENCES + 1);
  }

  get wantsMore(): boolean {
    return this.#inBody < MAX_DIFFERENCES;
  }

  note(): void {
    this.#others += 1;
  }

  noteInBody(): void {
    this.#inBody += 1;
  }
}

/** Tells the first differences, and counts the rest. */
class Told implements Notes, Differences {
  readonly differences: Discrepancy[] = [];
  readonly wantsMore = true;
  more = 0;

  note(place: string, expected: string | number, actual: string | number | undefined): void {
    if (this.#isFull()) return;
    this.differences.push({
      place: shorten(place),
      expected: shorten(String(expected)),
      actual: shorten(String(actual ?? 'none')),
    });
  }

  noteInBody(place: Place, expected: JsonValue, actual: JsonValue | Unreadable | undefined): void {
    if (this.#isFull()) return;
    this.differences.push({
      place: shorten(textOf(place)),
      expected: inWords(expected),
      actual: actual instanceof Unreadable ? actual.words : inWords(actual),
    });
  }

  #isFull(): boolean {
    if (this.differences.length < MAX_DIFFERENCES) return false;
    this.more += 1;
    return true;
  }
}

function textOf({ parent, name }: Place): string {
  const own = shorten(String(name));
  return parent === undefined ? own : `${textOf(parent)}/${own}`;
}

/** A value as JSON, cut short. */
const inWords = (value: JsonValue | undefined): string =>
  value === undefined ? 'none' : shorten(beginningOf(value, MAX_SHOWN));

/** As much of a value's JSON as `room` asks for, and hardly more: a value may be a megabyte. */
function beginningOf(value: JsonValue, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
  if (value instanceof OtherNumber) return value.text.slice(0, room + 1);
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (text.length > room) break;
    const named = Array.isArray(value) ? '' : `${JSON.stringify(name.slice(0, room))}:`;
    text += `${text === '' ? '' : ','}${named}${beginningOf(member, room - text.length)}`;
  }
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}

const shorten = (text: string): string => shortenTo(text, MAX_SHOWN);
