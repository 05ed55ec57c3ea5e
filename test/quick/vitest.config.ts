import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { quick } from '../suites.ts';
import { limits } from '../support/slow.ts';

/** `npm run test:quick`. The files share processes: none of them changes what another sees. */
export default defineConfig({
  test: {
    include: quick,
    globalSetup: ['scripts/build-once.mjs'],
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    ...limits(20_000),
  },
});
