/** Tests of properties: what is tried at random, and how often. */

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A share of the runs of a property, for `npm test`; `npm run test:slow` makes all of them. `SHARE_OF_RUNS=10` finds most. */
const share = Number(process.env['SHARE_OF_RUNS'] ?? 0.25);

/** @param all how often a property is tried in `npm run test:slow` */
export const runs = (all: number): number => Math.ceil(all * share);
