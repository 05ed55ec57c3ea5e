/** The stream, newest first. Only visible rows are rendered. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { duration, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { useWindow } from '../kit/window.ts';
import { addressOf } from '../route.ts';
import type { Summary } from './kept.ts';
import { Method, Status } from './marks.tsx';

/** How long a row counts as just arrived, in milliseconds; its light fades within that. */
const FRESH_MS = 1600;

interface ListProps {
  readonly entries: readonly Summary[];
  readonly open: string | undefined;
  readonly density: Density;
  /** Rows after this one are new since the reader looked; `undefined` for none. */
  readonly lookedUntil: string | undefined;
  /** Whether a row is listed for what its bodies contain. */
  readonly isInBody: (entry: Summary) => boolean;
}

export function ExchangeList({ entries, open, density, lookedUntil, isInBody }: ListProps) {
  const seen = useWindow(entries.length, ROW_HEIGHT[density]);
  const isFresh = useFreshness(entries);
  const newest = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    // Keeps the scroll position of a reader further down: new rows are inserted above.
    const arrived = newest.current === undefined ? 0 : entries.findIndex(({ id }) => id === newest.current);
    if (arrived > 0 && !seen.isAtTop) seen.shift(arrived);
    newest.current = entries[0]?.id;
  }, [entries]);

  useLayoutEffect(() => {
    const row = entries.findIndex(({ id }) => id === open);
    if (row >= 0) seen.reveal(row);
  }, [open, density]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are used; arrow keys move between them
    <div
      class={density === 'dense' ? 'exchanges dense' : 'exchanges'}
      ref={seen.ref}
      onScroll={seen.onScroll}
      onKeyDown={stepWithArrows}
    >
      <ol
        aria-label="Requests, the newest first"
        style={{ paddingTop: `${seen.before}px`, paddingBottom: `${seen.after}px` }}
      >
        {entries.slice(seen.first, seen.end).map((entry, index) => (
          <li key={entry.id} aria-setsize={entries.length} aria-posinset={seen.first + index + 1}>
            <Row
              entry={entry}
              isOpen={entry.id === open}
              isFresh={isFresh(entry.id)}
              isNew={lookedUntil !== undefined && entry.at > lookedUntil}
              isInBody={isInBody(entry)}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Tells which rows have just arrived: those newer than all that were there before. */
function useFreshness(entries: readonly Summary[]): (id: string) => boolean {
  const seen = useRef<{ newest: string | undefined; at: Map<string, number> }>({ newest: undefined, at: new Map() });
  const now = performance.now();
  const { newest, at } = seen.current;
  for (const entry of entries) {
    if (newest === undefined || entry.at <= newest) break;
    if (!at.has(entry.id)) at.set(entry.id, now);
  }
  for (const [id, since] of at) if (now - since > FRESH_MS) at.delete(id);
  seen.current.newest = entries[0]?.at ?? newest;
  return (id) => at.has(id);
}

function stepWithArrows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const item = (event.target as HTMLElement).closest('li');
  const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
  const link = next?.querySelector('a');
  if (!link) return;
  event.preventDefault();
  link.focus();
}

/** One row of the stream. It says what was sent, what came back, and what is wrong with it. */
interface RowProps {
  readonly entry: Summary;
  readonly isOpen: boolean;
  readonly isFresh: boolean;
  readonly isNew: boolean;
  readonly isInBody: boolean;
}

const IN_BODY = { kind: 'quiet', text: 'found in a body' } as const;

function Row({ entry, isOpen, isFresh, isNew, isInBody }: RowProps) {
  const [path, subject] = partsOf(entry);
  const remarks = isInBody ? [IN_BODY, ...entry.remarks] : entry.remarks;
  return (
    <a
      href={addressOf('traffic', entry.id)}
      class={isFresh ? 'exchange fresh' : 'exchange'}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span class="what">
        <Method method={entry.method} />
        <span class="target">{visible(path)}</span>
        {subject !== '' && <span class={subject[0] === '?' ? 'subject target' : 'subject'}>{visible(subject)}</span>}
      </span>
      <Status status={entry.status} />
      <span class="says">
        {remarks.map(({ kind, text }) => (
          <span key={text} class={kind}>
            {visible(text)}
          </span>
        ))}
      </span>
      <span class="marks">
        {isNew && <span class="mark fresh-mark">new</span>}
        {entry.fromDashboard && <span class="mark">this page</span>}
        <span class="duration">{duration(entry.durationMs)}</span>
      </span>
      <time class="when" dateTime={entry.at}>
        {timeOfDay(entry.at)}
      </time>
    </a>
  );
}

/** The path, and what it is about: the name of the pet, or the parameters. */
function partsOf({ target, petName }: Summary): readonly [path: string, subject: string] {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return [path, petName === null ? (at < 0 ? '' : target.slice(at)) : `“${petName}”`];
}

/** The height of the rows: comfortable with two lines, or dense with one. The choice is kept by the browser. */
export type Density = 'comfortable' | 'dense';

/** Pixels; as in `stream.css`. */
const ROW_HEIGHT: Readonly<Record<Density, number>> = { comfortable: 56, dense: 32 };

const SLOT = 'petstore-sandbox-rows';

/** The density, and what changes it. Only the one that is not the default is stored. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(localStorage.getItem(SLOT) === 'dense' ? 'dense' : 'comfortable');
  const choose = useCallback((chosen: Density) => {
    if (chosen === 'dense') localStorage.setItem(SLOT, chosen);
    else localStorage.removeItem(SLOT);
    setDensity(chosen);
  }, []);
  return [density, choose];
}
