import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One sandbox server for the whole run.
  test: { globalSetup: ['petstore-sandbox/vitest/setup'] },
});
