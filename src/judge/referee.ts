/** The worker thread in which the referee works: builds it from the generated files, and serves. It runs from `dist/` only. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import controls from '../generated/controls.json' with { type: 'json' };
import petstore from '../generated/interface.json' with { type: 'json' };
import type { Documents } from './operations.ts';
import { createReferee, serve } from './serve.ts';

if (!parentPort) throw new Error('The referee runs in a worker thread.');
// Made by `scripts/build-operations.mjs`, beside this file's bundle.
const operations = JSON.parse(readFileSync(new URL('operations.json', import.meta.url), 'utf8'));
const documents = {
  interface: { document: petstore, operations: operations.interface },
  controls: { document: controls, operations: operations.controls },
};
serve(parentPort, createReferee(documents as Documents));
