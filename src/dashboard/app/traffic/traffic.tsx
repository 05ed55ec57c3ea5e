/** The traffic: a live list, and the open exchange. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FirstLines } from '../first-lines.tsx';
import { useAnnounce } from '../kit/announce.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import { ExchangeView } from './exchange.tsx';
import { ALL, FilterBar, matches } from './filter.tsx';
import { ExchangeList } from './list.tsx';
import type { Live } from './live.ts';

/** Arrivals are announced after a quiet period: not each request of a test run. */
const QUIET_MS = 1500;

export function Traffic({ live, open }: { live: Live; open: string | undefined }) {
  const { pets } = useSession();
  const [filter, setFilter] = useState(ALL);
  const shown = useMemo(() => live.exchanges.filter((each) => matches(filter, each)), [live.exchanges, filter]);
  useArrivals(live);
  return (
    <div class={open === undefined ? 'traffic' : 'traffic opened'}>
      <section class="stream" aria-label="Traffic">
        <header class="view-head">
          <h1>Traffic</h1>
          <LiveSign live={live} />
        </header>
        {live.state === 'broken' && <Trouble error={live.error} />}
        {live.exchanges.length > 0 && (
          <FilterBar filter={filter} onChange={setFilter} exchanges={live.exchanges} shown={shown.length} />
        )}
        {shown.length > 0 && <ExchangeList exchanges={shown} open={open} own={pets.sent} />}
        {live.exchanges.length > 0 && shown.length === 0 && (
          <div class="empty">
            <p>No exchange matches the filter.</p>
            <button type="button" class="plain" onClick={() => setFilter(ALL)}>
              Show all
            </button>
          </div>
        )}
        {live.exchanges.length === 0 && live.state !== 'opening' && (
          <div class="empty">
            <p>Nothing yet. Send one of these and watch it arrive.</p>
          </div>
        )}
      </section>
      <section class="beside">
        {open === undefined ? <FirstLines isFirst={live.exchanges.length === 0} /> : <ExchangeView id={open} />}
      </section>
    </div>
  );
}

const LiveSign = ({ live: { state } }: { live: Live }) => (
  <span class={`live ${state}`}>
    {state === 'live' ? 'live' : state === 'opening' ? 'connecting' : 'not connected'}
  </span>
);

/** Announces arrivals, in one sentence. */
function useArrivals({ arrived, exchanges }: Live): void {
  const announce = useAnnounce();
  const told = useRef(arrived);
  useEffect(() => {
    if (arrived === told.current) return undefined;
    const timer = setTimeout(() => {
      const fresh = exchanges.slice(0, arrived - told.current);
      told.current = arrived;
      const broken = fresh.filter(({ violations }) => violations.length > 0).length;
      const what =
        fresh.length === 1 && fresh[0]
          ? `${fresh[0].method} ${fresh[0].target}, ${fresh[0].status}`
          : many(fresh.length, 'new request');
      announce(
        broken > 0 ? `${what}: ${broken === 1 ? 'one breaks' : `${broken} break`} the specification.` : `${what}.`,
      );
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [arrived]);
}
