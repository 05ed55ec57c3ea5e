/** Drills about retry behavior against a failing server: the client waits, and stops. */
import type { Exchange } from '../../base/api/exchange.ts';
import { counted } from '../../base/text.ts';
import {
  gapBetween,
  gapsOf,
  isFaulted,
  metFault,
  ms,
  of,
  type RetriedAttempt,
  retriesOf,
  succeeded,
  waits,
} from './attempts.ts';
import { atMost, type Check, type Drill, type Grade, graded, NO_OUTCOME, skipped, undecided } from './drill.ts';
import { HANG_MS } from './writes.ts';

const RETRY_AFTER = 'RFC 9110, section 10.2.3';
const TOO_MANY = 'RFC 6585, section 4';

const leaves: Check = {
  id: 'leaves',
  level: 'should',
  title: 'The client times out on its own.',
  source: 'Timeouts, retries, and backoff with jitter, Amazon Builders’ Library',
  fix: 'Set a timeout: many clients have none by default.',
  grade: ({ exchanges }) => {
    const hung = of(exchanges, 'listPets').find(isFaulted);
    if (!hung) return undecided('no request has ended');
    const { disconnectedAt, at, respondedAt } = hung;
    const waited = (disconnectedAt ?? respondedAt) - at;
    return graded(disconnectedAt !== undefined, {
      words:
        disconnectedAt === undefined ? 'the client waited for the response' : `the client left after ${ms(waited)}`,
      measured: ms(waited),
      expected: `less than ${ms(HANG_MS)}`,
      exchanges: [hung],
    });
  },
};

const withRevokedKey = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ response }) => response.status === 401);

const stopsWithKey = atMost(2, 'came with the revoked key', withRevokedKey, {
  id: 'stops',
  level: 'must',
  title: 'At most 2 requests come with the revoked key.',
  source: 'RFC 9110, section 15.5.2',
  fix: 'Never retry a 401 with the same key.',
});

const NO_RETRY_STORM = 'RFC 9110, section 9.2.2';
const JITTER = 'Exponential Backoff And Jitter, AWS Architecture Blog, 2015';
const BACK_OFF =
  'Use exponential backoff with a limit: start at 100 ms or more, double the wait each time, and give up after a few attempts.';

/** The client succeeds so many times. */
const recovers = (times: number): Check => ({
  id: 'recovers',
  level: 'should',
  title: 'The client succeeds each time.',
  source: 'RFC 9110, section 15.6.4',
  fix: 'Retry a GET at least twice.',
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const lists = of(exchanges, 'listPets');
    // One request for each list: none of them was sent again.
    if (lists.length === 1 || lists.length === times) return skipped('the client did not try again');
    const whole = lists.filter(succeeded).length;
    return graded(outcome.success && whole >= times, {
      words: `the client reported ${outcome.success ? 'success' : 'failure'} after ${counted(whole, 'whole list')}`,
      measured: String(whole),
      expected: String(times),
      exchanges: lists,
    });
  },
});

/** Fewer retries say nothing about jitter. */
const JITTER_RETRIES = 8;
/** Waits have jitter from this share of the shortest one on, and none below half of it. */
const JITTER_SHARE = 0.1;
/** A busy machine alone makes equal waits differ by so much, in milliseconds. */
const NOISE_MS = 25;

