/**
 * Verifies that the client sent an expected request, or several in order: searches the request log, and reports how the
 * nearest requests differ.
 */

import type { Exchange } from '../api/exchange.ts';
import { jsonBeginning } from '../api/request-text.ts';
import type { JsonValue } from '../core/int64.ts';
import { shorten } from '../core/text.ts';
import { inSlices } from '../core/turns.ts';
import { type BodyLocation, Comparison, type DifferenceList, type Expectation, Unreadable } from './comparison.ts';

/** One difference between a request and the expectation. */
interface Discrepancy {
  /** `operation`, `method`, `path`, `path?status`, `status`, `body/categoryId`. */
  readonly location: string;
  readonly expected: string;
  readonly actual: string;
}

/** A request and its distance from the expectation: 0 for a match. */
export interface Compared {
  readonly exchange: Exchange;
  readonly distance: number;
  /** Whether it could match: only its body is not known. */
  readonly isUnknown: boolean;
}

/** A request of a sequence: the conditions on it, and on the time since the response to the one before. */
export interface SequenceStep extends Expectation {
  readonly waitAtLeastMs?: number | undefined;
  readonly waitAtMostMs?: number | undefined;
}

/** How far a log follows a sequence. */
export interface Followed {
  /** The requests of the first steps, in order; of all steps if the sequence was found. */
  readonly found: readonly Exchange[];
  /** The requests after them, compared with the step that was not found. */
  readonly others: readonly Compared[];
}

/** A request that ends the first steps of a sequence, and the one of the step before it. */
interface Link {
  readonly exchange: Exchange;
  /** Its place in the log. */
  readonly index: number;
  readonly previous?: Link | undefined;
}

/** The differences of a request. */
export interface Differences {
  /** The first differences. */
  readonly differences: readonly Discrepancy[];
  /** The number of further differences. */
  readonly more: number;
}

/** Differences reported per request. */
export const MAX_DIFFERENCES = 20;
/** Characters shown of a value, a name or a place. */
const MAX_VERIFIED_TEXT = 200;

/** Compares exchanges with an expectation, in order, yielding to the event loop. */
export const compareAll = (exchanges: readonly Exchange[], expected: Expectation): Promise<Compared[]> =>
  inSlices(comparing(exchanges, expected));

function* comparing(exchanges: readonly Exchange[], expected: Expectation): Generator<void, Compared[]> {
  const comparison = new Comparison(expected);
  const all: Compared[] = [];
  for (const exchange of exchanges) {
    const distance = new Distance();
    comparison.compare(exchange, distance);
    all.push({ exchange, distance: distance.value, isUnknown: distance.isUnknown && !distance.hasOthers });
    yield;
  }
  return all;
}

/**
 * Finds requests that match the steps in order; others may come between them. Every request that can end a step is kept,
 * because the first one may be too early for the next step.
 * @param exchanges oldest first
 */
export async function follow(exchanges: readonly Exchange[], steps: readonly SequenceStep[]): Promise<Followed> {
  let ends: readonly Link[] = [];
  for (const [number, step] of steps.entries()) {
    const compared = await compareAll(exchanges, step);
    const previousOf = number === 0 && !limitsWait(step) ? undefined : finder(ends, step);
    const next = compared.flatMap(({ exchange, distance }, index): Link[] => {
      if (distance > 0) return [];
      const previous = previousOf?.(exchange, index);
      return previousOf && !previous ? [] : [{ exchange, index, previous }];
    });
    if (next.length === 0) return { found: chainOf(ends[0]), others: compared.slice((ends[0]?.index ?? -1) + 1) };
    ends = next;
  }
  return { found: chainOf(ends[0]), others: [] };
}

const limitsWait = ({ waitAtLeastMs, waitAtMostMs }: SequenceStep): boolean =>
  (waitAtLeastMs ?? waitAtMostMs) !== undefined;

