/** The list, newest first, in groups. */
import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { duration } from '../../base/text.ts';
import { timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.tsx';
import { addressOf } from '../route.ts';
import type { Summary } from './live.ts';

/** A heading with the rows below it. */
export interface RowGroup {
  readonly name: string;
  readonly head: ComponentChildren;
  readonly entries: readonly Summary[];
}

interface ListProps {
  readonly groups: readonly RowGroup[];
  readonly open: string | undefined;
}

/** The browser draws the rows that are seen, and keeps them in their place when others arrive above. */
export function ExchangeList({ groups, open }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [open]);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
    const next = rows[rows.indexOf(event.target as HTMLElement) + (by ?? Number.NaN)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <ol ref={list} class="exchanges" aria-label="Requests, the newest first" onKeyDown={step}>
      {groups.map(({ name, head, entries }) => (
        <Fragment key={name}>
          {head !== null && <li class="group">{head}</li>}
          {entries.map((entry) => (
            <li key={entry.id}>
              <ListRow entry={entry} isOpen={entry.id === open} />
            </li>
          ))}
        </Fragment>
      ))}
    </ol>
  );
}

interface RowProps {
  readonly entry: Summary;
  readonly isOpen: boolean;
}

/** One request: what came back, what was sent, and what is wrong with it. */
function ListRow({ entry, isOpen }: RowProps) {
  const { id, at, method, target, petName, status, kind, remarks, fromDashboard, durationMs } = entry;
  const [path, query] = target.replace(/^\/v1(?=\/)/, '').split(/(?=\?)/s, 2);
  return (
    <a
      href={addressOf('live', id)}
      class="exchange"
      aria-current={isOpen ? 'true' : undefined}
      title={`${timeOfDay(at)}, ${duration(durationMs)}`}
    >
      <StatusCode status={status} isDashed={kind === 'notValidated'} />
      <span class="what">
        <span class="method">{method}</span> <span class="target">{visible(path ?? '')}</span>
        {petName === null ? (
          query && <span class="target hint">{visible(query)}</span>
        ) : (
          <span class="hint"> “{visible(petName)}”</span>
        )}{' '}
        <span class="says">
          {remarks.map(({ kind: tone, text }) => (
            <span key={text} class={tone}>
              {visible(text)}
            </span>
          ))}
        </span>
      </span>
      <span class="marks">
        {fromDashboard && <span class="mark">this page</span>} {duration(durationMs)}
      </span>
    </a>
  );
}

/** The status of a response. @param isDashed nobody validated it */
export const StatusCode = ({ status, isDashed = false }: { status: number; isDashed?: boolean }) => (
  <span class={`status ${isDashed ? 'dashed' : status === 410 ? 'bad' : `s${String(status)[0]}`}`}>
    {status === 0 ? 'cut' : status}
  </span>
);
