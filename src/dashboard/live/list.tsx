/** The list, newest first, in groups. Only rows that are seen exist, so that a thousand scroll like ten. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { duration } from '../../base/text.ts';
import { timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.tsx';
import { addressOf } from '../route.ts';
import type { Summary } from './kept.ts';

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

type Item = { readonly key: string } & ({ readonly group: RowGroup } | { readonly entry: Summary });

/** Pixels of a row, as in the style sheet. */
const ROW = 30;
/** Rows that exist above and below those that are seen. */
const MORE = 12;

export function ExchangeList({ groups, open }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [{ top, height }, setSeen] = useState({ top: 0, height: 900 });
  const items = useMemo(
    () =>
      groups.flatMap((group): Item[] => [
        ...(group.head === null ? [] : [{ key: `group ${group.name}`, group }]),
        ...group.entries.map((entry) => ({ key: entry.id, entry })),
      ]),
    [groups],
  );
  const look = (): void => {
    if (list.current) setSeen({ top: list.current.scrollTop, height: list.current.clientHeight });
  };
  useKeptPlace(list, items);
  useLayoutEffect(look, [items.length]);
  const at = items.findIndex((item) => 'entry' in item && item.entry.id === open);
  const show = (index: number): void => {
    const element = list.current;
    if (!element || index < 0) return;
    const from = index * ROW;
    if (from < element.scrollTop + ROW) element.scrollTop = Math.max(0, from - ROW);
    else if (from + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = from + ROW - element.clientHeight;
    look();
  };
  useLayoutEffect(() => show(at), [open]);
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = Number((event.target as HTMLElement).closest('li')?.dataset['index'] ?? Number.NaN);
    if (by === undefined || Number.isNaN(from)) return;
    event.preventDefault();
    let to = from + by;
    while (items[to] && !('entry' in (items[to] as Item))) to += by;
    if (!items[to]) return;
    show(to);
    focusSoon(list.current, `[data-index="${to}"] a`);
  };
  const first = Math.max(0, Math.floor(top / ROW) - MORE);
  const seen = items.slice(first, first + Math.ceil(height / ROW) + 2 * MORE);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows in it are links, and the arrows move between them
    <div ref={list} class="exchanges" onScroll={look} onKeyDown={step}>
      <ol aria-label="Requests, the newest first" style={{ height: `${items.length * ROW}px` }}>
        {seen.map((item, index) => (
          <li
            key={item.key}
            data-index={first + index}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * ROW}px` }}
          >
            {'group' in item ? (
              <div class="group" title={item.group.name}>
                {item.group.head}
              </div>
            ) : (
              <ListRow entry={item.entry} isOpen={item.entry.id === open} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What arrives above moves no row that is being read. */
function useKeptPlace(list: { readonly current: HTMLElement | null }, items: readonly Item[]): void {
  const before = useRef(items);
  useLayoutEffect(() => {
    const element = list.current;
    const old = before.current;
    before.current = items;
    if (!element || old === items || element.scrollTop < ROW) return;
    const top = old[Math.floor(element.scrollTop / ROW)]?.key;
    const [was, is] = [old, items].map((all) => all.findIndex(({ key }) => key === top)) as [number, number];
    if (is >= 0 && was !== is) element.scrollTop += (is - was) * ROW;
  }, [items]);
}

/** Keys may come faster than frames: an element that is there already gets the focus at once. */
function focusSoon(inside: HTMLElement | null, selector: string): void {
  const focus = (): boolean => {
    const element = inside?.querySelector<HTMLElement>(selector);
    element?.focus();
    return element !== null && element !== undefined;
  };
  if (!focus()) requestAnimationFrame(focus);
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
