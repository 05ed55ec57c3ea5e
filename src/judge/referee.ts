/** The worker thread in which the referee works: builds it from the generated files, and serves. */
import { parentPort } from 'node:worker_threads';
import controls from '../generated/controls.json' with { type: 'json' };
import petstore from '../generated/interface.json' with { type: 'json' };
import operations from './operations.json' with { type: 'json' };
import type { Documents } from './operations.ts';
import { createReferee, serve } from './serve.ts';

if (!parentPort) throw new Error('The referee runs in a worker thread.');
const documents = {
  interface: { document: petstore, operations: operations.interface },
  controls: { document: controls, operations: operations.controls },
};
serve(parentPort, createReferee(documents as unknown as Documents));
