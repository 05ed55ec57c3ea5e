/** The requests of a sandbox, live: the content of the request log, then every exchange once it is validated. */
import { useEffect, useState } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import type { ControlEvent } from '../../client/events.ts';
import type { Schema } from '../../client/routes.ts';
import type { Session } from '../session.ts';

/** Requests that the page holds: the latest. */
export const MAX_ROWS = 1_000;

export type Summary = Schema<'ExchangeSummary'>;

type Unmatched = Schema<'UnmatchedRequest'>;

/** Exchanges of the first page of the request log, enough to fill a screen, and of each page after it. */
const FIRST_PAGE = 50;
const PAGE = 250;
/** Unmatched requests that are shown. */
const MAX_UNMATCHED = 500;

/** Arrivals are batched for this long: a load test must not redraw the page for each. */
const GATHER_MS = 60;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

export interface Live {
  /** Newest first: the last ones, as many as the request log keeps. */
  readonly exchanges: readonly Summary[];
  /** The number of exchanges since the page was opened. */
  readonly arrived: number;
  /** Counts how often the request log was cleared. */
  readonly clears: number;
  /** Counts how often it started over while the page was not connected, for example after a restart. */
  readonly restarts: number;
  /** Requests without a sandbox, newest first; empty where this key may not see them. */
  readonly unmatched: readonly Unmatched[];
  /** `opening` until the stream is open, and the first page of the request log was read since. */
  readonly state: 'opening' | 'live' | 'broken';
  /** The error, if the stream is broken. */
  readonly error: unknown;
  /** Counts of resets, of changes of keys, and of drills that started or ended: views reload when these change. */
  readonly counts: Readonly<Record<'reset' | 'key' | 'drill', number>>;
}

const NOTHING: Live = {
  exchanges: [],
  arrived: 0,
  clears: 0,
  restarts: 0,
  unmatched: [],
  state: 'opening',
  error: undefined,
  counts: { reset: 0, key: 0, drill: 0 },
};

/** Follows the traffic until the page is left; reconnects after an end, from the last position. */
export function useLive(session: Session): Live {
  const [live, setLive] = useState(NOTHING);
  useEffect(() => {
    const leaving = new AbortController();
    setLive(NOTHING);
    void follow(session, leaving.signal, setLive);
    return () => leaving.abort();
  }, [session]);
  return live;
}

type Change = (change: (live: Live) => Live) => void;

async function follow({ client }: Session, signal: AbortSignal, setLive: Change): Promise<void> {
  const change: Change = (how) => {
    if (!signal.aborted) setLive(how);
  };
  const gather = gathering(change);
  let lastEventId: string | undefined;
  let wait = RETRY_MS;
  while (!signal.aborted) {
    try {
      const onOpen = (): void => {
        wait = RETRY_MS;
        // The stream is open before the request log is read: no exchange is missed in between.
        void readRequestLog(client, signal, change);
        void readUnmatched(client, signal, change);
      };
      for await (const event of client.events({ lastEventId, signal, onOpen })) {
        lastEventId = event.id ?? lastEventId;
        gather(event);
      }
    } catch (error) {
      change((live) => ({ ...live, state: 'broken', error }));
      // Only a new key can fix this.
      if (error instanceof ClientError && error.status === 401) return;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_RETRY_MS);
  }
}

/** Reads the request log page by page, the newest first, as far as the page lists it. It drops what it had. */
async function readRequestLog(client: Session['client'], signal: AbortSignal, change: Change): Promise<void> {
  let clears: number | undefined;
  let newest: Summary | undefined;
  const read: Summary[] = [];
  change((live) => {
    clears = live.clears;
    newest = live.exchanges[0];
    return { ...live, exchanges: [] };
  });
  try {
    for (let isEnd = false; !isEnd; ) {
      const query = { limit: read.length === 0 ? FIRST_PAGE : PAGE, before: read.at(-1)?.id };
      const { requests, total } = await client.request('GET /requests', { query, signal });
      read.push(...requests);
      isEnd = total <= requests.length || read.length >= MAX_ROWS;
      const isAnew =
        isEnd && read.length < MAX_ROWS && newest !== undefined && !read.some(({ id }) => id === newest?.id);
      change((live) => ({
        ...live,
        // What was cleared meanwhile does not come back.
        exchanges: clears === live.clears ? merged(live.exchanges, requests, MAX_ROWS) : live.exchanges,
        restarts: live.restarts + (isAnew ? 1 : 0),
        state: 'live',
        error: undefined,
      }));
    }
  } catch (error) {
    // The log has dropped the last one that was read, and so all before it.
    if (error instanceof ClientError && error.status === 404) return;
    change((live) => ({ ...live, state: 'broken', error }));
  }
}

/** On a server that other machines reach, only the admin may read these: then there are none here. */
async function readUnmatched(client: Session['client'], signal: AbortSignal, change: Change): Promise<void> {
  const { requests } = await client.request('GET /requests/unmatched', { signal }).catch(() => ({ requests: [] }));
  change((live) => ({ ...live, unmatched: merged(live.unmatched, requests, MAX_UNMATCHED) }));
}

/** Collects events and delivers them in batches. */
function gathering(change: Change): (event: ControlEvent) => void {
  let heap: ControlEvent[] = [];
  return (event) => {
    heap.push(event);
    if (heap.length > 1) return;
    setTimeout(() => {
      const all = heap;
      heap = [];
      change((live) => all.reduce(after, live));
    }, GATHER_MS);
  };
}

/** Both lists in one, each entry once, in the order of the request log: a delayed response comes after those to later requests. */
function merged<T extends { readonly id: string; readonly at: string }>(
  newer: readonly T[],
  older: readonly T[],
  most: number,
): readonly T[] {
  const known = new Set(older.map(({ id }) => id));
  return [...newer.filter(({ id }) => !known.has(id)), ...older]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, most);
}

function after(live: Live, { event, data }: ControlEvent): Live {
  switch (event) {
    case 'exchange':
      return {
        ...live,
        exchanges: merged([data as Summary], live.exchanges, MAX_ROWS),
        arrived: live.arrived + 1,
      };
    case 'unmatched':
      return { ...live, unmatched: [data as Unmatched, ...live.unmatched].slice(0, MAX_UNMATCHED) };
    case 'cleared':
      return { ...live, exchanges: [], restarts: 0, clears: live.clears + 1 };
    case 'reset':
    case 'key':
    case 'drill':
      return { ...live, counts: { ...live.counts, [event]: live.counts[event] + 1 } };
    default:
      return live;
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