/** @param retriesIn the retries whose waits are comparable */
const jitter = (retriesIn: (lists: readonly Exchange[]) => readonly RetriedAttempt[]): Check => ({
  id: 'jitter',
  level: 'should',
  title: 'The waits before comparable retries differ.',
  source: JITTER,
  fix: 'Add a random part to every wait, in proportion to the wait.',
  grade: ({ exchanges, outcome }) => {
    const retries = retriesIn(of(exchanges, 'listPets'));
    if (retries.length < JITTER_RETRIES) {
      const words = `${counted(retries.length, 'comparable wait')} of at least ${JITTER_RETRIES}`;
      return outcome ? skipped(words) : undecided(words);
    }
    const waits = withoutOutliers(retries.map((retry) => gapBetween(...retry)));
    // A client that reads its responses late starts equal waits together: then they differ, but the retries arrive at once.
    const arrivals = withoutOutliers(retries.map(([, { at }]) => at));
    const spread = Math.min(waits.longest - waits.shortest, arrivals.longest - arrivals.shortest);
    const least = Math.max(waits.shortest * JITTER_SHARE, NOISE_MS);
    const words = `the waits are ${ms(waits.shortest)} to ${ms(waits.longest)}, without the longest quarter`;
    const isNone = waits.longest < NOISE_MS || spread < (waits.shortest * JITTER_SHARE) / 2;
    if (spread < least && !isNone) return skipped(`not clear: ${words}`);
    return graded(!isNone, {
      words,
      measured: `a spread of ${ms(spread)}`,
      expected: `at least ${ms(least)}`,
      exchanges: retries.flat(),
    });
  },
});

/** A busy machine makes single waits longer, never shorter: the longest quarter is left out. */
function withoutOutliers(times: readonly number[]): { readonly shortest: number; readonly longest: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return { shortest: sorted[0] as number, longest: sorted[Math.ceil(times.length * 0.75) - 1] as number };
}

