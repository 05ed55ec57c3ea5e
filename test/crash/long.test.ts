import { expect, it } from 'vitest';
import { limit } from '../support/slow.ts';
import { chooseSeed, playRounds } from './rounds.ts';

it('loses nothing that it acknowledged when it is killed twenty times under load', {
  timeout: limit(600_000),
}, async () => {
  const seen = await playRounds(20, chooseSeed());
  process.stdout.write(`crash test: looked for again after 20 kills: ${JSON.stringify(seen)}\n`);
  expect(seen.creates).toBeGreaterThanOrEqual(20 * 20);
  expect(seen.resets).toBeGreaterThan(0);
  expect(seen.sandboxes).toBeGreaterThan(4);
  for (const [kind, count] of Object.entries(seen.others))
    expect([kind, count]).toEqual([kind, expect.toSatisfy((n: number) => n >= 20)]);
});
