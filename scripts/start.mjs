// `npm start`: builds what changed, then becomes the program. One process, so that a signal to npm reaches the server.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = spawnSync(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url))], { stdio: 'inherit' });
if (build.status === 0) await import('../dist/cli.cjs');
else process.exitCode = build.status ?? 1;
