/** The only module that reads the time. All others receive a clock. */
import { monotonicNow, RealDate } from './real-globals.ts';

/** Returns the time in milliseconds since 1970-01-01T00:00:00Z. */
export interface Clock {
  now(): number;
}

/** The system clock. */
export const realClock: Clock = { now: () => new RealDate().getTime() };

/** A monotonic reading in milliseconds, for durations only: it does not jump when the system clock is set. */
export const stopwatch = monotonicNow;
