/** Starts once, validates nothing, and cannot start again. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { serveValidation } from '../../../../src/verdict/validator/serve.ts';

const mark = path.join(path.dirname(fileURLToPath(import.meta.url)), 'started');
if (!parentPort) throw new Error('This runs in a worker thread.');
if (existsSync(mark)) throw new Error('not a second time');
writeFileSync(mark, '');
serveValidation(parentPort, () => process.exit(7));
