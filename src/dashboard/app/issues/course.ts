/** The course of a problem over the requests of the journal: when it was seen, and whether it is fixed. */
import type { Summary } from '../traffic/live.ts';
import type { Problem } from './problems.ts';

export interface Course {
  /** Times of the first and the last request with it; `undefined` if the journal holds none. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** Whether the first one of all is in the journal. */
  readonly hasFirst: boolean;
  /** Requests with it in equal spans of time, from the journal's first request to its last. */
  readonly spans: readonly number[];
  /** Requests of the same operation since then, if all of them are clean; 0 if there are none, or it cannot be told. */
  readonly cleanSince: number;
}

const SPANS = 24;

/** @param exchanges newest first */
export function courseOf(
  { isIn, operation, requests, canBeFixed = false }: Problem,
  exchanges: readonly Summary[],
): Course {
  const ofClient = exchanges.filter(({ fromDashboard }) => !fromDashboard);
  const affected = ofClient.filter(isIn);
  const last = affected[0]?.at;
  const later = last === undefined ? [] : ofClient.filter((each) => each.operation === operation && each.at > last);
  const isFixed = canBeFixed && later.every(({ violations }) => violations.length === 0);
  return {
    first: affected.at(-1)?.at,
    last,
    hasFirst: affected.some(({ id }) => id === requests[0]),
    spans: spansOf(affected, ofClient),
    cleanSince: isFixed ? later.length : 0,
  };
}

function spansOf(affected: readonly Summary[], all: readonly Summary[]): number[] {
  const spans = new Array<number>(SPANS).fill(0);
  const start = Date.parse(all.at(-1)?.at ?? '');
  const length = Math.max(1, Date.parse(all[0]?.at ?? '') - start);
  for (const { at } of affected) {
    const index = Math.min(SPANS - 1, Math.floor(((Date.parse(at) - start) / length) * SPANS));
    spans[index] = (spans[index] as number) + 1;
  }
  return spans;
}
