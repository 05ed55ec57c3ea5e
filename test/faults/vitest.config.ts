import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

/** `npm run test:faults`: damaged files, full disks, small memory, stops under load. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    maxWorkers: availableParallelism(),
    ...limits(120_000),
  },
});
