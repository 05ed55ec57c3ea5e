import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { slow } from '../suites.ts';
import { limits } from '../support/slow.ts';

/** `npm run test:slow`: files that stand beside what they test, and take longer than the rest of `npm test` together may. */
export default defineConfig({
  test: {
    include: slow,
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    ...limits(60_000),
  },
});
