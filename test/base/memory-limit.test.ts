/** The memory there is, with and without a limit. Suites with control groups of their own start the program in them. */
import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { readMemoryLimit } from '../../src/base/memory.ts';

const MIB = 2 ** 20;
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

it('finds a limit on this machine', () => {
  const { bytes } = readMemoryLimit();
  expect(bytes).toBeGreaterThan(64 * MIB);
  expect(bytes).toBeLessThanOrEqual(totalmem());
});
