import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

/** `npm run test:hostile`: requests that a hostile client would send, over real sockets to real servers. */
export default defineConfig({
  test: {
    include: ['test/hostile/**/*.test.ts'],
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    ...limits(120_000),
  },
});
