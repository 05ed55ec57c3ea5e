/** The traffic: a live stream, and the open exchange. */
import { useMemo } from 'preact/hooks';
import { FirstLines } from '../first-lines.tsx';
import { Blank } from '../kit/blank.tsx';
import { Trouble } from '../kit/trouble.tsx';
import { type Place, setQuery } from '../route.ts';
import { ArchiveButton } from './archive.tsx';
import { useArrivals } from './arrivals.ts';
import { type Density, useDensity } from './density.ts';
import { ExchangeView } from './exchange.tsx';
import { filterIn, holdsText, matches } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { useInBodies } from './in-bodies.ts';
import { type Entry, MAX_KEPT, newerFirst, type Summary } from './kept.ts';
import { Keys } from './keys.tsx';
import { ExchangeList } from './list.tsx';
import type { Live } from './live.ts';
import { Overview } from './overview.tsx';
import { isUnclaimed, UnclaimedView } from './unclaimed.tsx';

/** Characters of a body in the journal. */
const KEPT = 16_384;
const CUT_BODIES = `Long bodies are kept, and searched, up to ${KEPT.toLocaleString('en-GB')} characters.`;

const isLong = ({ request, response }: Summary): boolean => request.bytes > KEPT || response.bytes > KEPT;

export function Traffic({ live, place }: { live: Live; place: Place }) {
  const { exchanges, unclaimed } = live;
  const [density, setDensity] = useDensity();
  const open = place.request;
  const entries = useMemo(
    () => (unclaimed.length === 0 ? exchanges : [...exchanges, ...unclaimed].sort(newerFirst)),
    [exchanges, unclaimed],
  );
  const filter = useMemo(() => filterIn(place.query), [place.query]);
  const inBodies = useInBodies(filter.text, live);
  const shown = useMemo(
    () => entries.filter((each) => matches(filter, each, inBodies.ids)),
    [entries, filter, inBodies.ids],
  );
  useArrivals(live);
  return (
    <div class={open === undefined ? 'traffic' : 'traffic opened'}>
      <section class="stream" aria-label="Traffic">
        <header class="view-head">
          <h1>Traffic</h1>
          <span class="count">{countWords(live, entries.length, shown.length)}</span>
          <DensitySwitch density={density} onChange={setDensity} />
          {exchanges.length > 0 && (
            <ArchiveButton ids={idsIn(shown)} name="requests.har">
              HAR
            </ArchiveButton>
          )}
          <Keys entries={shown} />
        </header>
        {entries.length > 0 && <FilterBar filter={filter} entries={entries} />}
        <Trouble error={inBodies.error} />
        {filter.text !== '' && exchanges.some(isLong) && <p class="hint searched">{CUT_BODIES}</p>}
        {shown.length > 0 && (
          <ExchangeList
            entries={shown}
            open={open}
            density={density}
            isInBody={(entry) => inBodies.ids.has(entry.id) && !holdsText(entry, filter.text)}
          />
        )}
        {shown.length === 0 && <Nothing live={live} entries={entries} isSearching={inBodies.isSearching} />}
      </section>
      <section class="beside">
        <Beside live={live} place={place} entries={entries} />
      </section>
    </div>
  );
}

/** Unclaimed requests are not in the journal. */
const idsIn = (entries: readonly Entry[]): string[] => entries.filter((each) => !isUnclaimed(each)).map(({ id }) => id);

function Beside({ live, place, entries }: { live: Live; place: Place; entries: readonly Entry[] }) {
  const { request, tab } = place;
  if (request === undefined && live.state === 'opening' && entries.length === 0) return <Blank rows={1} />;
  // The requests of this page are none of the client.
  if (request === undefined)
    return live.exchanges.every(({ fromDashboard }) => fromDashboard) ? (
      <FirstLines isFirst={entries.length === 0} />
    ) : (
      <Overview live={live} />
    );
  const stray = live.unclaimed.find(({ id }) => id === request);
  return stray ? <UnclaimedView request={stray} /> : <ExchangeView id={request} tab={tab} live={live} />;
}

/** `12 of 340`; `10,000 requests, the last 1,000 shown`. */
function countWords({ total, exchanges, unclaimed, state }: Live, all: number, shown: number): string {
  if (state === 'opening' && all === 0) return '';
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

interface NothingProps {
  readonly live: Live;
  readonly entries: readonly Entry[];
  readonly isSearching: boolean;
}

function Nothing({ live, entries, isSearching }: NothingProps) {
  if (entries.length === 0) {
    if (live.state === 'opening') return <Skeleton />;
    return <div class="empty">{live.state === 'live' && <p>No requests yet. Send one, and watch it arrive.</p>}</div>;
  }
  if (!live.isWhole) return <p class="empty">Reading older requests…</p>;
  if (isSearching) return <p class="empty">Searching the bodies…</p>;
  return (
    <div class="empty">
      <p>No request matches the filter.</p>
      <button type="button" class="plain" onClick={() => setQuery('')}>
        Clear the filter
      </button>
    </div>
  );
}

const Skeleton = () => (
  <ol class="exchanges skeleton" aria-hidden="true">
    {Array.from({ length: 8 }, (_, index) => (
      <li key={index} />
    ))}
  </ol>
);
