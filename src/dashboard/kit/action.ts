/** Loading for views, and actions of buttons. */
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import { useAnnounce } from './announce.tsx';
import { ReachContext } from './trouble.tsx';

export interface Loaded<T> {
  /** The latest value; stays while it is reloaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Loads now, whenever `by` changes, and on demand; an outdated response is dropped. */
export function useLoaded<T>(load: () => Promise<T>, by: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown }>({});
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isOvertaken = false;
    load().then(
      (value) => isOvertaken || setState({ value }),
      (error: unknown) => isOvertaken || setState((old) => ({ ...old, error })),
    );
    return () => {
      isOvertaken = true;
    };
  }, [...by, asked]);
  const reload = useCallback(() => setAsked((times) => times + 1), []);
  const isReached = useContext(ReachContext);
  // Back online, no error of before stays.
  useEffect(() => {
    if (isReached && isOffline(state.error)) reload();
  }, [isReached]);
  return { value: state.value, error: state.error, reload };
}

const isOffline = (error: unknown): boolean => error instanceof ClientError && error.code === 'not_reached';

export interface Action {
  /**
   * Does something unless it is being done; its error is kept as `error`.
   * @param work may return a sentence that is announced @returns whether it succeeded
   */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: unknown;
}

export function useAction(): Action {
  const announce = useAnnounce();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const busy = useRef(false);
  const isReached = useContext(ReachContext);
  useEffect(() => {
    if (isReached) setError((before: unknown) => (isOffline(before) ? undefined : before));
  }, [isReached]);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.current) return false;
    busy.current = true;
    setBusy(true);
    setError(undefined);
    const returnFocus = focusKeeper();
    try {
      const said = await work();
      if (typeof said === 'string') announce(said);
      return true;
    } catch (failed) {
      setError(failed);
      return false;
    } finally {
      busy.current = false;
      setBusy(false);
      requestAnimationFrame(returnFocus);
    }
  }, []);
  return { run, isBusy, error };
}

/** An action may disable or remove what has the focus. Then it goes back there, or to the nearest part that is left. */
function focusKeeper(): () => void {
  const had = document.activeElement;
  const around = ['li', '.card', 'main'].map((each) => had?.closest<HTMLElement>(each));
  return () => {
    if (had === document.body || document.activeElement !== document.body) return;
    if (had instanceof HTMLElement && had.isConnected) return had.focus();
    const left = around.find((each) => each?.isConnected);
    if (!left) return;
    left.tabIndex = -1;
    left.focus();
  };
}

/** A value that follows another at most once in a while, so that a load test does not reload a view at each request. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (value === settled || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setSettled(latest.current);
    }, ms);
  }, [value, settled, ms]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return settled;
}
