/** Live: what the client sent, what is wrong with it, and what will be, on one screen. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { MAX_EXCHANGES } from '../../../core/limits.ts';
import { operationNames } from '../../../generated/facts.ts';
import { subjectOf } from '../../../report/kinds.ts';
import { useLoaded, useSettled } from '../kit/action.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { Menu } from '../kit/copy.tsx';
import { Choice, Field, named, Pair } from '../kit/form.tsx';
import { later } from '../kit/later.tsx';
import { Prose } from '../kit/prose.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf, type Filter, filterIn, placeNow, setFilter, type Tab, usePlace } from '../route.ts';
import { useSession } from '../session.ts';
import { type Standing, useSandboxState } from '../strip/state.ts';
import { First } from './empty.tsx';
import { ExchangeView } from './exchange.tsx';
import { failureAfter, hasViolation, inRun, narrowed, WORDS } from './filters.ts';
import type { Summary } from './kept.ts';
import { ExchangeList, type Group, Status } from './list.tsx';
import type { Live } from './live.ts';
import { HarReport, Looked } from './looked.tsx';
import { Verdict } from './verdict.tsx';
import { ChangeChips, WORD, Words } from './words.tsx';

/** The server searches again at most this often while requests arrive or somebody types. */
const CALM_MS = 300;

const Compose = later(async () => (await import('./resend.tsx')).Compose);

export function LiveView() {
  const { live, standing, future } = useSandboxState();
  const { request: open, tab, query } = usePlace();
  const filter = useMemo(() => filterIn(query), [query]);
  const found = useFound(filter.contains, live);
  const run = standing.value?.run?.run;
  const scope = useMemo(() => inRun(live.exchanges, run), [live.exchanges, run]);
  const entries = useMemo(() => narrowed(scope, filter, found.ids), [scope, filter, found.ids]);
  const groups = useMemo(
    () =>
      filter.group === 'issue'
        ? byIssue(entries, standing.value?.issues)
        : [...(entries.length > 0 ? [{ name: '', head: null, entries }] : []), ...otherRuns(standing.value, filter)],
    [entries, filter, run, standing.value],
  );
  const lookedUntil = useLooked(live.exchanges);
  useArrivals(live);
  useKeys(entries);
  useClosing(live, open);
  const isEmpty = live.exchanges.length === 0;
  const isNarrow = Object.keys(filter).some((name) => !['group', 'run', 'against'].includes(name));
  return (
    <div class={open === undefined ? 'live-view' : 'live-view opened'}>
      <h1 class="unseen">Live</h1>
      {!isEmpty && (
        <>
          <Words filter={filter} entries={scope} />
          <Looked />
        </>
      )}
      <div class="panes">
        <section class="stream" aria-label="Requests">
          {!isEmpty && <FilterBar filter={filter} entries={scope} />}
          {isNarrow && !isEmpty && (
            <p class="hint count" role="status">
              {entries.length.toLocaleString('en-GB')} of {many(scope.length, 'request')}{' '}
              <button
                type="button"
                class="plain"
                onClick={() =>
                  setFilter({ group: filter.group ?? '', run: filter.run ?? '', against: filter.against ?? '' })
                }
              >
                Clear the filter
              </button>
            </p>
          )}
          <Trouble error={found.error} />
          {groups.length > 0 ? (
            <ExchangeList groups={groups} open={open} lookedUntil={lookedUntil} />
          ) : (
            <Nothing filter={filter} />
          )}
          <UnmatchedRequests requests={live.unmatched} />
        </section>
        <section class="beside">
          {future.har && <HarReport har={future.har} />}
          <Beside open={open} tab={tab} filter={filter} />
        </section>
      </div>
    </div>
  );
}

/** Instead of the list. */
function Nothing({ filter }: { filter: Filter }) {
  const { state, exchanges } = useSandboxState().live;
  if (state === 'opening') return <Blank />;
  if (exchanges.length > 0) {
    const words = filter.group === 'issue' ? 'No issues in these requests.' : 'No request matches the filter.';
    return <p class="empty">{words}</p>;
  }
  return state === 'live' ? <p class="empty">No requests yet. They appear here as they arrive.</p> : null;
}

interface BesideProps {
  readonly open: string | undefined;
  readonly tab: Tab | undefined;
  readonly filter: Filter;
}

/** The open request, or the verdict on all. */
function Beside({ open, tab, filter }: BesideProps) {
  const { state, exchanges } = useSandboxState().live;
  if (open === 'new') return <Compose operation={placeNow().operation} />;
  if (open !== undefined) return <ExchangeView id={open} tab={tab} />;
  if (exchanges.length > 0) return <Verdict filter={filter} />;
  return state === 'live' ? <First /> : null;
}

