import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

/** `npm run test:shared`: servers on an engine. */
export default defineConfig({
  test: {
    include: ['test/shared/**/*.test.ts'],
    setupFiles: ['test/_setup.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    pool: 'forks',
    maxWorkers: availableParallelism(),
    ...limits(20_000),
  },
});
