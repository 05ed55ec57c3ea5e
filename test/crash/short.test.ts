import { expect, it } from 'vitest';
import { limit } from '../support/slow.ts';
import { chooseSeed, playRounds } from './rounds.ts';

it('loses nothing that it acknowledged when it is killed three times under load', {
  timeout: limit(120_000),
}, async () => {
  const seen = await playRounds(3, chooseSeed());
  // A storm that nothing came of would prove nothing.
  expect(seen.creates).toBeGreaterThanOrEqual(3 * 20);
  expect(Object.values(seen.others).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3 * 12);
});
