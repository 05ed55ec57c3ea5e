import { expect, test } from 'vitest';
import { reportOnDrills } from '../report/each.ts';

test('a failure and a stale known failure fail all, and what is unsure makes all incomplete', () => {
  expect(reportOnDrills().drills.map(({ state }) => state)).toEqual(['pass', 'fail', 'incomplete', 'known', 'stale']);
  for (const [verdict, ...names] of [
    ['pass', 'passes', 'known'],
    ['incomplete', 'passes', 'unsure'],
    ['fail', 'unsure', 'stale'],
    ['fail', 'fails'],
    ['incomplete'],
  ])
    expect([names, reportOnDrills(names).verdict]).toEqual([names, verdict]);
});
