/** Drills about retry behavior against a failing server: the client waits, and stops. */
import type { Exchange } from '../../base/api/exchange.ts';
import { isFaulted, metFault, ms, of, retriesOf, waits } from './attempts.ts';
import { atMost, type Check, type Drill, graded, undecided } from './drill.ts';
import { backsOff, fewAttempts, firstRetries, JITTER_RETRIES, jitter, pauses, recovers } from './retry-checks.ts';
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
