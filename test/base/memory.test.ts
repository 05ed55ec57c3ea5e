/** The memory there is, and what it goes to. Suites with control groups of their own start the program in them. */
import { describe, expect, it } from 'vitest';
import { planMemory, readMemoryLimit } from '../../src/base/memory.ts';

const MIB = 2 ** 20;

const planOf = (mib: number, heapMib = 4_144) =>
  planMemory({ limit: { bytes: mib * MIB, from: 'container' }, heap: heapMib * MIB });

describe('the bounds on memory', () => {
  it('are at their most where there is plenty', () => {
    expect(planOf(24_000)).toMatchObject({
      pets: 512 * MIB,
      requestLogs: 64 * MIB,
      inFlight: 64 * MIB,
      lists: 4 * MIB,
      verdicts: 2 * MIB,
      queue: 8 * MIB,
      exchange: 128 * MIB,
      connections: 10_000,
      tight: false,
    });
  });

  it.each([256, 384, 512, 1_024])('leave room for the program in %i MiB', (mib) => {
    const { pets, heads, requestLogs, inFlight } = planOf(mib, 304);
    expect(pets + heads + requestLogs + inFlight).toBeLessThan((mib - 90) * MIB);
    for (const bytes of [pets, heads, requestLogs, inFlight]) expect(bytes).toBeGreaterThanOrEqual(MIB);
  });

  it('follow the heap that Node was given, however much memory there is', () => {
    const { pets, heads } = planOf(24_000, 560);
    expect(heads).toBeLessThan(400 * MIB);
    // The pages of pets lie outside of it.
    expect(pets).toBe(512 * MIB);
  });

  it('let whatever may be sent be validated, with its response', () => {
    expect(planOf(256).exchange).toBeGreaterThan(2 * MIB);
  });
});

const TOTAL = 16 * 1024 * MIB;

it.each([
  ['says 0 for no limit', 0, 'machine', TOTAL],
  ['says 2^64 for no limit', 2 ** 64, 'machine', TOTAL],
  ['says 2^63 - 4096 for no limit', 2 ** 63 - 4096, 'machine', TOTAL],
  ['knows a limit above what the machine has', 4 * TOTAL, 'machine', TOTAL],
  ['knows the limit', 200 * MIB, 'container', 200 * MIB],
] as const)('finds the limit of a Node that %s', (_what, constrained, from, bytes) => {
  expect(readMemoryLimit(constrained, TOTAL)).toEqual({ bytes, from });
});
