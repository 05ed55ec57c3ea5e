/**
 * Checks of repeated lists: how many there are, how long the client waits between them, and what it says at the end.
 */
import { counted } from '../client/text.ts';
import type { Exchange } from '../requests/exchange.ts';
import { gapBetween, gapsOf, isFaulted, ms, NO_OUTCOME, of, succeeded } from './attempts.ts';
import { type Check, type Grade, graded, open, skipped } from './drill.ts';

const NO_RETRY_STORM = 'RFC 9110, section 9.2.2';
export const JITTER = 'Exponential Backoff And Jitter, AWS Architecture Blog, 2015';

/** The client succeeds so many times. */
export const recovers = (times: number): Check => ({
  id: 'recovers',
  level: 'should',
  title: 'The client succeeds each time.',
  source: 'RFC 9110, section 15.6.4',
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const lists = of(exchanges, 'listPets');
    if (lists.length <= 1) return skipped('the client did not try again');
    const whole = lists.filter(succeeded).length;
    return graded(outcome.success && whole >= times, {
      words: `the client said ${outcome.success ? 'success' : 'failure'} after ${counted(whole, 'whole list')}`,
      measured: String(whole),
      expected: String(times),
      exchanges: lists,
    });
  },
});

/** Shares of the mean, and milliseconds, that timers of an equal wait differ by on their own. */
const SAME_SHARE = 0.02;
const SAME_MS = 5;

export const jitter: Check = {
  id: 'jitter',
  level: 'should',
  title: 'The first waits differ.',
  source: JITTER,
  grade: ({ exchanges, outcome }) => {
    const firsts = firstRetries(of(exchanges, 'listPets'));
    if (firsts.length < 2) return outcome ? skipped('there are not two first retries') : open('there are not two yet');
    const gaps = firsts.map(([failed, next]) => gapBetween(failed, next));
    const spread = Math.max(...gaps) - Math.min(...gaps);
    const least = Math.max(SAME_MS, mean(gaps) * SAME_SHARE);
    return graded(spread >= least, {
      words: `the first waits are ${gaps.map(ms).join(', ')}`,
      measured: `a spread of ${ms(spread)}`,
      expected: `at least ${ms(least)}`,
      exchanges: firsts.flat(),
    });
  },
};

/** Each first failure of a list and the attempt after it: the fault's pattern is 503, 503, 200. */
function firstRetries(lists: readonly Exchange[]): readonly (readonly [failed: Exchange, next: Exchange])[] {
  return lists.flatMap((list, i) => {
    const next = lists[i + 1];
    const isFirst = isFaulted(list) && (i === 0 || !isFaulted(lists[i - 1] as Exchange));
    return isFirst && next ? [[list, next] as const] : [];
  });
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

export const fewAttempts = (id: string, level: Check['level'], most: number): Check => ({
  id,
  level,
  title: `There are at most ${most} attempts.`,
  source: NO_RETRY_STORM,
  grade: ({ exchanges }) => {
    const { length } = of(exchanges, 'listPets');
    if (length === 0) return open('no request met the fault');
    const words = `the client sent ${counted(length, 'request')}`;
    return graded(length <= most, { words, measured: String(length), expected: `at most ${most}`, exchanges });
  },
});

/** Gaps that a pause is measured by. */
const FIRST_GAPS = 3;

export const pauses = (id: string, level: Check['level'], least: number): Check => ({
  id,
  level,
  title: `The first waits are ${least} ms or longer on average.`,
  source: NO_RETRY_STORM,
  grade: (evidence) =>
    ofGaps(evidence.exchanges, evidence.outcome !== undefined, 1, (gaps, attempts) => {
      const pause = mean(gaps.slice(0, FIRST_GAPS));
      return graded(pause >= least, {
        words: `the client waited ${ms(pause)} on average`,
        measured: ms(pause),
        expected: `at least ${ms(least)}`,
        exchanges: attempts.slice(0, FIRST_GAPS + 1),
      });
    }),
});

/** By so much a later wait is longer than one before it. */
const GROWTH = 1.25;
/** Shorter waits are no backoff: a busy machine makes them. */
const SHORTEST_MS = 25;

export const backsOff: Check = {
  id: 'backs-off',
  level: 'should',
  title: 'The waits grow.',
  source: JITTER,
  grade: ({ exchanges, outcome }) =>
    ofGaps(exchanges, outcome !== undefined, 2, (gaps, attempts) => {
      // Against any wait before it: a busy machine makes single ones longer, the first one too.
      const grows = gaps.some(
        (gap, i) => i > 0 && gap >= Math.max(Math.min(...gaps.slice(0, i)) * GROWTH, SHORTEST_MS),
      );
      const waits = gaps.slice(0, 5).map(ms).join(', ');
      return graded(grows, {
        words: `the waits are ${waits}`,
        measured: waits,
        expected: `a wait of ${SHORTEST_MS} ms or more that is a quarter longer than one before it`,
        exchanges: attempts,
      });
    }),
};

/** Grades the waits between attempts, where there are so many. */
function ofGaps(
  exchanges: readonly Exchange[],
  isOver: boolean,
  least: number,
  grade: (gaps: readonly number[], attempts: readonly Exchange[]) => Grade,
): Grade {
  const attempts = of(exchanges, 'listPets');
  const gaps = gapsOf(attempts);
  if (gaps.length >= least) return grade(gaps, attempts);
  return isOver
    ? skipped(`the client sent ${counted(attempts.length, 'request')}`)
    : open('there are too few attempts so far');
}

/** For a situation in which nothing can succeed. */
export const saysFailure: Check = {
  id: 'says-failure',
  level: 'must',
  title: 'The client says failure.',
  source: 'RFC 9110, section 15.6.4',
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const says = outcome.success ? 'success' : 'failure';
    return graded(!outcome.success, {
      words: outcome.crashed ? 'the client was ended' : `the client said ${says}`,
      measured: says,
      expected: 'failure',
      exchanges: exchanges.slice(-1),
    });
  },
};
