import { build } from './build.mjs';

/** Before the tests: some start `dist/cli.js` as a process, and the judge's worker is `dist/referee.js`. */
export const setup = async () => {
  await build();
};
