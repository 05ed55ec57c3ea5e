import { defineConfig } from 'vitest/config';

/** `npm run test:hostile`: requests that a hostile client would send, over real sockets to real servers. */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
