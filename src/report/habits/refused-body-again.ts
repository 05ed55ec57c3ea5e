/** A client that resends an unchanged body after it was refused for its content. */
import { attemptKey, isParallel, waitedMs } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import { type Habit, MAX_TOLD, nameOf } from './habit.ts';

/** Statuses that do not change when the same body is sent again. */
const FINAL: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** One finding per body. A body that the journal stores in part cannot be compared. */
export function refusedBodyAgain(exchanges: readonly Exchange[]): Habit[] {
  const refused = new Map<string, Exchange[]>();
  for (const each of exchanges) {
    const { request, response, injected, cut } = each;
    if (!request.body || cut?.request || injected !== undefined || !FINAL.has(response.status)) continue;
    const key = attemptKey(each);
    const before = refused.get(key);
    const last = before?.at(-1);
    if (!before || !last) refused.set(key, [each]);
    else if (waitedMs(last, each) >= 0 && !isParallel(exchanges, last, each)) before.push(each);
  }
  return [...refused.values()]
    .filter(({ length }) => length > 1)
    .slice(0, MAX_TOLD)
    .map((evidence) => {
      const [first] = evidence as [Exchange];
      return {
        operation: first.operation,
        message: `${nameOf(first)} was refused with ${first.response.status}, and the same body came again`,
        count: evidence.length - 1,
        evidence,
      };
    });
}
