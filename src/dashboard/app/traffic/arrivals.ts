/** Tells screen readers of arrivals, in one sentence; everybody else sees the rows light up. */
import { useEffect, useRef } from 'preact/hooks';
import { useAnnounce } from '../kit/announce.tsx';
import { many } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import type { Live } from './live.ts';

/** Arrivals are announced after a quiet period: not each request of a test run. */
const QUIET_MS = 1500;

export function useArrivals({ arrived, exchanges }: Live): void {
  const announce = useAnnounce();
  const told = useRef(arrived);
  useEffect(() => {
    if (arrived === told.current) return undefined;
    const timer = setTimeout(() => {
      const fresh = exchanges.slice(0, arrived - told.current);
      told.current = arrived;
      const broken = fresh.filter(({ violations }) => violations.length > 0).length;
      const what =
        fresh.length === 1 && fresh[0]
          ? `${fresh[0].method} ${visible(fresh[0].target)}, ${fresh[0].status}`
          : many(fresh.length, 'new request');
      const breaks = broken === 1 ? 'one breaks' : `${broken} break`;
      announce(broken > 0 ? `${what}: ${breaks} the specification.` : `${what}.`, { isSilent: true });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [arrived]);
}
