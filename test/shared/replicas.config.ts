import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

/**
 * The tests of the interface and of the controls, each request through the next of two servers. Left out is what never
 * reaches a sandbox, and so not the store: the parsing of HTTP, cross-site requests, and the specifications.
 */
export default defineConfig({
  test: {
    exclude: [
      'test/petstore/{cors,direct-path,proxied}.test.ts',
      'test/controls/{guard,specification,specifications,strict}.test.ts',
    ],
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
