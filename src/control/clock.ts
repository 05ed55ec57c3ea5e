/** The sandbox's clock: read, set, advance, and back to real time. */
import { isoTime, readTime } from '../core/clock.ts';
import type { ClockReading, SandboxClocks } from '../sandbox/sandbox-clocks.ts';
import { type Controls, json } from './control.ts';

export const clockControls = (clocks: SandboxClocks): Controls => ({
  getClock: (call) => json(200, shown(clocks.read(call.sandbox()))),

  setClock: async (call) => {
    const { now, frozen } = call.body as { now?: string; frozen?: boolean };
    return json(
      200,
      shown(await clocks.set(call.sandbox(), { now: now === undefined ? undefined : readTime(now), frozen })),
    );
  },

  resetClock: async (call) => json(200, shown(await clocks.reset(call.sandbox()))),

  advanceClock: async (call) =>
    json(200, shown(await clocks.advance(call.sandbox(), (call.body as { duration: string }).duration))),
});

const shown = ({ now, frozen }: ClockReading) => ({ now: isoTime(now), frozen });
