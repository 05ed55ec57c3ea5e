/** The traffic: a live stream, and the open request. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { operationNames } from '../../../generated/facts.ts';
import { useLoaded, useSettled } from '../kit/action.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { Menu } from '../kit/copy.tsx';
import { Choice, Field, named, Pair } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf, type Filter, filterIn, placeNow, setFilter, usePlace } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { ExchangeView } from './exchange.tsx';
import { MAX_KEPT, type Summary } from './kept.ts';
import { ExchangeList, Status } from './list.tsx';
import type { Live } from './live.ts';
import { FirstLines, Overview } from './overview.tsx';

/** The server searches again at most this often while requests arrive or somebody types. */
const CALM_MS = 300;

export function Traffic() {
  const { live } = useSandboxState();
  const { request: open, tab, query } = usePlace();
  const [paused, setPaused] = useState<readonly Summary[] | undefined>(undefined);
  const filter = filterIn(query);
  const found = useFound(filter, live);
  const all = found?.value?.requests ?? live.exchanges;
  const entries = paused ?? all;
  const lookedUntil = useLooked(live.exchanges);
  useArrivals(live);
  useKeys(entries);
  return (
    <div class={open === undefined ? 'traffic' : 'traffic opened'}>
      <section class="stream" aria-label="Traffic">
        <header class="view-head">
          <h1>Traffic</h1>
          <span class="count">{countWords(live, found?.value?.total)}</span>
          <button
            type="button"
            class="plain end"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : all)}
          >
            {paused && all[0]?.id !== paused[0]?.id ? 'Pause (more arrived)' : 'Pause'}
          </button>
          <Menu title="Keys" class="keyboard">
            <dl class="pairs">
              {KEYS.map(([keys, what]) => (
                <Pair key={keys} name={<kbd class="mark">{keys}</kbd>}>
                  {what}
                </Pair>
              ))}
            </dl>
          </Menu>
        </header>
        {live.total > 0 && <FilterBar filter={filter} />}
        <Trouble error={found?.error} />
        {entries.length > 0 ? (
          <ExchangeList entries={entries} open={open} lookedUntil={lookedUntil} />
        ) : live.state === 'opening' || (found && !found.value) ? (
          <Blank />
        ) : (
          live.state === 'live' && <Nothing isFiltered={found !== undefined} />
        )}
        <UnmatchedRequests requests={live.unmatched} />
      </section>
      <section class="beside">
        {open === undefined ? <Glance live={live} /> : <ExchangeView id={open} tab={tab} />}
      </section>
    </div>
  );
}

/** While no request is open. */
function Glance({ live }: { live: Live }) {
  if (live.state === 'opening' && live.exchanges.length === 0) return <Blank />;
  // The requests of this page are none of the client.
  return live.exchanges.every(({ fromDashboard }) => fromDashboard) ? (
    <FirstLines isFirst={live.exchanges.length === 0} />
  ) : (
    <Overview />
  );
}

/** What the server finds for a filter; `undefined` without one. */
function useFound(filter: Filter, live: Live) {
  const { client } = useSession();
  const wanted = useSettled(JSON.stringify(filter), CALM_MS);
  const arrived = useSettled(live.arrived, CALM_MS);
  const found = useLoaded(async () => {
    if (wanted === '{}') return undefined;
    const query = { ...(JSON.parse(wanted) as Filter), limit: MAX_KEPT };
    return client.request('GET /requests', { query: query as object });
  }, [client, wanted, arrived, live.clears, live.state]);
  return wanted === '{}' && Object.keys(filter).length === 0 ? undefined : found;
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
function countWords({ total, exchanges, state, isWhole }: Live, found: number | undefined): string {
  if (state === 'opening' && exchanges.length === 0) return '';
  const number = (count: number): string => count.toLocaleString('en-GB');
  if (found !== undefined) return `${number(found)} shown of ${many(total, 'request')}`;
  if (total <= exchanges.length) return many(total, 'request');
  return `${many(total, 'request')}, ${isWhole ? `the last ${number(exchanges.length)} kept` : `${number(exchanges.length)} loaded`}`;
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <div class="empty">
    <p>{isFiltered ? 'No request matches the filter.' : 'No requests yet. Send one, and watch it arrive.'}</p>
    {isFiltered && (
      <button type="button" class="plain" onClick={() => setFilter({})}>
        Clear the filter
      </button>
    )}
  </div>
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
      announce(`${many(fresh.length, 'new request')}, ${broken} with a violation.`, { isSilent: true });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [arrived]);
}

