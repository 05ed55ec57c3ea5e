import { expect, it } from 'vitest';
import { limit } from '../support/slow.ts';
import { chooseSeed, playRounds } from './rounds.ts';

/** A few in `npm test`, many in `npm run test:crash`. */
const KILLS = Number(process.env['KILLS'] ?? 2);

it(`loses nothing that it acknowledged when it is killed under load, ${KILLS} times`, {
  timeout: limit(60_000 + KILLS * 30_000),
}, async () => {
  const seen = await playRounds(KILLS, chooseSeed());
  process.stdout.write(`crash test: looked for again after ${KILLS} kills: ${JSON.stringify(seen)}\n`);
  // A storm that nothing came of would prove nothing.
  expect(seen.creates).toBeGreaterThanOrEqual(20 * KILLS);
  expect(Object.values(seen.others).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(12 * KILLS);
  if (KILLS < 20) return;
  expect(seen.resets).toBeGreaterThan(0);
  expect(seen.sandboxes).toBeGreaterThan(4);
  for (const [kind, count] of Object.entries(seen.others))
    expect([kind, count]).toEqual([kind, expect.toSatisfy((n: number) => n >= KILLS)]);
});
