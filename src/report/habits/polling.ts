/** A client that requests the same resource repeatedly, more than ten times a second. */
import { attemptKey, isParallel, isTooShort } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import { type Habit, MAX_TOLD, nameOf } from './habit.ts';

/** The maximum number of acceptable requests per second. */
const MAX_A_SECOND = 10;

/** One finding per target. Other requests in between end the run: a test suite requests many things in turn. */
export function polling(exchanges: readonly Exchange[]): Habit[] {
  const found = new Map<string, Habit>();
  for (const run of runsOf(exchanges)) {
    const fast = fastestIn(run);
    const [first, last] = [run[0] as Exchange, run.at(-1) as Exchange];
    if (fast === undefined || isParallel(exchanges, first, last)) continue;
    const name = `${nameOf(first)} ${first.operation}`;
    const before = found.get(name);
    if (!before && found.size >= MAX_TOLD) continue;
    found.set(name, {
      operation: first.operation,
      message:
        before?.message ??
        `${nameOf(first)} came ${run.length} times in a row, ${MAX_A_SECOND + 1} of them within ${Math.max(1, fast)} ms`,
      count: run.length + (before?.count ?? 0),
      evidence: [...(before?.evidence ?? []), ...run],
    });
  }
  return [...found.values()];
}

/** Consecutive requests for the same target. */
function runsOf(exchanges: readonly Exchange[]): Exchange[][] {
  const runs: Exchange[][] = [];
  let key: string | undefined;
  for (const each of exchanges) {
    const own = each.request.method === 'GET' ? attemptKey(each) : undefined;
    if (own !== undefined && own === key) runs.at(-1)?.push(each);
    else if (own !== undefined) runs.push([each]);
    key = own;
  }
  return runs.filter(({ length }) => length > MAX_A_SECOND);
}

/** The shortest time of eleven requests in milliseconds, if that is too fast. */
function fastestIn(run: readonly Exchange[]): number | undefined {
  for (let at = MAX_A_SECOND; at < run.length; at++) {
    const took = (run[at] as Exchange).at - (run[at - MAX_A_SECOND] as Exchange).at;
    if (isTooShort(took, 1_000)) return took;
  }
  return undefined;
}
