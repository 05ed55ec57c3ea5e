/** Search over bodies. The page has no bodies of the rows, so the server searches, and the page remembers the ids. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ClientError } from '../../../client/errors.ts';
import { useSettled } from '../kit/settled.ts';
import { type Session, useSession } from '../session.ts';
import type { Live } from './live.ts';

/** A single character is in nearly every body. */
const SHORTEST = 2;
const TYPING_MS = 250;
const CALM_MS = 500;
/** Exchanges of one response. */
const PAGE = 250;

interface InBodies {
  /** The exchanges whose target or bodies contain the text. */
  readonly ids: ReadonlySet<string>;
  readonly isSearching: boolean;
  readonly error: unknown;
}

const NOTHING: InBodies = { ids: new Set(), isSearching: false, error: undefined };

/** Searches when the reader stops typing, and in what arrives later. */
export function useInBodies(text: string, { exchanges, arrived, clears, state }: Live): InBodies {
  const session = useSession();
  const [found, setFound] = useState(NOTHING);
  const searched = useRef<string | undefined>(undefined);
  const settled = useSettled(arrived, CALM_MS);
  const isLong = text.length >= SHORTEST && state !== 'opening';

  const search = async (signal: AbortSignal, since?: string): Promise<void> => {
    try {
      const latest = exchanges[0]?.id;
      const ids = await idsWith(session, { contains: text, since, signal });
      searched.current = latest;
      setFound((before) => ({ ...NOTHING, ids: since === undefined ? ids : new Set([...before.ids, ...ids]) }));
    } catch (error) {
      if (!signal.aborted) setFound((before) => ({ ...before, isSearching: false, error }));
    }
  };
  useEffect(() => {
    searched.current = undefined;
    setFound(isLong ? { ...NOTHING, isSearching: true } : NOTHING);
    if (!isLong) return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => void search(leaving.signal), TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [session, text, clears, isLong]);
  useEffect(() => {
    const since = searched.current;
    if (!isLong || since === undefined) return undefined;
    const leaving = new AbortController();
    const isKept = exchanges.some(({ id }) => id === since);
    void search(leaving.signal, isKept ? since : undefined);
    return () => leaving.abort();
  }, [settled]);
  return found;
}

interface Query {
  readonly contains: string;
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}

async function idsWith(session: Session, query: Query): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let before: string | undefined;
  try {
    for (;;) {
      const { requests, last, isLast } = await session.readPage({ ...query, limit: PAGE, before });
      for (const { id } of requests) ids.add(id);
      if (isLast) return ids;
      before = last;
    }
  } catch (error) {
    // The request log has dropped the exchange that the search went on from.
    if (query.since === undefined || !(error instanceof ClientError) || error.status !== 404) throw error;
    return idsWith(session, { ...query, since: undefined });
  }
}
