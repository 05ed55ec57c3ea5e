/** The schema of HTTP Archive 1.2, published as har-schema: of draft 06, with a file for each of its parts. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';

export async function harSchema(): Promise<ValidateFunction> {
  const require = createRequire(import.meta.url);
  const parts = require('har-schema') as Record<string, object>;
  const ajv = new Ajv({ allErrors: true, strict: false });
  ajv.addMetaSchema(JSON.parse(await readFile(require.resolve('ajv/dist/refs/json-schema-draft-06.json'), 'utf8')));
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
  ajv.addFormat('uri', (text) => URL.canParse(text));
  for (const format of ['ipv4', 'ipv6']) ajv.addFormat(format, true);
  return ajv.addSchema(Object.values(parts)).compile({ $ref: 'har.json#' });
}
