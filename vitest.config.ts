import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { separate, slow } from './test/suites.ts';
import { limits } from './test/support/slow.ts';

/** `npm test`: all test files but those of the slower suites. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...separate, ...slow],
    globalSetup: ['scripts/build-once.mjs'],
    // Shared by all test files: fails a test that saw an unhandled error or a response that breaks the specification.
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    // The files share processes, so that modules are loaded once a worker and not once a file.
    isolate: false,
    // By default Vitest leaves one processor free, which is half of two.
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    ...limits(20_000),
  },
});
