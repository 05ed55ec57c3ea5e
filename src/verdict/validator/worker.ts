/** The validator's worker thread: builds the validator from the generated files, and serves. It runs from `dist/` only. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import core from 'ajv/dist/core.js';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { exchangeValidator, serveValidation } from './serve.ts';

if (!parentPort) throw new Error('The validator runs in a worker thread.');
// `npm run lint` validates the schemas. To do it here would compile three schemas of schemas at each start: 40 % of it.
core.default.prototype.validateSchema = () => true;
// Written by `scripts/build-operations.mjs`, in the folder of this file's bundle.
const { operations } = JSON.parse(readFileSync(new URL('operations.json', import.meta.url), 'utf8'));
serveValidation(parentPort, exchangeValidator({ specification: petstore, operations }));
// Prism's start leaves twice as much garbage as the memory that it needs from now on.
globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
