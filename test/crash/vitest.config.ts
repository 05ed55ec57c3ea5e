import { defineConfig } from 'vitest/config';

/** `npm run test:crash`: the long form alone. */
export default defineConfig({
  test: { include: ['test/crash/long.test.ts'], globalSetup: ['scripts/build-once.mjs'], pool: 'forks' },
});
