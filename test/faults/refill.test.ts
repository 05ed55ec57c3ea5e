/** With the memory of a small container: what a reset gives back can be taken again. */
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { FILLINGS, fill } from '../support/fill.ts';
import { KEY, memoryGroup, say } from '../support/memory-group.ts';

test.for([
  [128, 'pets made up, 10,000 at once'],
  [192, 'names of 900 KB'],
  [256, 'names of 60 KB'],
] as const)('a server of %i MiB may be filled with %s and reset again and again', async ([mib, kind], context) => {
  const program = await memoryGroup(mib, context);
  const running = await program.start();
  const client = new Client(running.url, KEY);
  // What the first round took must be free for the second: two of them do not fit.
  const taken: number[] = [];
  for (let round = 0; round < 2; round++) {
    const filled = await fill(client, FILLINGS[kind]);
    expect(filled?.rejection.json).toMatchObject({ status: 409, code: 'limit_reached' });
    taken.push(filled?.done.length ?? 0);
    expect((await client.post('/_sandbox/reset', {})).status).toBe(200);
  }
  // Clients that send at once may be rejected a few steps earlier or later.
  expect(taken[1]).toBeGreaterThan((taken[0] ?? 0) * 0.8);
  expect(running.ended).toBeUndefined();
  say(`${mib} MiB, ${kind}, filled and reset twice: peak ${program.peak()} MiB`);
});
