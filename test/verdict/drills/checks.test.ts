/** Every check of every drill, by a client that passes it and one that fails it, over real HTTP. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/base/api/exchange.ts';
import { DRILLS, drillOf } from '../../../src/verdict/drills/catalog.ts';
import { randomFrom } from '../../support/random.ts';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { CASES, SWALLOWERS } from './clients.ts';
import { runDrill, statuses } from './run.ts';

const server = await sharedServer();

describe.concurrent('a client', () => {
  it.each(CASES)('in %s that %s is graded so', { timeout: limit(30_000) }, async (drill, _, client, expected) => {
    const result = await runDrill(server, drill, client);
    expect(statuses(result), JSON.stringify(result.checks, null, 1)).toMatchObject(expected);
    const isHarmed = result.checks.some(({ level, status }) => level === 'must' && status === 'fail');
    const isGraded = result.checks[0]?.status !== 'skipped';
    expect(result.verdict).toBe(isHarmed ? 'fail' : isGraded ? 'pass' : 'not-applicable');
    for (const { status, words, requests } of result.checks) {
      expect(words).not.toBe('');
      if (status === 'fail') expect(requests.length, words).toBeGreaterThan(0);
    }
  });
});

describe.concurrent.each(SWALLOWERS)('a client that swallows all errors and gives back %s', (_, client) => {
  it.each(DRILLS.map(({ id }) => id))('fails %s', { timeout: limit(30_000) }, async (drill) => {
    const { verdict, reason, checks } = await runDrill(server, drill, client);
    expect([verdict, checks.at(-1)]).toMatchObject(['fail', { id: 'result', status: 'fail' }]);
    expect(reason).toContain('the client reported success without ');
  });
});

describe('waits that real clocks cannot be made to repeat', () => {
  /** A list from one time to another, as the request log has it; without a second time, in that millisecond. */
  const list = (at: number, respondedAt = at) =>
    ({ id: `req_${at}`, operation: 'listPets', at, respondedAt, delayMs: 0 }) as unknown as Exchange;
  const rejected = (
    at: number,
    respondedAt = at,
    injectedFault: Exchange['injectedFault'] = { status: 503 },
  ): Exchange => ({
    ...list(at, respondedAt),
    injectedFault,
  });
  const limited = (at: number, respondedAt: number) => rejected(at, respondedAt, { status: 429 });
  /** Lists that fail one after another, each so long after the one before. */
  const outage = (waits: readonly number[]): Exchange[] => {
    const times = [0];
    for (const wait of waits) times.push((times.at(-1) as number) + wait);
    return times.map((at) => rejected(at));
  };
  const outcome = { success: true, crashed: false, missing: null, at: 1e6 };
  const nothing = { petName: '', petId: undefined, petsOfName: [], dropped: 0, outcome };
  const evidence = (exchanges: readonly Exchange[]) => ({ ...nothing, exchanges });
  const gradeOf = (drill: string, check: string, exchanges: readonly Exchange[]) =>
    drillOf(drill)
      .checks.find(({ id }) => id === check)
      ?.grade(evidence(exchanges)).status;

  const equal = (wait: number, count = 8) => Array<number>(count).fill(wait);
  const JITTER = [
    [equal(1000), 'fail'],
    [[1000, 1010, 1020, 1030, 1040, 1049, 1500, 1600], 'fail'],
    [[1000, 1010, 1020, 1030, 1040, 1100, 1500, 1600], 'pass'],
    [[100, 110, 120, 130, 140, 150, 160, 170], 'pass'],
    [[100, 104, 108, 112, 116, 120, 124, 128], 'skipped'],
    [[2, 3, 9, 2, 24, 69, 28, 22], 'fail'],
    [equal(1000, 7), 'skipped'],
  ] as const;

  it.each(JITTER)('first retries after %j ms have jitter: %s', (waits, status) => {
    const lists = waits.flatMap((wait, i) => [
      rejected(i * 10_000),
      rejected(i * 10_000 + wait),
      list(i * 10_000 + 5000),
    ]);
    expect(gradeOf('flaky', 'jitter', lists)).toBe(status);
  });

  it.each(JITTER)('retries at once after %j ms have jitter, counted from the response of each: %s', (waits, status) => {
    const first = waits.map((_, i) => limited(i, i * 300));
    const second = waits.map((wait, i) => list(i * 300 + wait));
    expect(gradeOf('retry-jitter', 'jitter', [...first, ...second])).toBe(status);
  });

  it('retries that arrive together have no jitter, however late their client read the responses', () => {
    const first = equal(0).map((_, i) => limited(i, i * 50));
    const second = equal(0).map((_, i) => list(1400 + i, 3000));
    expect(gradeOf('retry-jitter', 'jitter', [...first, ...second])).toBe('fail');
  });

  it.each([
    [0, 'pass'],
    [51, 'fail'],
  ])('one of eight retries that comes %i ms before its time: %s', (early, status) => {
    const first = equal(0).map((_, i) => limited(i, i * 100));
    const second = equal(0).map((_, i) => list(1000 + i * 100 - (i === 3 ? early : 0), 3000));
    expect(gradeOf('retry-jitter', 'waited', [...first, ...second])).toBe(status);
  });

  it.each([
    ['backs-off', [100, 200, 400], 'pass'],
    ['backs-off', [100, 100, 100, 100], 'fail'],
    ['backs-off', [100, 90, 80], 'skipped'],
    ['backs-off', [0, 0, 0, 16], 'fail'],
    ['backs-off', [69, 28, 22], 'skipped'],
    ['backs-off', [100, 60, 75, 70, 80, 65], 'fail'],
    ['backs-off', [995, 672, 706, 1154], 'skipped'],
    ['backs-off', [1000, 2000], 'skipped'],
    ['pauses-longer', [40, 40, 40], 'fail'],
    ['pauses-longer', [20, 40, 80], 'skipped'],
    ['pauses-longer', [100, 200, 400], 'pass'],
  ])('%s by waits of %j ms in an outage: %s', (check, waits, status) => {
    expect(gradeOf('outage', check, outage(waits))).toBe(status);
  });

  it.each([2, 3, 4, 5, 8])(
    'full jitter from 100 ms on, with %i attempts, passes an outage in 99 of 100 runs',
    (attempts) => {
      const random = randomFrom(attempts);
      const runs = 5_000;
      let failed = 0;
      for (let run = 0; run < runs; run++) {
        const waits = Array.from({ length: attempts - 1 }, (_, n) => random() * Math.min(2_000, 100 * 2 ** n));
        const lists = outage(waits);
        if (drillOf('outage').checks.some(({ grade }) => grade(evidence(lists)).status === 'fail')) failed += 1;
      }
      expect(failed / runs).toBeLessThan(0.01);
    },
  );

  it.each([
    [1899, 'fail'],
    [1900, 'pass'],
    [60_000, 'pass'],
  ])('a next attempt after %i ms of 2 s has waited: %s', (wait, status) => {
    expect(gradeOf('retry-after-seconds', 'waited', [limited(0, 10), list(10 + wait, 20 + wait)])).toBe(status);
  });
});

it('every check is passed by one client and failed by another', () => {
  const seen = (status: string): string[] =>
    CASES.flatMap(([drill, , , expected]) =>
      Object.entries(expected).flatMap(([check, is]) => (is === status ? [`${drill}/${check}`] : [])),
    );
  // The clients above that swallow errors fail `result` in every drill; one without a failure passes it.
  const all = DRILLS.flatMap(({ id, checks }) => checks.slice(0, -1).map((check) => `${id}/${check.id}`));
  const onlyByTimes = ['flaky/jitter', 'retry-jitter/jitter', 'outage/backs-off'];
  expect(seen('pass')).toEqual(expect.arrayContaining(all));
  expect([...seen('fail'), ...onlyByTimes]).toEqual(expect.arrayContaining(all));
});
