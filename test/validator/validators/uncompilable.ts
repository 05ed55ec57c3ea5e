/** The real validator, on a specification with a pattern that AJV cannot compile: an escape that is illegal under `u`. */
import { parentPort } from 'node:worker_threads';
import { exchangeValidator, serveValidation } from '../../../src/validator/serve.ts';
import { specifications } from './specifications.ts';

if (!parentPort) throw new Error('This runs in a worker thread.');
const text = JSON.stringify({ petstore: specifications.petstore }).replaceAll(
  '"name":{"type":"string"',
  '"name":{"type":"string","pattern":"\\\\-"',
);
serveValidation(parentPort, exchangeValidator(JSON.parse(text)));
