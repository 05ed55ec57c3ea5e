/** The requests of a sandbox, live: the content of the request log, then every exchange once it is validated. */
import { useEffect, useState } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import type { ControlEvent } from '../../client/events.ts';
import type { Schema } from '../../client/routes.ts';
import type { Session } from '../session.ts';
import {
  type Kept,
  MAX_ROWS,
  merged,
  NOTHING_KEPT,
  type Summary,
  withArrivals,
  withoutGone,
  withPage,
} from './kept.ts';

export type { Summary } from './kept.ts';

type Unmatched = Schema<'UnmatchedRequest'>;

/** Exchanges of each page of the request log after the first one. */
const PAGE = 250;
/** Unmatched requests that are shown. */
const MAX_UNMATCHED = 500;

/** Arrivals are batched for this long: a load test must not redraw the page for each. */
const GATHER_MS = 60;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

export interface Live extends Kept {
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
  ...NOTHING_KEPT,
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

async function follow(session: Session, signal: AbortSignal, setLive: Change): Promise<void> {
  const { client, firstPage } = session;
  const change: Change = (how) => {
    if (!signal.aborted) setLive(how);
  };
  // Its rows are shown before the stream is open.
  firstPage.then(
    // The log that is read once the stream is open counts what comes meanwhile.
    (page) =>
      change((live) =>
        live.state === 'opening' ? withPage(live, live.meanwhile ? { ...page, counted: undefined } : page) : live,
      ),
    () => undefined,
  );
  const gather = gathering(change);
  let lastEventId: string | undefined;
  let wait = RETRY_MS;
  while (!signal.aborted) {
    try {
      const onOpen = (): void => {
        wait = RETRY_MS;
        // The stream is open before the request log is read: no exchange is missed in between.
        void readRequestLog(session, signal, change);
        void readUnmatched(session, signal, change);
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

/** Reads the request log page by page, the newest first, as far as the page lists it. */
async function readRequestLog({ readPage }: Session, signal: AbortSignal, change: Change): Promise<void> {
  let clears: number | undefined;
  let before: ReadonlySet<string> = new Set();
  const listed = new Set<string>();
  change((live) => {
    clears = live.clears;
    before = new Set(live.exchanges.map(({ id }) => id));
    return { ...live, meanwhile: [] };
  });
  try {
    for (let page = await readPage({ signal }); ; page = await readPage({ signal, limit: PAGE, before: page.last })) {
      const read = page;
      for (const { id } of read.requests) listed.add(id);
      const isEnd = read.isLast || listed.size >= MAX_ROWS;
      change((live) => {
        // What was cleared meanwhile does not come back.
        const all = clears === live.clears ? withPage(live, read) : live;
        return { ...(isEnd ? withoutGone(all, before, listed) : all), state: 'live', error: undefined };
      });
      if (isEnd) return;
    }
  } catch (error) {
    change((live) => ({ ...live, state: 'broken', error }));
  }
}

/** On a server that other machines reach, only the admin may read these: then there are none here. */
async function readUnmatched({ client }: Session, signal: AbortSignal, change: Change): Promise<void> {
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
      change((live) => afterAll(live, all));
    }, GATHER_MS);
  };
}

/** Exchanges that follow each other are added together: a load test sends hundreds in one batch. */
function afterAll(live: Live, events: readonly ControlEvent[]): Live {
  let now = live;
  let arrivals: Summary[] = [];
  for (const event of events) {
    if (event.event === 'exchange') {
      arrivals.push(event.data as Summary);
    } else {
      now = after(withArrivals(now, arrivals), event);
      arrivals = [];
    }
  }
  return withArrivals(now, arrivals);
}

function after(live: Live, { event, data }: ControlEvent): Live {
  switch (event) {
    case 'unmatched':
      return { ...live, unmatched: [data as Unmatched, ...live.unmatched].slice(0, MAX_UNMATCHED) };
    case 'cleared':
      return { ...live, ...NOTHING_KEPT, arrived: live.arrived, restarts: 0, clears: live.clears + 1, isWhole: true };
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