/** Finds the request of the previous step for a request: with a limit on the wait, the last that was responded to in time. */
function finder(ends: readonly Link[], step: SequenceStep) {
  if (!limitsWait(step)) return (_: Exchange, index: number) => ((ends[0] as Link).index < index ? ends[0] : undefined);
  const { waitAtLeastMs, waitAtMostMs } = step;
  const byResponse = ends.toSorted((a, b) => a.exchange.respondedAt - b.exchange.respondedAt);
  return ({ at }: Exchange, index: number): Link | undefined => {
    let place = countUntil(byResponse, at - (waitAtLeastMs ?? 0)) - 1;
    // The request itself, and others that arrived and ended in its millisecond.
    while ((byResponse[place]?.index ?? -1) >= index) place -= 1;
    const link = byResponse[place];
    return link && at - link.exchange.respondedAt <= (waitAtMostMs ?? Number.POSITIVE_INFINITY) ? link : undefined;
  };
}

/** How many were responded to until a time. */
function countUntil(byResponse: readonly Link[], time: number): number {
  let [low, high] = [0, byResponse.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byResponse[middle] as Link).exchange.respondedAt <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function chainOf(end: Link | undefined): Exchange[] {
  const chain: Exchange[] = [];
  for (let link = end; link; link = link.previous) chain.unshift(link.exchange);
  return chain;
}

/** The nearest ones, nearest first. */
export const closest = (all: readonly Compared[], count: number): Compared[] =>
  [...all].sort((a, b) => a.distance - b.distance).slice(0, count);

/**
 * The differences between an exchange and the expectation.
 * @param previous the request of the step before
 */
export function differencesOf(exchange: Exchange, expected: SequenceStep, previous?: Exchange): Differences {
  const noted = new NotedDifferences();
  new Comparison(expected).compare(exchange, noted);
  if (previous) noteWait(exchange.at - previous.respondedAt, expected, noted);
  return noted;
}

function noteWait(ms: number, { waitAtLeastMs = 0, waitAtMostMs }: SequenceStep, noted: DifferenceList): void {
  if (ms < waitAtLeastMs) noted.note('wait', `at least ${waitAtLeastMs} ms`, `${ms} ms`);
  if (waitAtMostMs !== undefined && ms > waitAtMostMs) noted.note('wait', `at most ${waitAtMostMs} ms`, `${ms} ms`);
}

/** Counts only: one wrong field in a body is nearer than another operation. */
class Distance implements DifferenceList {
  isUnknown = false;
  #inBody = 0;
  #others = 0;

  get value(): number {
    return this.#inBody + this.#others * (MAX_DIFFERENCES + 1);
  }

  get hasOthers(): boolean {
    return this.#others > 0;
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

/** Describes the first differences, and counts the rest. */
class NotedDifferences implements DifferenceList, Differences {
  readonly differences: Discrepancy[] = [];
  readonly wantsMore = true;
  more = 0;

  note(location: string, expected: string | number, actual: string | number | undefined): void {
    if (this.#isFull()) return;
    this.differences.push({
      location: shortText(location),
      expected: shortText(String(expected)),
      actual: shortText(String(actual ?? 'none')),
    });
  }

  noteInBody(location: BodyLocation, expected: JsonValue, actual: JsonValue | Unreadable | undefined): void {
    if (this.#isFull()) return;
    this.differences.push({
      location: shortText(locationText(location)),
      expected: renderValue(expected),
      actual: actual instanceof Unreadable ? actual.reason : renderValue(actual),
    });
  }

  #isFull(): boolean {
    if (this.differences.length < MAX_DIFFERENCES) return false;
    this.more += 1;
    return true;
  }
}

function locationText({ parent, name }: BodyLocation): string {
  const own = shortText(String(name));
  return parent === undefined ? own : `${locationText(parent)}/${own}`;
}

/** A value as JSON, cut short. */
const renderValue = (value: JsonValue | undefined): string =>
  value === undefined ? 'none' : shortText(jsonBeginning(value, MAX_VERIFIED_TEXT));

const shortText = (text: string): string => shorten(text, MAX_VERIFIED_TEXT);