/** Each first failure of a list and the attempt after it, where lists fail twice and then succeed. */
function firstRetries(lists: readonly Exchange[]): readonly RetriedAttempt[] {
  return lists.flatMap((list, i) => {
    const next = lists[i + 1];
    const isFirst = isFaulted(list) && (i === 0 || !isFaulted(lists[i - 1] as Exchange));
    return isFirst && next ? [[list, next] as const] : [];
  });
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

const fewAttempts = (id: string, level: Check['level'], most: number): Check =>
  atMost(most, 'came', (exchanges) => of(exchanges, 'listPets'), {
    id,
    level,
    title: `There are at most ${most} attempts.`,
    source: NO_RETRY_STORM,
    fix: BACK_OFF,
  });

/** Gaps that a pause is measured by. */
const FIRST_GAPS = 3;
/**
 * Full jitter from 100 ms on draws each wait from 0 to 100 ms, 200 ms, 400 ms: a single wait says little. The mean of so many
 * first waits is shorter than this in less than 1 of 200 runs.
 */
const SHORTEST_MEANS_MS = [0, 0.5, 7, 18];
/** Waits of no jitter and no growth: random ones are rarely as alike. */
const isEven = (gaps: readonly number[]): boolean =>
  gaps.length >= FIRST_GAPS && Math.max(...gaps) < Math.min(...gaps) * 1.1 + 5;

const isHammering = (gaps: readonly number[]): boolean => {
  const first = gaps.slice(0, FIRST_GAPS);
  return mean(first) < (SHORTEST_MEANS_MS[first.length] as number);
};

const pauses = (id: string, level: Check['level'], least: number): Check => ({
  id,
  level,
  title: `The first waits are ${least} ms or longer on average.`,
  source: NO_RETRY_STORM,
  fix: BACK_OFF,
  grade: (run) =>
    ofGaps(run.exchanges, run.outcome !== undefined, 1, (gaps, attempts) => {
      const pause = mean(gaps.slice(0, FIRST_GAPS));
      const isLong = pause >= least;
      if (!isLong && !isHammering(gaps) && !isEven(gaps))
        return skipped(`not clear: the client waited ${ms(pause)} on average, which may be chance`);
      return graded(isLong, {
        words: `the client waited ${ms(pause)} on average`,
        measured: ms(pause),
        expected: `at least ${ms(least)}`,
        exchanges: attempts.slice(0, FIRST_GAPS + 1),
      });
    }),
});

/** Two waits may differ by chance alone. */
const GROWTH_WAITS = 3;
/** Waits grow if the later half is longer by the first factor on average, and do not if no later one is by the second. */
const GROWTH = 1.5;
const NO_GROWTH = 1.25;
/** A busy machine makes single waits longer, so the shortest later one has to be longer than the shortest earlier one. */
const GROWTH_MS = 50;
/** Of fewer random waits that grow, the later ones may be shorter by chance. */
const NO_GROWTH_WAITS = 6;

const backsOff: Check = {
  id: 'backs-off',
  level: 'should',
  title: 'The waits grow.',
  source: JITTER,
  fix: BACK_OFF,
  grade: ({ exchanges, outcome }) =>
    ofGaps(exchanges, outcome !== undefined, GROWTH_WAITS, (gaps, attempts) => {
      const half = Math.floor(gaps.length / 2);
      const [earlier, later] = [gaps.slice(0, half), gaps.slice(-half)];
      const grows = mean(later) >= mean(earlier) * GROWTH && Math.min(...later) >= Math.min(...earlier) + GROWTH_MS;
      const isFlat =
        isHammering(gaps) ||
        isEven(gaps) ||
        (gaps.length >= NO_GROWTH_WAITS && Math.max(...later) < Math.min(...earlier) * NO_GROWTH + NOISE_MS);
      const waits = `${gaps.slice(0, 5).map(ms).join(', ')}${gaps.length > 5 ? ', …' : ''}`;
      const words = `the waits are ${waits}`;
      if (!grows && !isFlat) return skipped(`not clear: ${words}`);
      return graded(grows, {
        words,
        measured: waits,
        expected: `the later half ${GROWTH} times as long on average, and each by ${ms(GROWTH_MS)} or more`,
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
  const words = `${counted(gaps.length, 'wait')} of at least ${least}`;
  return isOver ? skipped(words) : undecided(words);
}

const list = { group: 'retries', task: 'list', times: 1, fixture: 'default', isMet: metFault } as const;

export const retries: readonly Drill[] = [
  {
    ...list,
    id: 'retry-after-seconds',
    title: 'The first list gets a 429 with Retry-After of 2 seconds.',
    faults: [{ operation: 'listPets', status: 429, retryAfter: 2, times: 1 }],
    checks: [waits('listPets', 2000, TOO_MANY)],
  },
  {
    ...list,
    id: 'retry-after-date',
    title: 'The first list gets a 503 with a date in 3 seconds as Retry-After.',
    faults: [{ operation: 'listPets', status: 503, retryAfter: 3, retryAfterAs: 'date', times: 1 }],
    // A date has whole seconds: 2 to 3 seconds are left of the 3.
    checks: [waits('listPets', 2000, RETRY_AFTER)],
  },
  {
    ...list,
    id: 'flaky',
    title: `Each of ${JITTER_RETRIES} lists gets two 503, then a 200.`,
    times: JITTER_RETRIES,
    faults: [{ operation: 'listPets', status: 503, pattern: 'xx.' }],
    checks: [recovers(JITTER_RETRIES), jitter(firstRetries)],
  },
  {
    ...list,
    id: 'outage',
    title: 'Every list gets a 503.',
    faults: [{ operation: 'listPets', status: 503 }],
    checks: [
      fewAttempts('stops', 'must', 50),
      pauses('pauses', 'must', 25),
      fewAttempts('stops-early', 'should', 10),
      pauses('pauses-longer', 'should', 100),
      backsOff,
    ],
  },
  {
    ...list,
    id: 'timeout',
    title: 'The first list gets no response for 60 seconds.',
    faults: [{ operation: 'listPets', delayMs: HANG_MS, times: 1 }],
    checks: [leaves],
  },
  {
    ...list,
    id: 'revoked-key',
    title: 'The key is revoked.',
    faults: [],
    revokesKey: true,
    isMet: ({ exchanges }) => withRevokedKey(exchanges).length > 0,
    checks: [stopsWithKey],
  },
  {
    ...list,
    id: 'retry-jitter',
    title: `Each of ${JITTER_RETRIES} lists at once gets a 429 with Retry-After of 1 second.`,
    task: 'list-at-once',
    times: JITTER_RETRIES,
    faults: [{ operation: 'listPets', status: 429, retryAfter: 1, times: JITTER_RETRIES }],
    checks: [waits('listPets', 1000, TOO_MANY), jitter(retriesOf)],
  },
];
