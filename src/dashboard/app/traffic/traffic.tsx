/** The traffic: a live stream, and the open exchange. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { operationNames } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { Blank } from '../kit/blank.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf, placeNow, setQuery, type ViewAddress } from '../route.ts';
import { ArchiveButton } from './archive.tsx';
import { ExchangeView } from './exchange.tsx';
import { type Filter, filterIn, holdsText, KINDS, matches, NONE, queryOf } from './filter.ts';
import { useInBodies } from './in-bodies.ts';
import type { Summary } from './kept.ts';
import { type Density, ExchangeList, useDensity } from './list.tsx';
import type { Live } from './live.ts';
import { FirstLines, Overview } from './overview.tsx';
import { UnmatchedRequests } from './unmatched.tsx';

/** Characters of a body in the request log. */
const KEPT = 16_384;
const CUT_BODIES = `Long bodies are kept, and searched, up to ${KEPT.toLocaleString('en-GB')} characters.`;

const isLong = ({ request, response }: Summary): boolean => request.bytes > KEPT || response.bytes > KEPT;

export function Traffic({ live, location }: { live: Live; location: ViewAddress }) {
  const [density, setDensity] = useDensity();
  const [paused, setPaused] = useState<readonly Summary[] | undefined>(undefined);
  const entries = paused ?? live.exchanges;
  const open = location.request;
  const lookedUntil = useLooked(live.exchanges);
  const filter = useMemo(() => filterIn(location.query), [location.query]);
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
          <button
            type="button"
            class="plain end"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : live.exchanges)}
          >
            {paused && live.exchanges[0] !== paused[0] ? 'Pause (more arrived)' : 'Pause'}
          </button>
          <DensitySwitch density={density} onChange={setDensity} />
          {entries.length > 0 && (
            <ArchiveButton ids={shown.map(({ id }) => id)} name="requests.har">
              HAR
            </ArchiveButton>
          )}
          <Keys entries={shown} />
        </header>
        {entries.length > 0 && <FilterBar filter={filter} entries={entries} />}
        <Trouble error={inBodies.error} />
        {filter.text !== '' && entries.some(isLong) && <p class="hint searched">{CUT_BODIES}</p>}
        {shown.length > 0 && (
          <ExchangeList
            entries={shown}
            open={open}
            density={density}
            lookedUntil={lookedUntil}
            isInBody={(entry) => inBodies.ids.has(entry.id) && !holdsText(entry, filter.text)}
          />
        )}
        {shown.length === 0 && <Nothing live={live} entries={entries} isSearching={inBodies.isSearching} />}
        <UnmatchedRequests requests={live.unmatched} />
      </section>
      <section class="beside">
        <Beside live={live} location={location} />
      </section>
    </div>
  );
}

function Beside({ live, location: { request, tab } }: { live: Live; location: ViewAddress }) {
  if (request !== undefined) return <ExchangeView id={request} tab={tab} live={live} />;
  if (live.state === 'opening' && live.exchanges.length === 0) return <Blank rows={1} />;
  // The requests of this page are none of the client.
  return live.exchanges.every(({ fromDashboard }) => fromDashboard) ? (
    <FirstLines isFirst={live.exchanges.length === 0} />
  ) : (
    <Overview />
  );
}

/** When the reader last looked at this page: what arrived while it was hidden is new. */
function useLooked(exchanges: readonly Summary[]): string | undefined {
  const [until, setUntil] = useState<string | undefined>(undefined);
  const newest = useRef<string | undefined>(undefined);
  newest.current = exchanges[0]?.at;
  useEffect(() => {
    const turn = (): void => {
      if (document.hidden) setUntil(newest.current ?? '');
    };
    document.addEventListener('visibilitychange', turn);
    return () => document.removeEventListener('visibilitychange', turn);
  }, []);
  return until;
}

/** `12 shown of 340 requests`; `10,000 requests, the last 1,000 kept`; while pages load, how many there are. */
function countWords({ total, exchanges, state, isWhole }: Live, all: number, shown: number): string {
  if (state === 'opening' && all === 0) return '';
  const number = (count: number): string => count.toLocaleString('en-GB');
  const kept =
    total <= exchanges.length
      ? ''
      : isWhole
        ? `, the last ${number(exchanges.length)} kept`
        : `, ${number(exchanges.length)} loaded`;
  const requests = `${many(total, 'request')}${kept}`;
  return shown === all ? requests : `${number(shown)} shown of ${requests}`;
}

