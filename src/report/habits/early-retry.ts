/** A client that retries before the time of `Retry-After` has passed. */
import { attemptKey, isParallel, isTooShort, retryAfterMs, waitedMs } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import { type Habit, MAX_TOLD, nameOf } from './habit.ts';

/** One finding per operation: the first early retry, and the number of them. */
export function earlyRetry(exchanges: readonly Exchange[]): Habit[] {
  const found = new Map<string, { first: Exchange; again: Exchange; asked: number; count: number; all: Exchange[] }>();
  const waiting = new Map<string, Exchange>();
  for (const each of exchanges) {
    const key = attemptKey(each);
    const before = waiting.get(key);
    const asked = before && retryAfterMs(before);
    if (before && asked !== undefined && waitedMs(before, each) >= 0) {
      waiting.delete(key);
      if (isTooShort(waitedMs(before, each), asked) && !isParallel(exchanges, before, each)) {
        const name = nameOf(each);
        const known = found.get(name) ?? { first: before, again: each, asked, count: 0, all: [] };
        known.count += 1;
        known.all.push(before, each);
        found.set(name, known);
      }
    }
    if ((retryAfterMs(each) ?? 0) > 0) waiting.set(key, each);
  }
  return [...found].slice(0, MAX_TOLD).map(([name, { first, again, asked, count, all }]) => ({
    operation: again.operation,
    message: `${name} came again after ${waitedMs(first, again)} ms, and ${first.response.status} with Retry-After had asked for ${asked} ms`,
    count,
    evidence: [...new Set(all)],
  }));
}
