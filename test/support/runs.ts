/** A share of the runs of a property, for `npm test`; `npm run test:slow` makes all of them. `SHARE_OF_RUNS=10` finds most. */
const share = Number(process.env['SHARE_OF_RUNS'] ?? 0.25);

/** @param all how often a property is tried in `npm run test:slow` */
export const runs = (all: number): number => Math.ceil(all * share);
