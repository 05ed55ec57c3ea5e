/** Shows only the rows that can be seen: ten thousand rows scroll like forty. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond each edge, so that the keyboard finds the next one there. */
const SPARE = 8;

export interface Seen {
  /** Goes onto the element that scrolls. */
  readonly ref: (element: HTMLElement | null) => void;
  readonly onScroll: () => void;
  /** The first row that is there, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Pixels that the rows which are not there would take. */
  readonly before: number;
  readonly after: number;
  /** Moves what is seen by this many rows. */
  readonly shift: (rows: number) => void;
  readonly isAtTop: boolean;
}

/** @param height of one row in pixels, all the same */
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
    isAtTop: view.top < height,
  };
}
