/** The traffic of a sandbox as it happens: what the journal holds, and then every exchange once it is judged. */
import { useEffect, useState } from 'preact/hooks';
import type { ControlsClient } from '../../../client/client.ts';
import { ClientError } from '../../../client/errors.ts';
import type { ControlEvent } from '../../../client/events.ts';
import type { Schema } from '../../../client/routes.ts';

export type Summary = Schema<'ExchangeSummary'>;

/** As many as the journal keeps. */
export const MAX_KEPT = 1000;

/** Arrivals are gathered for this long: a load test must not draw the page anew for each. */
const GATHER_MS = 60;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

export interface Live {
  /** The newest first. */
  readonly exchanges: readonly Summary[];
  /** `opening` until the journal was read for the first time. */
  readonly state: 'opening' | 'live' | 'broken';
  /** Why it is broken. */
  readonly error: unknown;
  /** How often the sandbox went back, and how often its keys changed: what shows them loads anew by these. */
  readonly resets: number;
  readonly keyChanges: number;
  /** How many exchanges came by since the page was opened. */
  readonly arrived: number;
}

const NOTHING: Live = { exchanges: [], state: 'opening', error: undefined, resets: 0, keyChanges: 0, arrived: 0 };

/** Reads along until the page is left; comes back after an end, from where it was. */
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
        // The stream stands before the journal is read: nothing falls between the two.
        void readJournal(client, signal, change);
      };
      for await (const event of client.events({ lastEventId, signal, onOpen })) {
        lastEventId = event.id ?? lastEventId;
        gather(event);
      }
    } catch (error) {
      change((live) => ({ ...live, state: 'broken', error }));
      // Only a new key mends this.
      if (error instanceof ClientError && error.status === 401) return;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_RETRY_MS);
  }
}

async function readJournal(client: ControlsClient, signal: AbortSignal, change: Change): Promise<void> {
  try {
    const { requests } = await client.ask('GET /requests', { query: { limit: MAX_KEPT }, signal });
    change((live) => ({ ...live, state: 'live', error: undefined, exchanges: merged(live.exchanges, requests) }));
  } catch (error) {
    change((live) => ({ ...live, state: 'broken', error }));
  }
}

/** Both lists in one, each exchange once, the newest first. The journal's order is the order of the ids' arrival. */
function merged(arrived: readonly Summary[], journal: readonly Summary[]): readonly Summary[] {
  const known = new Set(journal.map(({ id }) => id));
  return [...arrived.filter(({ id }) => !known.has(id)), ...journal]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, MAX_KEPT);
}

/** Takes events one by one and hands them on in heaps. */
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
      return { ...live, arrived: live.arrived + 1, exchanges: [exchange, ...live.exchanges].slice(0, MAX_KEPT) };
    }
    case 'cleared':
      return { ...live, exchanges: [] };
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
