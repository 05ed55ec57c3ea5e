/** Drills about manners towards a server in trouble: the client waits, and stops. */
import { counted } from '../client/text.ts';
import type { Exchange } from '../requests/exchange.ts';
import { isFaulted, metFault, ms, NO_OUTCOME, of, succeeded, waits } from './attempts.ts';
import { type Check, type Drill, graded, open, skipped } from './drill.ts';
import { backsOff, fewAttempts, JITTER, jitter, pauses, recovers, saysFailure } from './retry-checks.ts';
import { HANG_MS } from './writes.ts';

const RETRY_AFTER = 'RFC 9110, section 10.2.3';

const FLAKY_LISTS = 5;
const AT_ONCE = 8;

const leaves: Check = {
  id: 'leaves',
  level: 'should',
  title: 'The client leaves by itself.',
  source: 'Timeouts, retries, and backoff with jitter, Amazon Builders’ Library',
  grade: ({ exchanges }) => {
    const hung = of(exchanges, 'listPets').find(isFaulted);
    if (!hung) return open('no request has ended');
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

const UNAUTHORIZED = 401;
const withRevokedKey = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ response }) => response.status === UNAUTHORIZED);

const stopsWithKey: Check = {
  id: 'stops',
  level: 'must',
  title: 'At most 2 requests come with the revoked key.',
  source: 'RFC 9110, section 15.5.2',
  grade: ({ exchanges }) => {
    const rejected = withRevokedKey(exchanges);
    if (rejected.length === 0) return open('no request came with the revoked key');
    const words = `${counted(rejected.length, 'request')} came with the revoked key`;
    return graded(rejected.length <= 2, {
      words,
      measured: String(rejected.length),
      expected: 'at most 2',
      exchanges: rejected,
    });
  },
};

const goesOnWithKey: Check = {
  id: 'goes-on',
  level: 'should',
  title: 'The client says failure, or goes on with the second key.',
  source: 'RFC 9110, section 15.5.2',
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const whole = exchanges.filter(succeeded);
    return graded(!outcome.success || whole.length > 0, {
      words: outcome.success
        ? `the client said success after ${counted(whole.length, 'request')} succeeded`
        : 'the client said failure',
      measured: `${counted(whole.length, 'request')} succeeded`,
      expected: 'failure, or a success with the second key',
      exchanges: whole.length > 0 ? whole : withRevokedKey(exchanges),
    });
  },
};

const SPREAD_MS = 100;

const spreads: Check = {
  id: 'spreads',
  level: 'should',
  title: `The second wave is spread over ${SPREAD_MS} ms or more.`,
  source: JITTER,
  grade: ({ exchanges, outcome }) => {
    const second = of(exchanges, 'listPets').filter((each) => !isFaulted(each));
    if (second.length < 2) return outcome ? skipped('there was no second wave') : open('there is no second wave yet');
    const times = second.map(({ at }) => at);
    const spread = Math.max(...times) - Math.min(...times);
    return graded(spread >= SPREAD_MS, {
      words: `the second wave is spread over ${ms(spread)}`,
      measured: ms(spread),
      expected: `at least ${ms(SPREAD_MS)}`,
      exchanges: second,
    });
  },
};

const list = { group: 'retries', task: 'list', times: 1, fixture: 'default', isMet: metFault } as const;

export const retries: readonly Drill[] = [
  {
    ...list,
    id: 'retry-after-seconds',
    title: 'The first list gets a 429 with Retry-After of 2 seconds.',
    faults: [{ operation: 'listPets', status: 429, retryAfter: 2, times: 1 }],
    checks: [waits('listPets', 2000, 'RFC 6585, section 4')],
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
    title: 'Each of five lists gets two 503, then a 200.',
    times: FLAKY_LISTS,
    faults: [{ operation: 'listPets', status: 503, pattern: 'xx.' }],
    checks: [recovers(FLAKY_LISTS), jitter],
  },
  {
    ...list,
    id: 'outage',
    title: 'Every list gets a 503.',
    faults: [{ operation: 'listPets', status: 503 }],
    checks: [
      fewAttempts('stops', 'must', 50),
      pauses('pauses', 'must', 25),
      saysFailure,
      fewAttempts('stops-early', 'should', 10),
      pauses('pauses-longer', 'should', 100),
      backsOff,
    ],
  },
  {
    ...list,
    id: 'timeout',
    title: 'The first list gets no byte for 60 seconds.',
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
    checks: [stopsWithKey, goesOnWithKey],
  },
  {
    ...list,
    id: 'retry-jitter',
    title: 'Each of eight lists at once gets a 429 with Retry-After of 1 second.',
    task: 'list-at-once',
    times: AT_ONCE,
    faults: [{ operation: 'listPets', status: 429, retryAfter: 1, times: AT_ONCE }],
    checks: [spreads],
  },
];
