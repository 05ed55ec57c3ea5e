/** A client that continues with a key that has expired or was revoked. */
import { isParallel, waitedMs } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import type { Habit } from './habit.ts';

/** Acceptable requests with a dead key: a few retries, and a few tests of this case. */
const MAX_REQUESTS = 10;

/** A journal contains 401s of its sandbox's own keys only: those of missing and unknown keys belong to no sandbox. */
export function deadKey(exchanges: readonly Exchange[]): Habit[] {
  const refused = exchanges.filter(({ response, injected }) => response.status === 401 && injected === undefined);
  const [first, ...others] = refused;
  if (!first) return [];
  const after = others.filter((each) => waitedMs(first, each) >= 0);
  // Workers that share a key each need a 401 before they stop.
  if (after.length < MAX_REQUESTS || isParallel(exchanges, first, after.at(-1) as Exchange)) return [];
  return [
    {
      operation: undefined,
      message: `${after.length + 1} requests came with a key that had expired or was revoked`,
      count: after.length + 1,
      evidence: [first, ...after],
    },
  ];
}
