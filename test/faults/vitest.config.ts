import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: damaged files, full disks, small memory, stops under load. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