const DensitySwitch = ({ density, onChange }: { density: Density; onChange: (density: Density) => void }) => (
  <button
    type="button"
    class="plain"
    aria-pressed={density === 'dense'}
    onClick={() => onChange(density === 'dense' ? 'comfortable' : 'dense')}
  >
    Dense rows
  </button>
);

interface NothingProps {
  readonly live: Live;
  readonly entries: readonly Summary[];
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

/** Arrivals are announced after a quiet period: not each request of a test run. */
const QUIET_MS = 1500;

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
          ? `${fresh[0].method} ${visible(fresh[0].target)}, ${fresh[0].status}`
          : many(fresh.length, 'new request');
      const breaks = broken === 1 ? 'one breaks' : `${broken} break`;
      announce(broken > 0 ? `${what}: ${breaks} the specification.` : `${what}.`, { isSilent: true });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [arrived]);
}

/** The fields of the filter. */
interface FilterBarProps {
  readonly filter: Filter;
  readonly entries: readonly Summary[];
}

function FilterBar({ filter, entries }: FilterBarProps) {
  const set = (change: Partial<Filter>): void => setQuery(queryOf({ ...filter, ...change }));
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((a, b) => a - b).map(String);
  const classes = [...new Set(statuses.map((status) => `${status[0]}xx`))];
  const known = [...classes, ...statuses];
  return (
    <search class="filters">
      <Search text={filter.text} onType={(text) => set({ text })} />
      <Choice label="Operation" value={filter.operation} onChange={(operation) => set({ operation })}>
        {[...operationNames.map((name) => [name, name] as const), [NONE, 'No operation']]}
      </Choice>
      <Choice label="Status" value={filter.status} onChange={(status) => set({ status })}>
        {(filter.status === '' || known.includes(filter.status) ? known : [...known, filter.status]).map(
          (status) => [status, status] as const,
        )}
      </Choice>
      <Choice label="Show" value={filter.show} onChange={(show) => set({ show })}>
        {Object.entries(KINDS).map(([name, [label]]) => [name, label] as const)}
      </Choice>
    </search>
  );
}

/** The address follows what is typed a moment later; the field keeps what was typed meanwhile. */
function Search({ text, onType }: { text: string; onType: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const field = input.current;
    if (field && field !== document.activeElement) field.value = text;
  }, [text]);
  return (
    <label class="search">
      <span>Search</span>
      <input
        ref={input}
        type="search"
        placeholder="Path, body, finding"
        maxLength={200}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: readonly (readonly [value: string, label: string])[];
}

const Choice = ({ label, value, onChange, children }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">All</option>
      {children.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** The keys of the traffic view: j and k open the next and the previous request, / searches, ? shows this list. */
const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j, k', 'open the next or the previous request'],
  ['Home, End', 'in the list: open the newest or the oldest request'],
  ['Enter', 'open the request that has the focus'],
  ['Esc', 'close the request'],
  ['/', 'search'],
  ['?', 'show these keys'],
];

function Keys({ entries }: { entries: readonly Summary[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const go = (entry: Summary | undefined): void => {
      if (entry) location.hash = addressOf('traffic', entry.id, placeNow().tab);
    };
    // Keys may come faster than the page is drawn.
    const at = (): number => entries.findIndex(({ id }) => id === placeNow().request);
    const inList = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest('.exchanges');
    const actions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
      j: () => go(entries[at() + 1]),
      k: () => go(entries[Math.max(0, at() - 1)]),
      Home: ({ target }) => inList(target) && go(entries[0]),
      End: ({ target }) => inList(target) && go(entries.at(-1)),
      Escape: () => {
        if (placeNow().request !== undefined) location.hash = addressOf('traffic');
      },
      '/': (event) => {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('.search input')?.focus();
      },
      '?': () => dialog.current?.showModal(),
    };
    const press = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea, dialog *, dialog');
      if (!isTyping && !ctrlKey && !metaKey && !altKey) actions[key]?.(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [entries]);
  return (
    <>
      <button type="button" class="plain keyboard" onClick={() => dialog.current?.showModal()}>
        Keys
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="pairs">
          {KEYS.map(([keys, what]) => (
            <>
              <dt key={keys}>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
