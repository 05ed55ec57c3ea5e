/** The stream, newest first. The browser lays out only the rows that are seen, and keeps the reader's place. */

import { Component } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { duration } from '../../../core/text.ts';
import { timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import type { Summary } from './kept.ts';

interface ListProps {
  readonly entries: readonly Summary[];
  readonly open: string | undefined;
  /** Rows after this time are new since the reader looked; `undefined` for none. */
  readonly lookedUntil: string | undefined;
}

export function ExchangeList({ entries, open, lookedUntil }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <ol ref={list} class="exchanges" aria-label="Requests, the newest first" onKeyDown={stepWithArrows}>
      {entries.map((entry) => (
        <Row
          key={entry.id}
          entry={entry}
          isOpen={entry.id === open}
          isNew={lookedUntil !== undefined && entry.at > lookedUntil}
        />
      ))}
    </ol>
  );
}

function stepWithArrows(event: KeyboardEvent): void {
  const item = (event.target as HTMLElement).closest('li');
  const next = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();
  next.querySelector('a')?.focus();
}

interface RowProps {
  readonly entry: Summary;
  readonly isOpen: boolean;
  readonly isNew: boolean;
}

/** One row of the stream: what was sent, what came back, and what is wrong with it. Of a thousand, few are drawn again. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ entry, isOpen, isNew }: RowProps): boolean {
    return entry !== this.props.entry || isOpen !== this.props.isOpen || isNew !== this.props.isNew;
  }

  override render({ entry, isOpen, isNew }: RowProps) {
    const { id, at, method, target, petName, status, remarks, fromDashboard, durationMs } = entry;
    const [path, query] = target.split(/(?=\?)/s, 2);
    return (
      <li>
        <a href={addressOf('traffic', id)} class="exchange" aria-current={isOpen ? 'true' : undefined}>
          <span class="what">
            <span class="method">{method}</span> <span class="target">{visible(path ?? '')}</span>
            {petName === null ? (
              query && <span class="target hint">{visible(query)}</span>
            ) : (
              <span class="hint"> “{visible(petName)}”</span>
            )}
          </span>
          <Status status={status} />
          <time class="marks" dateTime={at}>
            {timeOfDay(at)}
          </time>
          <span class="says">
            {remarks.map(({ kind, text }) => (
              <span key={text} class={kind}>
                {visible(text)}
              </span>
            ))}
          </span>
          <span class="marks">
            {isNew && <span class="mark new">new</span>} {fromDashboard && <span class="mark">this page</span>}{' '}
            {duration(durationMs)}
          </span>
        </a>
      </li>
    );
  }
}

/** The status of a response. */
export const Status = ({ status }: { status: number }) => (
  <span class={`status s${String(status)[0]}`}>{status === 0 ? 'cut' : status}</span>
);
