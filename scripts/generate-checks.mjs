// Compiles the schemas that the service does not check by its own code into functions, so that no start compiles any. A step
// of generate.mjs.
import { fileURLToPath } from 'node:url';
import { _ } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { build } from 'esbuild';

const HEAD = '// Generated from the specifications by scripts/generate.mjs; change them instead.\n';

const OPTIONS = { strictTypes: false, strictTuples: false, allowUnionTypes: true, allErrors: true, verbose: true };

/** The text of `src/base/generated/field-checks.js`. @param schemas by place; an unknown keyword or format fails */
export const fieldChecksText = (schemas) => {
  const ajv = new Ajv2020({ ...OPTIONS, strict: true, code: CODE, keywords: ['xml', 'externalDocs'] });
  formats.default(ajv);
  // The digits of an int64 are checked as well.
  for (const name of ['int64', 'float', 'double', 'password', 'binary']) ajv.addFormat(name, true);
  return checksText(ajv, schemas);
};

/** The text of `src/base/generated/entry-checks.js`. @param controls the control API, whose schemas entries refer to */
export const entryChecksText = ({ components: { schemas } }, { ENTRY_SCHEMAS, SHARED_SCHEMAS, writtenTimes }) => {
  const ajv = new Ajv2020({
    ...OPTIONS,
    allErrors: false,
    strict: false,
    inlineRefs: false,
    code: { ...CODE, formats: FORMATS },
  });
  for (const name of ['date-time', 'time-with-zone']) ajv.addFormat(name, writtenTimes[name]);
  ajv.addFormat('int64', true);
  ajv.addSchema({ $id: 'controls', components: { schemas } });
  const referring = (each) => JSON.parse(JSON.stringify(each).replaceAll('"#/components', '"controls#/components'));
  for (const [name, schema] of Object.entries(SHARED_SCHEMAS)) ajv.addSchema(referring(schema), name);
  return checksText(ajv, referring(ENTRY_SCHEMAS));
};

/** The text of `src/base/generated/control-checks.js`: of a fixture without its pets, which are read exactly, and of a fault. @param controls the control API */
export const controlChecksText = ({ components: { schemas } }) => {
  const { properties, ...fixture } = schemas.InlineFixture;
  const ajv = new Ajv2020({ ...OPTIONS, strict: false, code: CODE, formats: { int64: true } });
  ajv.addSchema({ $id: 'controls', components: { schemas } });
  return checksText(ajv, {
    fixture: { ...fixture, properties: { ...properties, pets: { type: 'array' } } },
    fault: { $ref: 'controls#/components/schemas/NewFault' },
  });
};

const CODE = { source: true, esm: true };
const FORMATS = _`require("./src/base/time.ts").writtenTimes`;

const checksText = async (ajv, schemas) => {
  const places = Object.keys(schemas);
  if (places.length === 0) return `${HEAD}export const checks = {};\n`;
  for (const [at, place] of places.entries()) {
    try {
      ajv.addSchema(schemas[place], `check${at}`);
      ajv.getSchema(`check${at}`);
    } catch (cause) {
      throw new Error(`the schema of ${place} does not compile: ${cause.message}`, { cause });
    }
  }
  const names = Object.fromEntries(places.map((_, at) => [`check${at}`, `check${at}`]));
  const entries = places.map((place, at) => `  ${JSON.stringify(place)}: check${at},\n`).join('');
  const source = `${standalone.default(ajv, names)}\nexport const checks = {\n${entries}};\n`;
  const resolveDir = fileURLToPath(new URL('..', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: source.replaceAll(/^export const (check\d+)/gm, 'const $1'), resolveDir, loader: 'js' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', minify: true, logLevel: 'error' },
  });
  return `${HEAD}${outputFiles[0].text}`;
};
