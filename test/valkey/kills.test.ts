/** A server on a shared store is killed under load, again and again; the next one finds all that was acknowledged. */
import { expect, it } from 'vitest';
import { chooseSeed, playRounds } from '../crash/rounds.ts';
import { limit } from '../support/slow.ts';
import { engineWith } from './support.ts';

it('loses nothing that it acknowledged when it is killed three times under load', {
  timeout: limit(120_000),
}, async () => {
  const { port } = await engineWith();
  const seen = await playRounds(3, chooseSeed(), `valkey://127.0.0.1:${port}/0`);
  expect(seen.creates).toBeGreaterThanOrEqual(3 * 20);
  expect(Object.values(seen.others).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3 * 12);
});
