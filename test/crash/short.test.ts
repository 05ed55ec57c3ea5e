import { expect, it } from 'vitest';
import { limit } from '../support/slow.ts';
import { chooseSeed, playRounds } from './rounds.ts';

it('loses nothing that it acknowledged when it is killed twice under load', {
  timeout: limit(120_000),
}, async () => {
  const seen = await playRounds(2, chooseSeed());
  // A storm that nothing came of would prove nothing.
  expect(seen.creates).toBeGreaterThanOrEqual(2 * 20);
  expect(Object.values(seen.others).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(2 * 12);
});
