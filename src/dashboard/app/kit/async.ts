/** Asynchronous loading for views, and actions of buttons. */
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { ClientError } from '../../../client/errors.ts';
import { ReachContext } from './trouble.tsx';

export interface Loaded<T> {
  /** The latest value; stays while it is reloaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Sets a known value, without a request. */
  readonly set: (value: T) => void;
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
  const isReached = useContext(ReachContext);
  // Back online, no error of before stays.
  useEffect(() => {
    if (isReached && isOffline(state.error)) reload();
  }, [isReached]);
  const set = useCallback((value: T) => setState({ value, isLoading: false }), []);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload, set };
}

const isOffline = (error: unknown): boolean => error instanceof ClientError && error.code === 'not_reached';

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
  const isReached = useContext(ReachContext);
  useEffect(() => {
    if (isReached) setError((before: unknown) => (isOffline(before) ? undefined : before));
  }, [isReached]);
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
