/** What takes a while: loading for a view, and doing what a button says. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** What came last; stays while it is loaded again. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Puts in what is known already, without asking. */
  readonly set: (value: T) => void;
}

/** Loads now, whenever `by` changes, and on demand; an answer that was overtaken is dropped. */
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
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload, set };
}

export interface Action {
  /** Does it, unless it is being done; what goes wrong is kept as `error`. @returns whether it was done */
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
