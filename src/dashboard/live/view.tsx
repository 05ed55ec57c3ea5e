/** Live: what the client sent, what is wrong with it, and what to send instead, on one screen. */

import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Schema } from '../../client/routes.ts';
import { useLoaded, useSettled } from '../kit/action.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { Prose, visible } from '../kit/visible.tsx';
import { ALL_RUNS, addressOf, type Filter, filterIn, placeNow, setFilter, type Tab, usePlace } from '../route.ts';
import { useSession } from '../session.ts';
import { type Standing, useSandboxState } from '../strip/state.ts';
import { WhatToChange } from './changes.tsx';
import { First } from './empty.tsx';
import { ExchangeView } from './exchange.tsx';
import { failureAfter, inRun, isFailingRow } from './filters.ts';
import { HarView } from './har.tsx';
import { ExchangeList, type RowGroup, StatusCode } from './list.tsx';
import type { Live } from './live.ts';
import { MAX_ROWS, type Summary } from './live.ts';
import { Compose } from './resend.tsx';
import { WORD, Words } from './words.tsx';

/** The server searches again at most this often while requests arrive or somebody types. */
const CALM_MS = 300;

export function LiveView() {
  const { har } = useSandboxState();
  return har ? <HarView har={har} /> : <Requests />;
}

function Requests() {
  const { live, standing } = useSandboxState();
  const { request: open, tab, query } = usePlace();
  const filter = useMemo(() => filterIn(query), [query]);
  const found = useFound(filter, live, standing.value);
  const groups = useMemo(() => {
    const listed = found.requests ?? live.exchanges;
    const entries = filter.failures ? listed.filter(isFailingRow) : listed;
    return groupsOf(entries, standing.value, filter);
  }, [live.exchanges, found.requests, filter, standing.value]);
  const entries = useMemo(() => groups.flatMap((group) => group.entries), [groups]);
  useKeys(entries);
  useClosing(live, open);
  const isEmpty = live.exchanges.length === 0;
  return (
    <div class={open === undefined ? 'live-view' : 'live-view opened'}>
      <h1 class="unseen">Live</h1>
      <Words filter={filter} />
      <div class="panes">
        <section class="stream" aria-label="Requests">
          {!isEmpty && <FilterBar filter={filter} />}
          <Trouble error={found.error} />
          {groups.length > 0 && <ExchangeList groups={groups} open={open} />}
          {entries.length === 0 && <Nothing />}
          <UnmatchedRequests requests={live.unmatched} />
        </section>
        <section class="beside">
          <Beside open={open} tab={tab} filter={filter} />
        </section>
      </div>
    </div>
  );
}

/** Instead of rows. */
function Nothing() {
  const { baseUrl } = useSession();
  const { state, exchanges } = useSandboxState().live;
  if (exchanges.length > 0) return <p class="empty">No request matches.</p>;
  if (state !== 'live') return null;
  return (
    <div class="empty">
      <p>No requests yet. They appear here as they arrive.</p>
      <p>
        If your command has run, it sent nothing to <code>{baseUrl}</code>: does it read <code>SANDBOX_URL</code>?
      </p>
    </div>
  );
}

interface BesideProps {
  readonly open: string | undefined;
  readonly tab: Tab | undefined;
  readonly filter: Filter;
}

/** The open request, or what to change. */
function Beside({ open, tab, filter }: BesideProps) {
  const { state, exchanges } = useSandboxState().live;
  if (open === 'new') return <Compose operation={placeNow().operation} />;
  if (open !== undefined) return <ExchangeView id={open} tab={tab} />;
  if (exchanges.length > 0) return <WhatToChange filter={filter} />;
  return state === 'live' ? <First /> : null;
}

/** What only the server finds: a text, because bodies are there, and a run whose requests are not all loaded. */
function useFound({ contains, run }: Filter, live: Live, standing: Standing | undefined) {
  const { client } = useSession();
  const wanted = useSettled(contains, CALM_MS);
  const arrived = useSettled(live.arrived, CALM_MS);
  const isLoaded = live.exchanges.length < MAX_ROWS || run === undefined || run === ALL_RUNS || !standing;
  const { value, error } = useLoaded(async () => {
    if (wanted === undefined && isLoaded) return undefined;
    const query = wanted === undefined ? { run } : { contains: wanted };
    return (await client.request('GET /requests', { query: { ...query, limit: MAX_ROWS } })).requests;
  }, [client, wanted, run, isLoaded, arrived, live.clears, live.state]);
  return { requests: contains === undefined && isLoaded ? undefined : value, error };
}

/** The selected run, and each other run in one line: a click selects it, and what a search found there stands below. */
function groupsOf(entries: readonly Summary[], standing: Standing | undefined, filter: Filter): readonly RowGroup[] {
  const selected = standing?.run;
  const rows = inRun(entries, selected?.run);
  const first = rows.length > 0 ? [{ name: '', head: null, entries: rows }] : [];
  if (!selected) return first;
  const others = standing.runs.filter((run) => run !== selected && run.requests > 0);
  return [
    ...first,
    ...others.map(({ run, startedAt, verdict, requests }) => ({
      name: run,
      head: (
        <button type="button" class="plain" onClick={() => setFilter({ ...filter, run, change: '' })}>
          {visible(run)}, {startedAt && timeOfDay(startedAt)} · {WORD[verdict]} · {many(requests, 'request')}
        </button>
      ),
      entries: filter.contains === undefined ? [] : inRun(entries, run),
    })),
  ];
}

/** Closes a request that went with the request log. */
function useClosing({ clears, restarts, exchanges }: Live, open: string | undefined): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (clears + restarts === 0 || open === undefined || open === 'new') return;
    if (exchanges.some(({ id }) => id === open)) return;
    location.hash = addressOf('live');
    announce('The open request is no longer in the request log.');
  }, [clears, restarts]);
}

function FilterBar({ filter }: { filter: Filter }) {
  const input = useRef<HTMLInputElement>(null);
  // The address follows what is typed; the field keeps what was typed meanwhile.
  useLayoutEffect(() => {
    const field = input.current;
    if (field && field !== document.activeElement) field.value = filter.contains ?? '';
  }, [filter.contains]);
  return (
    <search class="filters">
      <input
        ref={input}
        type="search"
        aria-label="Search all runs"
        placeholder="Path, header, body, status, id"
        maxLength={200}
        onInput={({ currentTarget }) => setFilter({ ...filter, contains: currentTarget.value })}
      />
      <label>
        failures only
        <input
          type="checkbox"
          checked={filter.failures !== undefined}
          onChange={({ currentTarget }) => setFilter({ ...filter, failures: currentTarget.checked ? '1' : '' })}
        />
      </label>
    </search>
  );
}

function useKeys(entries: readonly Summary[]): void {
  useEffect(() => {
    const go = (by: number): void => {
      // Keys may come faster than the page is drawn.
      const at = entries.findIndex(({ id }) => id === placeNow().request) + by;
      const entry = entries[Math.max(0, at)];
      if (entry) location.hash = addressOf('live', entry.id, placeNow().tab);
    };
    const actions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
      j: () => go(1),
      k: () => go(-1),
      n: () => {
        const next = failureAfter(entries, placeNow().request);
        if (next) location.hash = addressOf('live', next.id);
      },
      w: () => {
        location.hash = addressOf('live', 'new');
      },
      Escape: () => {
        if (placeNow().request !== undefined) location.hash = addressOf('live');
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
            <StatusCode status={status} />
            <span class="entry">
              <span class="target">
                {method} {visible(path)}
              </span>
              <span>
                <Prose text={message} />
              </span>
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
