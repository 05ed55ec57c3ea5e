import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

/** The tests of the interface and of the controls, each request through the next of two servers. */
export default defineConfig({
  test: {
    include: ['test/petstore/**/*.test.ts', 'test/controls/**/*.test.ts', 'test/sandbox/model.test.ts'],
    globalSetup: ['scripts/build-once.mjs', 'test/shared/global-setup.ts'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    ...limits(40_000),
  },
});
