// The operations of both documents as Prism's own loader reads them, as plain JSON: the judge starts from that, and
// loads no document. A step of generate.mjs.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';

const int64Clamp = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Every object inside a value, itself included. */
function* objectsIn(value) {
  if (value === null || typeof value !== 'object') return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

/** What Prism notes for itself and judges nothing by; left in, equal schemas would differ and each be compiled. */
const dropNotes = (operation) => {
  for (const node of objectsIn(operation)) {
    delete node['x-stoplight'];
    delete node.explicitProperties;
    delete node.securityDeclarationType;
  }
};

/**
 * Prism's loader may clamp int64 to 53 bits, which would make violations of large ids. No document of ours gives these
 * two bounds itself.
 */
const dropClamp = (operation) => {
  for (const node of objectsIn(operation)) {
    if (node.format !== 'int64') continue;
    for (const [bound, value] of Object.entries(int64Clamp)) if (node[bound] === value) delete node[bound];
  }
};

/** The operations of one document, as plain data; throws where a part would not survive JSON. */
const operationsOf = async (file) => {
  const operations = await getHttpOperationsFromSpec(file);
  for (const operation of operations) {
    if (!operation.iid) throw new Error(`${file}: ${operation.method} ${operation.path} needs an operationId`);
    dropNotes(operation);
    dropClamp(operation);
  }
  // A circular schema, a BigInt or a regular expression would get lost here, and be judged differently.
  const plain = JSON.parse(JSON.stringify(operations));
  const defined = operations.map((operation) => structuredClone(operation));
  for (const node of objectsIn(defined)) {
    for (const [name, value] of Object.entries(node)) if (value === undefined) delete node[name];
  }
  if (!isDeepStrictEqual(plain, defined)) throw new Error(`${file}: the operations do not survive JSON`);
  return plain;
};

/**
 * The text of `src/judge/operations.json`.
 * @param {{ interface: string, controls: string }} sources paths of the two documents, from `root`
 * @param {string} root
 */
export const operationsText = async (sources, root) => {
  const operations = {};
  for (const [name, source] of Object.entries(sources)) operations[name] = await operationsOf(path.join(root, source));
  return `${JSON.stringify(operations, null, 1)}\n`;
};
