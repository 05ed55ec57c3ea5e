/** Asynchronous loading for views, and actions of buttons. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** The latest value; stays while it is reloaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Sets a known value, without a request. */
  readonly set: (value: T) => void;
  /** Changes the present value, if there is one, without a request. */
  readonly change: (how: (value: T) => T) => void;
}

/** Loads now, whenever `by` changes, and on demand; an outdated response is dropped. */
export function useLoaded<T>(load: () => Promise<T>, by: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isOvertaken = false;
    setState((old) => ({ ...old, isLoading: true }));
    load().then(
      (value) => isOvertaken || setState({ value, isLoading: false }),
      (error: unknown) => isOvertaken || setState((old) => ({ ...old, error, isLoading: false })),
    );
    return () => {
      isOvertaken = true;
    };
  }, [...by, asked]);
  const reload = useCallback(() => setAsked((times) => times + 1), []);
  const set = useCallback((value: T) => setState({ value, isLoading: false }), []);
  const change = useCallback(
    (how: (value: T) => T) => setState((old) => (old.value === undefined ? old : { ...old, value: how(old.value) })),
    [],
  );
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload, set, change };
}

export interface Action {
  /** Runs an action unless it is running; an error is stored as `error`. @returns whether it succeeded */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: unknown;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const busy = useRef(false);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.current) return false;
    busy.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (failed) {
      setError(failed);
      return false;
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }, []);
  return { run, isBusy, error };
}
