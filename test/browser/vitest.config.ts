import { defineConfig } from 'vitest/config';

/** In a real browser: `npm run test:browser`. One file at a time, because a busy machine makes a browser slow. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
