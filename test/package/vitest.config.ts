import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { limits } from '../support/slow.ts';

/** `npm run test:package`: the packed tarball, as its users install it. */
export default defineConfig({
  test: {
    include: ['test/package/*.test.ts'],
    // Packs once, and installs what the files share.
    globalSetup: ['test/package/prepare.ts'],
    pool: 'forks',
    maxWorkers: availableParallelism(),
    ...limits(60_000),
  },
});
