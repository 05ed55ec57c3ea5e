/**
 * The real validator for the API alone, which starts in a fraction of the time. Some targets make it fail, die or hang,
 * as a bug or too small a heap would.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { exchangeValidator, serveValidation } from '../../../../src/verdict/validator/serve.ts';
import { described } from './specifications.ts';

if (!parentPort) throw new Error('This runs in a worker thread.');
const validator = exchangeValidator(described);
serveValidation(parentPort, (input) => {
  const query = new URLSearchParams(input.request.target.split('?')[1]);
  if (query.has('fail')) throw new Error('this exchange is too much');
  if (query.has('die')) process.exit(7);
  while (query.has('hang'));
  const once = query.get('die-once');
  if (once !== null && !existsSync(once)) {
    writeFileSync(once, '');
    process.exit(7);
  }
  return validator(input);
});
