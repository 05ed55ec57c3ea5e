import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// Shared by all test files: fails a test that saw an unhandled error or an answer that breaks the document.
const setup = 'test/_setup.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Slow, or in need of Docker or a browser: each has a script of its own.
    exclude: ['test/crash/long.test.ts', 'test/hostile/**', 'test/faults/**', 'test/image/**', 'test/browser/**'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: existsSync(setup) ? [setup] : [],
    pool: 'forks',
    restoreMocks: true,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
