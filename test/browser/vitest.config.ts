import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limit, limits } from '../support/slow.ts';

/** In a real browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    maxWorkers: availableParallelism(),
    ...limits(90_000),
    // What a page shows comes a moment after what was done to it; an assertion on it waits as long as a locator does.
    expect: { poll: { timeout: limit(15_000) } },
  },
});