/** Statuses of the API's responses. */
const STATUSES = ['200', '201', '400', '401', '404', '410', '429', '500', '503'];

function FilterBar({ filter }: { filter: Filter }) {
  const input = useRef<HTMLInputElement>(null);
  const set = (name: keyof Filter, value: string): void => setFilter({ ...filter, [name]: value });
  // The address follows what is typed; the field keeps what was typed meanwhile.
  useLayoutEffect(() => {
    const field = input.current;
    if (field && field !== document.activeElement) field.value = filter.contains ?? '';
  }, [filter.contains]);
  const statuses = [...new Set([...STATUSES, ...(filter.status ? [filter.status] : [])])];
  return (
    <search class="filters">
      <Field label="Search">
        <input
          ref={input}
          type="search"
          placeholder="Path or body"
          maxLength={200}
          title="Bodies are searched up to 16,384 characters."
          onInput={({ currentTarget }) => set('contains', currentTarget.value)}
        />
      </Field>
      <Choice label="Operation" none="All" value={filter.operation ?? ''} onChange={(name) => set('operation', name)}>
        {named(operationNames)}
      </Choice>
      <Choice label="Status" none="All" value={filter.status ?? ''} onChange={(status) => set('status', status)}>
        {named(statuses)}
      </Choice>
      <Choice label="Show" none="All" value={filter.violations ?? ''} onChange={(value) => set('violations', value)}>
        {[
          ['true', 'Violations'],
          ['false', 'Valid'],
        ]}
      </Choice>
    </search>
  );
}

const KEYS = [
  ['j, k', 'open the next or the previous request'],
  ['Esc', 'close the request'],
  ['/', 'search'],
  ['?', 'show these keys'],
] as const;

function useKeys(entries: readonly Summary[]): void {
  useEffect(() => {
    const go = (by: number): void => {
      // Keys may come faster than the page is drawn.
      const at = entries.findIndex(({ id }) => id === placeNow().request) + by;
      const entry = entries[Math.max(0, at)];
      if (entry) location.hash = addressOf('traffic', entry.id, placeNow().tab);
    };
    const actions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
      j: () => go(1),
      k: () => go(-1),
      Escape: () => {
        if (placeNow().request !== undefined) location.hash = addressOf('traffic');
      },
      '/': (event) => {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('[type="search"]')?.focus();
      },
      '?': () => document.querySelector('.keyboard')?.toggleAttribute('open'),
    };
    const press = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea, dialog *, dialog');
      if (!isTyping && !ctrlKey && !metaKey && !altKey) actions[key]?.(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [entries]);
}

/** Unmatched requests that are listed. */
const MOST = 50;

/** Requests that belong to no sandbox, as one line that opens: why, and what to send instead. */
function UnmatchedRequests({ requests }: { requests: readonly Schema<'UnmatchedRequest'>[] }) {
  if (requests.length === 0) return null;
  return (
    <details class="unmatched">
      <summary>{many(requests.length, 'request')} matched no sandbox</summary>
      <p class="hint">
        They came without a usable key, or to no path of the API. The list is the same for all sandboxes of this server.
      </p>
      <ul class="entries">
        {requests.slice(0, MOST).map(({ id, at, method, path, status, message, instead, userAgent }) => (
          <li key={id}>
            <Status status={status} />
            <span class="entry">
              <span class="target">
                {method} {visible(path)}
              </span>
              <span>{message.replaceAll('`', '')}</span>
              <small>
                Send <code>{instead}</code> {userAgent !== null && ` · ${visible(userAgent)}`}
              </small>
            </span>
            <small>{timeOfDay(at)}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}
