/** The traffic: a live stream, and the open exchange. */
import { useMemo } from 'preact/hooks';
import { FirstLines } from '../first-lines.tsx';
import { type Place, setQuery } from '../route.ts';
import { useArrivals } from './arrivals.ts';
import { type Density, useDensity } from './density.ts';
import { ExchangeView } from './exchange.tsx';
import { filterIn, matches } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { Keys } from './keys.tsx';
import { ExchangeList } from './list.tsx';
import { type Entry, type Live, MAX_KEPT, newerFirst } from './live.ts';
import { Overview } from './overview.tsx';
import { UnclaimedView } from './unclaimed.tsx';

export function Traffic({ live, place }: { live: Live; place: Place }) {
  const { exchanges, unclaimed } = live;
  const [density, setDensity] = useDensity();
  const open = place.request;
  const entries = useMemo(
    () => (unclaimed.length === 0 ? exchanges : [...exchanges, ...unclaimed].sort(newerFirst)),
    [exchanges, unclaimed],
  );
  const filter = useMemo(() => filterIn(place.query), [place.query]);
  const shown = useMemo(() => entries.filter((each) => matches(filter, each)), [entries, filter]);
  useArrivals(live);
  return (
    <div class={open === undefined ? 'traffic' : 'traffic opened'}>
      <section class="stream" aria-label="Traffic">
        <header class="view-head">
          <h1>Traffic</h1>
          <span class="count">{countWords(live, entries.length, shown.length)}</span>
          <DensitySwitch density={density} onChange={setDensity} />
          <Keys entries={shown} />
        </header>
        {entries.length > 0 && <FilterBar filter={filter} entries={entries} />}
        {shown.length > 0 && <ExchangeList entries={shown} open={open} density={density} />}
        {shown.length === 0 && live.state === 'live' && <Nothing isFiltered={entries.length > 0} />}
        {entries.length === 0 && live.state === 'opening' && <Skeleton />}
      </section>
      <section class="beside">
        <Beside live={live} place={place} entries={entries} />
      </section>
    </div>
  );
}

function Beside({ live, place, entries }: { live: Live; place: Place; entries: readonly Entry[] }) {
  const { request, tab } = place;
  if (request === undefined)
    return live.exchanges.length === 0 ? <FirstLines isFirst={entries.length === 0} /> : <Overview live={live} />;
  const stray = live.unclaimed.find(({ id }) => id === request);
  return stray ? <UnclaimedView request={stray} /> : <ExchangeView id={request} tab={tab} live={live} />;
}

/** `12 of 340`; `10,000 requests, the last 1,000 shown`. */
function countWords({ total, exchanges, unclaimed, state }: Live, all: number, shown: number): string {
  if (state === 'opening') return '';
  const number = (count: number): string => count.toLocaleString('en-GB');
  const strays = unclaimed.length === 0 ? '' : `, ${number(unclaimed.length)} unclaimed`;
  const kept = total > exchanges.length ? `, the last ${number(Math.min(exchanges.length, MAX_KEPT))} kept` : '';
  const requests = `${number(total)} ${total === 1 ? 'request' : 'requests'}${kept}${strays}`;
  return shown === all ? requests : `${number(shown)} shown of ${requests}`;
}

const DensitySwitch = ({ density, onChange }: { density: Density; onChange: (density: Density) => void }) => (
  <button
    type="button"
    class="plain end"
    aria-pressed={density === 'dense'}
    onClick={() => onChange(density === 'dense' ? 'comfortable' : 'dense')}
  >
    Dense rows
  </button>
);

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <div class="empty">
    {isFiltered ? (
      <>
        <p>No request matches the filter.</p>
        <button type="button" class="plain" onClick={() => setQuery('')}>
          Clear the filter
        </button>
      </>
    ) : (
      <p>No requests yet. Send one, and watch it arrive.</p>
    )}
  </div>
);

const Skeleton = () => (
  <ol class="exchanges skeleton" aria-hidden="true">
    {Array.from({ length: 8 }, (_, index) => (
      <li key={index} />
    ))}
  </ol>
);
