/** What the control API changed in a sandbox since it restarted, as it follows from the log of its family. */

import { realClock, stopwatch } from '../../core/clock.ts';
import { noted, type Start, type Step, startedAt } from '../../sandbox/trail.ts';
import type { FaultRecord } from '../record.ts';
import type { SandboxState } from '../state.ts';

/** The start after a change of the state. @param ms when it was made, by the monotonic clock */
export function startAfterChange(
  start: Start | undefined,
  before: SandboxState | undefined,
  { world, record }: SandboxState,
  ms: number,
): Start {
  if (!start || before?.world.branch !== world.branch) return startedAt(ms, record);
  const { clock, faults } = before.record;
  if (JSON.stringify(clock) !== JSON.stringify(record.clock)) return noted(start, { clock: record.clock }, ms);
  if (namesOf(faults) !== namesOf(record.faults)) return noted(start, { faults: record.faults }, ms);
  return start;
}

const namesOf = (faults: readonly FaultRecord[]): string => faults.map(({ id }) => id).join();

/** As JSON: ids as texts, times that all servers share. */
export const textOfStart = ({ ms, steps, ...start }: Start): string =>
  JSON.stringify({
    ...start,
    ms: toShared(ms),
    steps: steps.map((step) => ({
      ...step,
      ms: toShared(step.ms),
      ...('pets' in step ? { pets: step.pets.map(String) } : {}),
    })),
  });

/** @param read what `JSON.parse` made of the text */
export function startOf(read: unknown): Start {
  const { ms, steps, ...start } = read as Start;
  return {
    ...start,
    ms: toOwn(ms),
    steps: steps.map((step): Step => {
      if (!('pets' in step)) return { ...step, ms: toOwn(step.ms) };
      const [first, last] = step.pets;
      return { pets: [BigInt(first), BigInt(last)], ms: toOwn(step.ms) };
    }),
  };
}

/** The monotonic time of this process at the beginning of 1970. */
const ZERO = stopwatch() - realClock.now();

/** A monotonic time of this process as all servers have it: milliseconds since 1970, with a fraction. */
export const toShared = (ms: number): number => ms - ZERO;
export const toOwn = (ms: number): number => ms + ZERO;
