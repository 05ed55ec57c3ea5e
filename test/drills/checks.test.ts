/** Every check of every drill, by a client that passes it and one that fails it, over real HTTP. */
import { describe, expect, it } from 'vitest';
import { DRILLS, drillOf } from '../../src/drills/catalogue.ts';
import type { Exchange } from '../../src/requests/exchange.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { CASES } from './clients.ts';
import { runDrill, statuses } from './run.ts';

const server = await startTestServer();

describe.concurrent('a client', () => {
  it.each(CASES)('in %s that %s is graded so', { timeout: limit(30_000) }, async (drill, _, client, expected) => {
    const result = await runDrill(server, drill, client);
    expect(statuses(result), JSON.stringify(result.checks, null, 1)).toMatchObject(expected);
    const isHarmed = result.checks.some(({ level, status }) => level === 'must' && status === 'fail');
    expect(result.verdict).toBe(isHarmed ? 'fail' : 'pass');
    for (const { status, words, requests } of result.checks) {
      expect(words).not.toBe('');
      if (status === 'fail') expect(requests.length, words).toBeGreaterThan(0);
    }
  });
});

describe('waits that real clocks cannot be made to repeat', () => {
  /** A list from one time to another, as the request log has it. */
  const list = (at: number, respondedAt: number, injectedFault?: string) =>
    ({ id: `req_${at}`, operation: 'listPets', at, respondedAt, injectedFault, delayMs: 0 }) as unknown as Exchange;
  const evidence = (exchanges: readonly Exchange[]) => ({
    exchanges,
    petName: '',
    petId: undefined,
    petsOfName: [],
    outcome: { success: true, crashed: false, at: 1e6 },
  });
  const gradeOf = (drill: string, check: string, exchanges: readonly Exchange[]) =>
    drillOf(drill)
      .checks.find(({ id }) => id === check)
      ?.grade(evidence(exchanges));

  it.each([
    [[1000, 1004, 998, 1001, 1000], 'fail'],
    [[1000, 1030, 998, 1001, 1000], 'pass'],
    [[2, 3, 2, 4, 3], 'fail'],
  ])('first waits of %j ms have jitter: %s', (waits, status) => {
    const lists = waits.flatMap((wait, i) => {
      const at = i * 10_000;
      return [list(at, at, 'status=503'), list(at + wait, at + wait, 'status=503'), list(at + 5000, at + 5000)];
    });
    expect(gradeOf('flaky', 'jitter', lists)).toMatchObject({ status });
  });

  it.each([
    [99, 'fail'],
    [100, 'pass'],
  ])('a second wave over %i ms is spread: %s', (last, status) => {
    const first = Array.from({ length: 8 }, () => list(0, 0, 'status=429'));
    const second = Array.from({ length: 8 }, (_, i) => list(1000 + (i === 7 ? last : 0), 1000));
    expect(gradeOf('retry-jitter', 'spreads', [...first, ...second])).toMatchObject({ status });
  });

  it.each([
    [[100, 100, 100, 100], 'fail'],
    [[100, 90, 80], 'fail'],
    [[0, 0, 0, 16], 'fail'],
    [[100, 60, 74], 'fail'],
    [[100, 60, 75], 'pass'],
  ])('waits of %j ms grow: %s', (waits, status) => {
    let now = 0;
    const lists = waits.map((wait) => {
      now += wait;
      return list(now, now, 'status=503');
    });
    expect(gradeOf('outage', 'backs-off', [list(0, 0, 'status=503'), ...lists])).toMatchObject({ status });
  });

  it.each([
    [1899, 'fail'],
    [1900, 'pass'],
    [60_000, 'pass'],
  ])('a next attempt after %i ms of 2 s has waited: %s', (wait, status) => {
    const lists = [list(0, 10, 'status=429'), list(10 + wait, 20 + wait)];
    expect(gradeOf('retry-after-seconds', 'waited', lists)).toMatchObject({ status });
  });
});

it('every check is passed by one client and failed by another', () => {
  const seen = (status: string): string[] =>
    CASES.flatMap(([drill, , , expected]) =>
      Object.entries(expected).flatMap(([check, is]) => (is === status ? [`${drill}/${check}`] : [])),
    );
  const all = DRILLS.flatMap(({ id, checks }) => checks.map((check) => `${id}/${check.id}`));
  const onlyByTimes = ['flaky/jitter', 'retry-jitter/spreads', 'outage/backs-off'];
  expect([...new Set(seen('pass'))].sort()).toEqual([...all].sort());
  expect([...new Set([...seen('fail'), ...onlyByTimes])].sort()).toEqual([...all].sort());
});
