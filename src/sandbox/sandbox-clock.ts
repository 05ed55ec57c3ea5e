/** A sandbox's own time. The interface follows it; keys and controls follow the real one. */
import type { ClockRecord } from '../store/record.ts';

/** The sandbox's time, in milliseconds since 1970; `now` is the real one. */
export const timeIn = (clock: ClockRecord | null, now: number): number =>
  clock === null ? now : (clock.frozenAt ?? now + clock.offset);
