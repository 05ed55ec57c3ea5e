import { expect, it } from 'vitest';
import { limit } from '../support/slow.ts';
import { chooseSeed, playRounds } from './rounds.ts';

const KILLS = 20;

it('loses nothing that it acknowledged when it is killed twenty times under load', {
  timeout: limit(600_000),
}, async () => {
  const seen = await playRounds(KILLS, chooseSeed());
  process.stdout.write(`crash test: looked for again after ${KILLS} kills: ${JSON.stringify(seen)}\n`);
  expect(seen.creates).toBeGreaterThanOrEqual(20 * KILLS);
  expect(seen.resets).toBeGreaterThan(0);
  expect(seen.sandboxes).toBeGreaterThan(4);
  for (const [kind, count] of Object.entries(seen.others))
    expect([kind, count]).toEqual([kind, expect.toSatisfy((n: number) => n >= KILLS)]);
});
