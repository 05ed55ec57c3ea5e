/** Renders only the visible rows: ten thousand rows scroll like forty. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows rendered beyond each edge, so that the next one can be focused by keyboard. */
const SPARE = 8;

export interface Seen {
  /** To be set on the scrolling element. */
  readonly ref: (element: HTMLElement | null) => void;
  readonly onScroll: () => void;
  /** The first rendered row, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Height in pixels of the rows that are not rendered. */
  readonly before: number;
  readonly after: number;
  /** Scrolls by this many rows. */
  readonly shift: (rows: number) => void;
  /** Scrolls no further than needed to show a row. */
  readonly reveal: (row: number) => void;
  readonly isAtTop: boolean;
}

/** @param height of one row in pixels; all rows are equal */
export function useWindow(count: number, height: number): Seen {
  const element = useRef<HTMLElement | null>(null);
  const observer = useRef<ResizeObserver | null>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const look = useCallback(() => {
    const now = element.current;
    if (now) setView({ top: now.scrollTop, height: now.clientHeight });
  }, []);
  const ref = useCallback(
    (found: HTMLElement | null) => {
      observer.current?.disconnect();
      element.current = found;
      if (!found) return;
      observer.current = new ResizeObserver(look);
      observer.current.observe(found);
    },
    [look],
  );
  useLayoutEffect(look, [count, look]);
  const shift = useCallback(
    (rows: number) => {
      if (element.current) element.current.scrollTop += rows * height;
    },
    [height],
  );
  const reveal = useCallback(
    (row: number) => {
      const now = element.current;
      if (!now) return;
      now.scrollTop = Math.min(row * height, Math.max(now.scrollTop, (row + 1) * height - now.clientHeight));
    },
    [height],
  );
  const end = Math.min(count, Math.ceil((view.top + view.height) / height) + SPARE);
  const first = Math.max(0, Math.min(Math.floor(view.top / height) - SPARE, end));
  return {
    ref,
    onScroll: look,
    first,
    end,
    before: first * height,
    after: (count - end) * height,
    shift,
    reveal,
    isAtTop: view.top < height,
  };
}
