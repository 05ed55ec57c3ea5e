/** The published schemas of what is written for other programs. Each function returns what is wrong, as a list. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { validateXML } from 'xmllint-wasm';

const require = createRequire(import.meta.url);
const read = async (name: string) => JSON.parse(await readFile(require.resolve(name), 'utf8'));

/** With the formats that both name, held strictly. */
function newAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)) && text.endsWith('Z'));
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'https://example.com'));
  for (const format of ['ipv4', 'ipv6']) ajv.addFormat(format, true);
  return ajv;
}

let har: Promise<ValidateFunction> | undefined;

/** HTTP Archive 1.2, published as har-schema: of draft 06, with a file for each of its parts. */
export async function harProblems(archive: unknown): Promise<unknown> {
  har ??= (async () => {
    const ajv = newAjv();
    ajv.addMetaSchema(await read('ajv/dist/refs/json-schema-draft-06.json'));
    return ajv.addSchema(Object.values(require('har-schema') as Record<string, object>)).compile({ $ref: 'har.json#' });
  })();
  const validate = await har;
  return validate(archive) ? [] : validate.errors;
}

/**
 * JUnit by `junit.xsd` beside this file: a description of our own, narrower than the schemas that CI systems read by.
 * Among them Jenkins' junit-10.xsd, which no npm package carries.
 * @param suites the names that suites may have
 */
export async function junitProblems(xml: string | string[], suites: readonly string[]): Promise<readonly string[]> {
  const names = suites.map((name) => `<xs:enumeration value="${name}"/>`).join('');
  const template = await readFile(new URL('junit.xsd', import.meta.url), 'utf8');
  const schema = template.replace(/<!-- The operations of the API.*-->/, names);
  // Each call starts a thread, which compiles the validator: it may have several documents.
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ rawMessage }) => rawMessage);
}
