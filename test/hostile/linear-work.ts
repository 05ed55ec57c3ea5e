/**
 * Work is linear in the size of what comes: four times the size costs four times as much, and would cost sixteen times as
 * much if it were by the square. It is measured as processor time of this process, in which the server and its threads
 * run, so that other load on the machine hardly counts.
 */
import { expect } from 'vitest';
import type { Reply } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

export const GROWTH = 4;
/** Half as much again as linear work costs. */
const ALLOWED = 1.5 * GROWTH;

/**
 * Processor time of a request and its verdict, in milliseconds: the least of some runs, as garbage is collected at any time,
 * or the first that is little enough.
 */
export async function costOf(
  server: TestServer,
  send: () => Promise<Reply>,
  { enough, runs }: { enough: number; runs: number },
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && least >= enough; run += 1) {
    const before = process.cpuUsage();
    const { status, text } = await send();
    await server.validator.whenValidated();
    const { user, system } = process.cpuUsage(before);
    expect(status, text).toBeLessThan(500);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/**
 * Sends something of a size, and of four times the size.
 * @param make makes it, which is not measured
 * @param floor what garbage, timers and the start of a thread may cost, in milliseconds
 */
export async function expectLinearWork<Made>(
  server: TestServer,
  make: (size: number) => Made,
  send: (made: Made) => Promise<Reply>,
  { size, floor }: { size: number; floor: number },
): Promise<void> {
  const [small, large] = [make(size), make(size * GROWTH)];
  const once = await costOf(server, () => send(small), { enough: floor / 4, runs: 2 });
  const most = ALLOWED * once + floor;
  const grown = await costOf(server, () => send(large), { enough: most, runs: 4 });
  expect(grown, `${once} ms, and ${grown} ms for ${GROWTH} times as much`).toBeLessThan(most);
}
