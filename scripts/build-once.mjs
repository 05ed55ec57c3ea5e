import { existsSync } from 'node:fs';
import { build, entryPoints } from './build.mjs';

/** Before the tests: some start `dist/cli.js` as a process, and the validator's worker is `dist/worker.js`. */
export const setup = async () => {
  // During development, the test of one part need not wait for all others; `npm run build` still does.
  const entries = entryPoints.filter((entry) => existsSync(entry));
  for (const entry of entryPoints) {
    if (!entries.includes(entry)) console.warn(`${entry} does not exist yet: tests that need its build will fail.`);
  }
  if (entries.length > 0) await build({ entries });
};
