import { build } from './build.mjs';

/** Before the tests: some start `dist/cli.cjs` as a process, and the validator's worker is `dist/worker.js`. */
export const setup = async () => {
  await build();
};
