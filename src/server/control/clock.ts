/** The sandbox's clock: read, set, advance, and back to real time. */
import { isoTime, readTime } from '../../base/time.ts';
import type { ClockReading } from '../../sandbox/sandbox-clock.ts';
import { type Controls, json } from './control.ts';

export const clockControls = (): Controls => ({
  getClock: (call) => shownClock(call.sandbox().clock.read()),

  setClock: async (call) => {
    const { now, frozen } = call.body as { now?: string; frozen?: boolean };
    return shownClock(await call.sandbox().clock.set({ now: now === undefined ? undefined : readTime(now), frozen }));
  },

  resetClock: async (call) => shownClock(await call.sandbox().clock.reset()),

  advanceClock: async (call) =>
    shownClock(await call.sandbox().clock.advance((call.body as { duration: string }).duration)),
});

const shownClock = ({ now, frozen }: ClockReading) => json(200, { now: isoTime(now), frozen });
