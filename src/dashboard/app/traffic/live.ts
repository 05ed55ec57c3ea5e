/** The live traffic of a sandbox: the content of the journal, then every exchange once it is judged. */
import { useEffect, useState } from 'preact/hooks';
import type { ControlsClient } from '../../../client/client.ts';
import { ClientError } from '../../../client/errors.ts';
import type { ControlEvent } from '../../../client/events.ts';
import type { Schema } from '../../../client/routes.ts';

export type Summary = Schema<'ExchangeSummary'>;
type Unclaimed = Schema<'UnclaimedRequest'>;

/** A row of the stream. */
export type Entry = Summary | Unclaimed;

/** The capacity of the journal. */
export const MAX_KEPT = 1000;

/** Exchanges that are read first, so that rows are soon there on a slow line. */
const FIRST_PAGE = 50;
/** Unclaimed requests that are shown. */
const MAX_UNCLAIMED = 500;

/** Arrivals are batched for this long: a load test must not redraw the page for each. */
const GATHER_MS = 60;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

export interface Live {
  /** Newest first: the last ones, as many as the journal keeps. */
  readonly exchanges: readonly Summary[];
  /** The number of all exchanges since the journal was cleared. */
  readonly total: number;
  /** Requests without a sandbox, newest first; empty where this key may not see them. */
  readonly unclaimed: readonly Unclaimed[];
  /** `opening` until the journal was read for the first time. */
  readonly state: 'opening' | 'live' | 'broken';
  /** The error, if the stream is broken. */
  readonly error: unknown;
  /** Counts of resets and of key changes: views reload when these change. */
  readonly resets: number;
  readonly keyChanges: number;
  /** The number of exchanges since the page was opened. */
  readonly arrived: number;
}

const NOTHING: Live = {
  exchanges: [],
  total: 0,
  unclaimed: [],
  state: 'opening',
  error: undefined,
  resets: 0,
  keyChanges: 0,
  arrived: 0,
};

/** Follows the traffic until the page is left; reconnects after an end, from the last position. */
export function useLive(client: ControlsClient): Live {
  const [live, setLive] = useState(NOTHING);
  useEffect(() => {
    const leaving = new AbortController();
    setLive(NOTHING);
    void follow(client, leaving.signal, setLive);
    return () => leaving.abort();
  }, [client]);
  return live;
}

type Change = (change: (live: Live) => Live) => void;

async function follow(client: ControlsClient, signal: AbortSignal, setLive: Change): Promise<void> {
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
        // The stream is open before the journal is read: no exchange is missed in between.
        void readJournal(client, signal, change);
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

async function readJournal(client: ControlsClient, signal: AbortSignal, change: Change): Promise<void> {
  // On a server that other machines reach, only the admin may read these: then there are none here.
  const strays = client.request('GET /unclaimed', { signal }).catch(() => ({ requests: [] }));
  try {
    for (const limit of [FIRST_PAGE, MAX_KEPT]) {
      const { requests, total, dropped } = await client.request('GET /requests', { query: { limit }, signal });
      const unclaimed = (await strays).requests;
      change((live) => ({
        ...withJournal(live, requests, total + dropped),
        unclaimed: merged(live.unclaimed, unclaimed, MAX_UNCLAIMED),
      }));
      if (total <= limit) break;
    }
  } catch (error) {
    change((live) => ({ ...live, state: 'broken', error }));
  }
}

function withJournal(live: Live, journal: readonly Summary[], inJournal: number): Live {
  const exchanges = merged(live.exchanges, journal, MAX_KEPT);
  const newestInJournal = journal[0]?.at ?? '';
  // What came while the journal was being read is not in its total.
  const since = live.exchanges.filter(({ id, at }) => at > newestInJournal && !journal.some((each) => each.id === id));
  return { ...live, state: 'live', error: undefined, exchanges, total: inJournal + since.length };
}

/** Both lists in one, each entry once, newest first. The journal's order is the order in which ids arrived. */
function merged<T extends Entry>(arrived: readonly T[], journal: readonly T[], most: number): readonly T[] {
  const known = new Set(journal.map(({ id }) => id));
  return [...arrived.filter(({ id }) => !known.has(id)), ...journal].sort(newerFirst).slice(0, most);
}

export const newerFirst = (a: Entry, b: Entry): number => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0);

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

function after(live: Live, { event, data }: ControlEvent): Live {
  switch (event) {
    case 'exchange': {
      const exchange = data as Summary;
      if (live.exchanges.some(({ id }) => id === exchange.id)) return live;
      const exchanges = [exchange, ...live.exchanges].slice(0, MAX_KEPT);
      return { ...live, arrived: live.arrived + 1, total: live.total + 1, exchanges };
    }
    case 'unclaimed':
      return { ...live, unclaimed: [data as Unclaimed, ...live.unclaimed].slice(0, MAX_UNCLAIMED) };
    case 'cleared':
      return { ...live, exchanges: [], total: 0 };
    case 'reset':
      return { ...live, resets: live.resets + 1 };
    case 'key':
      return { ...live, keyChanges: live.keyChanges + 1 };
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
