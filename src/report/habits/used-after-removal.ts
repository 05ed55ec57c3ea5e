/** A client that continues to call an operation after 410 reported its removal. */
import { isParallel, waitedMs } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import type { Habit } from './habit.ts';

/**
 * One finding per operation. A clock that is set back restores the operation, and the next 410 counts as the first
 * again.
 */
export function usedAfterRemoval(exchanges: readonly Exchange[]): Habit[] {
  const removed = new Map<string, Exchange[]>();
  const found = new Map<string, Exchange[]>();
  for (const each of exchanges) {
    const { operation, response } = each;
    if (operation === undefined || response.status === 0 || response.status === 401) continue;
    if (response.status !== 410) {
      removed.delete(operation);
      continue;
    }
    const before = removed.get(operation);
    const last = before?.at(-1);
    if (!before || !last) removed.set(operation, [each]);
    else if (waitedMs(last, each) >= 0 && !isParallel(exchanges, last, each)) {
      before.push(each);
      found.set(operation, before);
    }
  }
  return [...found].map(([operation, evidence]) => ({
    operation,
    message: `${operation} was called again after 410 had said that it is removed`,
    count: evidence.length - 1,
    evidence,
  }));
}
