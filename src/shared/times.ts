/** Times that servers tell each other: monotonic ones of one process mean nothing to another. */
import { realClock, stopwatch } from '../clock.ts';

/** The monotonic time of this process at the beginning of 1970. */
const ZERO = stopwatch() - realClock.now();

/** A monotonic time of this process as all servers have it: milliseconds since 1970, with a fraction. */
export const toShared = (ms: number): number => ms - ZERO;
export const toOwn = (ms: number): number => ms + ZERO;
