// dist/operations.json: the operations of the petstore API as read by Prism's own loader, as plain JSON. The validator
// starts from it and loads no specification. A step of build.mjs.
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'spec/openapi.yaml';

const int64Clamp = { minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Every object inside a value, including the value. */
function* objectsIn(value) {
  if (value === null || typeof value !== 'object') return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

/**
 * Prism's internal notes, which do not affect validating; with them, equal schemas would differ and be compiled
 * repeatedly.
 */
const dropNotes = (operation) => {
  for (const node of objectsIn(operation)) {
    delete node['x-stoplight'];
    delete node.explicitProperties;
    delete node.securityDeclarationType;
  }
};

/**
 * Prism's loader may clamp int64 to 53 bits, which would turn large ids into violations. Our specifications never
 * contain these two bounds themselves.
 */
const dropClamp = (operation) => {
  for (const node of objectsIn(operation)) {
    if (node.format !== 'int64') continue;
    for (const [bound, value] of Object.entries(int64Clamp)) if (node[bound] === value) delete node[bound];
  }
};

/** The operations of a specification, as plain data; throws if a part would not survive JSON. */
export const operationsOf = async (file) => {
  // Loaded only if the file is stale: loading takes longer than the rest of a build.
  const { getHttpOperationsFromSpec } = await import('@stoplight/prism-http/dist/utils/operations.js');
  const operations = await getHttpOperationsFromSpec(file);
  for (const operation of operations) {
    if (!operation.iid) throw new Error(`${file}: ${operation.method} ${operation.path} needs an operationId`);
    dropNotes(operation);
    dropClamp(operation);
  }
  // A circular schema, a BigInt or a regular expression would be lost here, and be validated differently.
  const plain = JSON.parse(JSON.stringify(operations));
  const defined = operations.map((operation) => structuredClone(operation));
  for (const node of objectsIn(defined)) {
    for (const [name, value] of Object.entries(node)) if (value === undefined) delete node[name];
  }
  if (!isDeepStrictEqual(plain, defined)) throw new Error(`${file}: the operations do not survive JSON`);
  return plain;
};

/** The inputs of the file: if they are unchanged, the file is up to date. */
const keyOfSources = async () => {
  const files = [source, 'package.json', 'scripts/build-operations.mjs'];
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')));
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
};

const isOf = async (key, file) => {
  try {
    return (await readFile(file, 'utf8')).startsWith(`{"key":"${key}"`);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
};

/**
 * Writes the file into a folder, unless it is up to date.
 * @param {string} outdir
 * @returns {Promise<string>} its path
 */
export const buildOperations = async (outdir) => {
  const file = path.join(outdir, 'operations.json');
  const key = await keyOfSources();
  if (await isOf(key, file)) return file;
  const operations = await operationsOf(path.join(root, source));
  // Written by renaming, like the bundles.
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, JSON.stringify({ key, operations }));
  await rename(draft, file);
  return file;
};
