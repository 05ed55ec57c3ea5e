/** The rows of the stream, from the pages of the request log and from events, each once. */
import type { Schema } from '../../client/routes.ts';

/** Requests that the page holds: the latest. */
export const MAX_ROWS = 1_000;

export type Summary = Schema<'ExchangeSummary'>;

export interface Kept {
  /** Newest first: the last ones, as many as the request log keeps. */
  readonly exchanges: readonly Summary[];
  /** The number of all exchanges since the request log was cleared. */
  readonly total: number;
  /** The number of exchanges since the page was opened. */
  readonly arrived: number;
  /** Counts how often the request log was cleared. */
  readonly clears: number;
  /** Counts how often it started over while the page was not connected, for example after a restart. */
  readonly restarts: number;
  /** Whether all exchanges of the request log are here. */
  readonly isWhole: boolean;
  /** `total` counts every exchange that was answered before this time. */
  readonly countedUntil: string;
  /** The exchanges that came since the request log is being read; `undefined` while it is not. */
  readonly meanwhile: readonly Summary[] | undefined;
}

export const NOTHING_KEPT: Kept = {
  exchanges: [],
  total: 0,
  arrived: 0,
  clears: 0,
  restarts: 0,
  isWhole: false,
  countedUntil: '',
  meanwhile: undefined,
};

/** A page of the request log. */
export interface LogPage {
  readonly requests: readonly Summary[];
  /** The number of all exchanges since the request log was cleared; only the first page says so. */
  readonly counted: number | undefined;
  /** The cursor of the next page. */
  readonly last: string | undefined;
  readonly isLast: boolean;
}

export function withPage<T extends Kept>(kept: T, { requests, counted, isLast }: LogPage): T {
  const exchanges = merged(kept.exchanges, requests, MAX_ROWS);
  if (counted === undefined) return { ...kept, exchanges, isWhole: isLast };
  const countedUntil = requests[0]?.respondedAt ?? '';
  const known = new Set(requests.map(({ id }) => id));
  const later = kept.meanwhile?.filter(({ id, respondedAt }) => respondedAt >= countedUntil && !known.has(id)) ?? [];
  return { ...kept, exchanges, isWhole: isLast, countedUntil, meanwhile: undefined, total: counted + later.length };
}

/** Drops the exchanges of before that the request log does not list any more: the server was restarted meanwhile. */
export function withoutGone<T extends Kept>(kept: T, before: ReadonlySet<string>, listed: ReadonlySet<string>): T {
  const exchanges = kept.exchanges.filter(({ id }) => !before.has(id) || listed.has(id));
  // A full log may have dropped all of them one by one.
  const isAnew = before.size > 0 && listed.size < MAX_ROWS && ![...before].some((id) => listed.has(id));
  return { ...kept, exchanges, restarts: kept.restarts + (isAnew ? 1 : 0) };
}

/** @param arrivals oldest first */
export function withArrivals<T extends Kept>(kept: T, arrivals: readonly Summary[]): T {
  const known = new Set(kept.exchanges.map(({ id }) => id));
  const fresh = arrivals.filter(({ id }) => !known.has(id)).reverse();
  if (fresh.length === 0) return kept;
  // An event may tell of an exchange that the first page counted and did not list.
  const uncounted = fresh.filter(({ respondedAt }) => respondedAt >= kept.countedUntil).length;
  return {
    ...kept,
    isWhole: kept.isWhole && kept.exchanges.length + fresh.length <= MAX_ROWS,
    // In the order of a page that is opened later: a delayed response comes after those to later requests.
    exchanges: [...fresh, ...kept.exchanges].sort(newerFirst).slice(0, MAX_ROWS),
    meanwhile: kept.meanwhile && [...kept.meanwhile, ...fresh],
    total: kept.total + uncounted,
    arrived: kept.arrived + fresh.length,
  };
}

/** Both lists in one, each entry once, newest first. The request log's order is the order in which ids arrived. */
interface Dated {
  readonly id: string;
  readonly at: string;
}

export function merged<T extends Dated>(arrived: readonly T[], requestLog: readonly T[], most: number): readonly T[] {
  const known = new Set(requestLog.map(({ id }) => id));
  return [...arrived.filter(({ id }) => !known.has(id)), ...requestLog].sort(newerFirst).slice(0, most);
}

const newerFirst = (a: Dated, b: Dated): number => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0);
