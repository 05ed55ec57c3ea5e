/** The exchanges, newest first. Only visible ones are rendered. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { duration, timeOfDay } from '../kit/time.ts';
import { useWindow } from '../kit/window.ts';
import { addressOf } from '../route.ts';
import type { Summary } from './live.ts';
import { Marks, Method, Status } from './marks.tsx';

/** Pixels; `--row` of the style sheet. */
const ROW = 60;

interface ListProps {
  readonly exchanges: readonly Summary[];
  readonly open: string | undefined;
  readonly own: ReadonlySet<string>;
}

export function ExchangeList({ exchanges, open, own }: ListProps) {
  const seen = useWindow(exchanges.length, ROW);
  const newest = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    // Keeps the scroll position of a reader further down: new rows are inserted above.
    const arrived = newest.current === undefined ? 0 : exchanges.findIndex(({ id }) => id === newest.current);
    if (arrived > 0 && !seen.isAtTop) seen.shift(arrived);
    newest.current = exchanges[0]?.id;
  }, [exchanges]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are used; arrow keys move between them
    <div class="exchanges" ref={seen.ref} onScroll={seen.onScroll} onKeyDown={stepWithArrows}>
      <ol
        aria-label="Exchanges, the newest first"
        style={{ paddingTop: `${seen.before}px`, paddingBottom: `${seen.after}px` }}
      >
        {exchanges.slice(seen.first, seen.end).map((exchange, index) => (
          <li key={exchange.id} aria-setsize={exchanges.length} aria-posinset={seen.first + index + 1}>
            <a
              href={addressOf('traffic', exchange.id)}
              class={exchange.violations.length > 0 ? 'exchange bad' : 'exchange'}
              aria-current={exchange.id === open ? 'true' : undefined}
            >
              <span class="what">
                <Method method={exchange.method} />
                <span class="target">{exchange.target}</span>
              </span>
              <Status status={exchange.status} />
              <span class="when">
                <time dateTime={exchange.at}>{timeOfDay(exchange.at)}</time>
                <span>{duration(exchange.durationMs)}</span>
              </span>
              <span class="marks">
                <Marks exchange={exchange} isOwn={own.has(exchange.id)} />
              </span>
            </a>
          </li>
        ))}
      </ol>
    </div>
  );
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
