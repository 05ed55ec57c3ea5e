/** What checks read out of exchanges: which of them met a fault, what came after it, and how long the client waited. */

import type { Exchange } from '../../base/api/exchange.ts';
import type { OperationName } from '../../base/generated/facts.ts';
import { type Check, type DrillRun, graded, skipped, undecided } from './drill.ts';

/** What a fault replaced, changed, cut off or delayed. */
export const isFaulted = ({ injectedFault, delayMs }: Exchange): boolean => injectedFault !== undefined || delayMs > 0;

/** Whether the client met a fault. */
export const metFault = ({ exchanges }: DrillRun): boolean => exchanges.some(isFaulted);

export const of = (exchanges: readonly Exchange[], ...operations: readonly OperationName[]): readonly Exchange[] =>
  exchanges.filter(({ operation }) => (operations as readonly (string | undefined)[]).includes(operation));

/** Whole responses of a success, as the service means them. */
export const succeeded = (exchange: Exchange): boolean =>
  exchange.injectedFault === undefined && exchange.response.status >= 200 && exchange.response.status < 300;

/** Milliseconds from the end of one exchange to the beginning of the next; 0 where they overlap. */
export const gapBetween = (before: Exchange, next: Exchange): number => Math.max(0, next.at - before.respondedAt);

/** The milliseconds between each two attempts in a row. */
export const gapsOf = (attempts: readonly Exchange[]): readonly number[] =>
  attempts.slice(1).map((next, i) => gapBetween(attempts[i] as Exchange, next));

/** A failed attempt, and the retry of it. */
export type RetriedAttempt = readonly [failed: Exchange, next: Exchange];

/**
 * Pairs the failed attempts, in the order of their responses, with what came after them. Nothing tells which client sent
 * which retry of several: if one is early in this pairing, one is early in any.
 */
export function retriesOf(attempts: readonly Exchange[]): readonly RetriedAttempt[] {
  const failed = attempts.filter(isFaulted).sort((a, b) => a.respondedAt - b.respondedAt);
  const later = attempts.slice(attempts.findIndex(isFaulted)).filter((attempt) => !isFaulted(attempt));
  return failed.slice(0, later.length).map((each, i) => [each, later[i] as Exchange]);
}

/** What may be missing from a time that the server named: clocks and timers are not exact to the millisecond. */
const withGrace = (ms: number): number => ms - Math.max(ms * 0.05, 50);

export const ms = (time: number): string => `${Math.round(time)} ms`;

/** Each retry of a faulted attempt waits as long as the response asked for. Nothing fails for being late. */
export const waits = (operation: OperationName, waitMs: number, source: string): Check => ({
  id: 'waited',
  level: 'must',
  title: 'The next attempt comes after the time in Retry-After.',
  source,
  fix: 'Wait for Retry-After, in seconds or as a date, before the next attempt. Add jitter, but never subtract it.',
  grade: ({ exchanges, outcome }) => {
    const attempts = of(exchanges, operation);
    if (!attempts.some(isFaulted)) return undecided('no request met the fault');
    const retries = retriesOf(attempts);
    const [earliest] = retries.toSorted((a, b) => gapBetween(...a) - gapBetween(...b));
    if (!earliest)
      return outcome ? skipped('the client did not try again') : undecided('the client has not tried again');
    const gap = gapBetween(...earliest);
    const least = withGrace(waitMs);
    return graded(gap >= least, {
      words: `the ${retries.length === 1 ? 'next attempt' : `earliest of ${retries.length} retries`} came after ${ms(gap)}`,
      measured: ms(gap),
      expected: `at least ${ms(least)}`,
      exchanges: earliest,
    });
  },
});
