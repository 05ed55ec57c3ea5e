#!/usr/bin/env node
// `npx petstore-sandbox` in a clone: builds if nothing is built yet, then becomes the program. The package has only the program.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a build writes last. */
const built = new URL('../dist/LICENSES', import.meta.url);

if (!existsSync(built)) {
  console.error('petstore-sandbox: nothing is built yet; building it once');
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  // Standard output is the command's own: somebody may read JSON from it.
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('petstore-sandbox: the build failed; run "npm ci", then try again');
    process.exit(status ?? 1);
  }
}
await import('../dist/cli.cjs');