/** What the server finds for a text, as ids; bodies are only there. */
function useFound(contains: string | undefined, live: Live) {
  const { client } = useSession();
  const wanted = useSettled(contains, CALM_MS);
  const arrived = useSettled(live.arrived, CALM_MS);
  const { value, error } = useLoaded(async () => {
    if (wanted === undefined) return undefined;
    const { requests } = await client.request('GET /requests', { query: { contains: wanted, limit: MAX_EXCHANGES } });
    return new Set(requests.map(({ id }) => id));
  }, [client, wanted, arrived, live.clears, live.state]);
  return { ids: contains === undefined ? undefined : value, error };
}

/** The other runs, each in one line with its verdict: a click selects it. */
function otherRuns(standing: Standing | undefined, filter: Filter): readonly Group[] {
  if (standing?.run === undefined) return [];
  return standing.runs
    .filter((each) => each !== standing.run)
    .map((run) => {
      const head = (
        <>
          <button type="button" class="plain" onClick={() => setFilter({ ...filter, run: run.run })}>
            {visible(run.run)}
          </button>{' '}
          <span class={`mark ${run.verdict}`}>{WORD[run.verdict]}</span> {many(run.requests, 'request')} ·{' '}
          {run.startedAt && timeOfDay(run.startedAt)} <ChangeChips {...run} />
        </>
      );
      return { name: run.run, head, entries: [] };
    });
}

const STATES = {
  open: '',
  'not-seen': 'not seen since',
  fixed: 'fixed since',
} as const;

const MARKS = { error: 'bad', incomplete: 'warn', warning: 'warn', note: 'fault' } as const;

/** What concerns a request as a whole has no place in it. */
const WHOLE = new Set(['operation', 'behavior']);

/** Each problem with its requests; of many, those that the report names. */
function byIssue(entries: readonly Summary[], issues: Schema<'Issues'> | undefined): readonly Group[] {
  const group = (issue: Schema<'Issue'>): Group => {
    const { level, label, location, message, state, count, requests, last, sample } = issue;
    const subject = subjectOf(issue);
    const ids = new Set([...requests, last]);
    const head = (
      <>
        <strong>
          {visible(subject)} {WHOLE.has(location) ? '' : visible(location)} <Prose text={message} />
        </strong>{' '}
        <span class={`mark ${label === 'Removed' ? 'bad' : MARKS[level]}`}>
          {count.toLocaleString('en-GB')}× {label}
        </span>{' '}
        {level !== 'note' && state !== 'open' && (
          <span class={state === 'fixed' ? 'mark good' : 'mark'}>{STATES[state]}</span>
        )}{' '}
        <span>{sample?.instead && `send ${visible(sample.instead)}`}</span>
      </>
    );
    const name = [label, subject, location, message].join(' ');
    return { name, head, entries: entries.filter(({ id }) => ids.has(id)) };
  };
  return [...(issues?.issues ?? []), ...(issues?.notes ?? [])].map(group);
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
      const broken = fresh.filter(hasViolation).length;
      announce(`${many(fresh.length, 'new request')}, ${broken} with a violation.`, { isSilent: true });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [arrived]);
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

/** Statuses of the API's responses. */
const STATUSES = ['200', '201', '400', '401', '404', '405', '410', '429', '500', '501', '503', '0'];

/** @param entries those of the selected run: each kind says how many it has of them */
function FilterBar({ filter, entries }: { filter: Filter; entries: readonly Summary[] }) {
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
          placeholder="Path, header or body"
          maxLength={200}
          title="Searches the headers that are kept, and bodies up to 16,384 characters."
          onInput={({ currentTarget }) => set('contains', currentTarget.value)}
        />
      </Field>
      <Choice label="Operation" none="All" value={filter.operation ?? ''} onChange={(name) => set('operation', name)}>
        {named([...operationNames, ...(filter.operation === 'none' ? ['none'] : [])])}
      </Choice>
      <Choice label="Status" none="All" value={filter.status ?? ''} onChange={(status) => set('status', status)}>
        {statuses.map((status) => [status, status === '0' ? 'cut' : status] as const)}
      </Choice>
      <Choice label="Show" none="All" value={filter.show ?? ''} onChange={(name) => set('show', name)}>
        {Object.entries(WORDS).map(
          ([name, { words, includes }]) => [name, `${entries.filter(includes).length} ${words}`] as const,
        )}
      </Choice>
      <Choice label="Group by" none="Run" value={filter.group ?? ''} onChange={(group) => set('group', group)}>
        {[['issue', 'Issue']]}
      </Choice>
      <Menu title="Shortcuts" class="keyboard">
        <dl class="pairs">
          {KEYS.map(([keys, what]) => (
            <Pair key={keys} name={<kbd class="mark">{keys}</kbd>}>
              {what}
            </Pair>
          ))}
        </dl>
      </Menu>
    </search>
  );
}

const KEYS = [
  ['j, k', 'open the next or the previous request'],
  ['Esc', 'close the request'],
  ['/', 'search'],
  ['n', 'open the next failure'],
  ['w', 'write a request'],
  ['?', 'show these shortcuts'],
] as const;

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
            <Status status={status} />
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
