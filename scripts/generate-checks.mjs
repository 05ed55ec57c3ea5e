// Compiles the schemas that the service does not check by its own code into functions, so that no start compiles any. A step
// of generate.mjs.
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { build } from 'esbuild';

const HEAD = '// Generated from spec/openapi.yaml by scripts/generate.mjs; change the specification instead.\n';

/** The text of `src/generated/field-checks.js`. @param schemas by place; an unknown keyword or format fails */
export const checksText = async (schemas) => {
  const places = Object.keys(schemas);
  if (places.length === 0) return `${HEAD}export const checks = {};\n`;
  const ajv = new Ajv2020({
    ...{ strict: true, strictTypes: false, strictTuples: false, allowUnionTypes: true, allErrors: true, verbose: true },
    code: { source: true, esm: true },
    keywords: ['xml', 'externalDocs'],
  });
  formats.default(ajv);
  // The digits of an int64 are checked as well.
  for (const name of ['int64', 'float', 'double', 'password', 'binary']) ajv.addFormat(name, true);
  for (const [at, place] of places.entries()) {
    try {
      ajv.addSchema(schemas[place], `check${at}`);
      ajv.getSchema(`check${at}`);
    } catch (cause) {
      throw new Error(`spec/openapi.yaml: the schema of ${place} does not compile: ${cause.message}`, { cause });
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
