/** A value that follows another at most once in a while, so that a load test does not reload a view at each request. */
import { useEffect, useRef, useState } from 'preact/hooks';

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
