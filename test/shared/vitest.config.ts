import { defineConfig } from 'vitest/config';

/** `npm run test:shared`: servers on an engine. */
export default defineConfig({
  test: {
    include: ['test/shared/**/*.test.ts'],
    setupFiles: ['test/_setup.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    pool: 'forks',
  },
});
