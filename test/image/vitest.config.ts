import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/image/**/*.test.ts'],
    globalSetup: ['test/image/build.ts'],
    // Times are measured here: one thing at a time.
    fileParallelism: false,
    ...limits(60_000),
  },
});
