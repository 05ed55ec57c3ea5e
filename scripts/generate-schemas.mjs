// What repeats facts of a specification in another file: the copies in spec/control-api.yaml, the pet in
// fixtures/fixture.schema.json, and the JSON Schema of the contract report. A step of generate.mjs.

// spec/control-api.yaml stays a plain OpenAPI specification without references to other files. The lines between two
// comments like these are copied:
//
//     # copy of openapi.yaml: Pet and the schemas that it refers to
//     # end of copy
const PLACE = /^( *)# copy of (.+)\n(?:[\s\S]*?\n)??\1# end of copy\n/gm;

const IN_DOCUMENT = '#/components/schemas/';

/** The names of Pet and of the schemas that it refers to, at any depth. @param petstore the API's specification, parsed */
export const petSchemas = ({ components: { schemas } }) => {
  const names = new Set(['Pet']);
  // The iteration includes elements added to the set meanwhile.
  for (const name of names)
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"\$ref":"#\/components\/schemas\/([^"/]+)/g))
      names.add(other);
  return [...names];
};

/** The lines of a schema under `components`, verbatim. */
const schemaLines = (text, name) => {
  const [, schemas] = text.split(/^ {2}schemas:\n/m);
  const found = new RegExp(`^ {4}${name}:.*\\n(?: {5,}.*\\n|\\n)*`, 'm').exec(schemas);
  if (!found) throw new Error(`no schema ${name} to copy`);
  return found[0];
};

/** The lines of the members under `properties` of a schema, from one to another or all. */
const propertyLines = (text, name, first, last) => {
  const [, rest] = schemaLines(text, name).split(/^ {6}properties:\n/m);
  const [own] = /^(?: {8,}.*\n(?! {8}# copy of))+/.exec(rest ?? '') ?? [''];
  const members = own.split(/^(?= {8}\w)/m);
  const at = (member, otherwise) =>
    member === undefined ? otherwise : members.findIndex((lines) => lines.startsWith(`        ${member}:`));
  const [from, to] = [at(first, 0), at(last, members.length - 1)];
  if (own === '' || from < 0 || to < from) throw new Error(`the schema ${name} has no such properties to copy`);
  return members.slice(from, to + 1).join('');
};

/** `NewFault: properties`, `Verified: properties from account to dropped` */
const PROPERTIES = /^(\w+): properties(?: from (\w+) to (\w+))?$/;

/**
 * The text of spec/control-api.yaml with up-to-date copies.
 * @param {string} controls @param {string} petstore texts of the two files
 * @param {readonly string[]} copied names of the schemas of the API that the control API has too
 * @param {readonly string[]} operationNames of the API
 * @param {{ ERRORS: object, FORMATS: object, KINDS: object, reportKinds: readonly string[] }} tables of the code
 */
export const withCopies = (controls, petstore, copied, operationNames, { ERRORS, FORMATS, KINDS, reportKinds }) =>
  controls.replace(PLACE, (_, indent, source) => {
    const copies = {
      'openapi.yaml: Pet and the schemas that it refers to': () =>
        copied.map((name) => schemaLines(petstore, name)).join(''),
      'openapi.yaml: operation names': () => `${indent}enum: [${operationNames.join(', ')}]\n`,
      'openapi.yaml: operation names with statuses': () => {
        const one = `(${operationNames.join('|')}):4[0-9]{2}`;
        return `${indent}pattern: '^${one}(,${one}){0,49}$'\n`;
      },
      'errors.ts: codes': () =>
        [...Object.keys(ERRORS), 'injected_fault'].map((code) => `${indent}- ${code}\n`).join(''),
      'kinds.ts: kinds': () => {
        const lines = Object.entries(KINDS).map(([kind, { says }]) => `${indent}  \`${kind}\`: ${says}.\n`);
        return `${indent}description: |\n${lines.join('')}${indent}enum: [${Object.keys(KINDS).join(', ')}]\n`;
      },
      'kinds.ts: counts': () => {
        const exchanges = `${indent}  exchanges:\n${indent}    $ref: '#/components/schemas/Count'\n${indent}    description: Requests with a key of this sandbox.\n`;
        const lines = reportKinds.map(
          (kind) => `${indent}  ${kind}:\n${indent}    $ref: '#/components/schemas/Count'\n`,
        );
        return `${indent}required: [exchanges, ${reportKinds.join(', ')}]\n${indent}properties:\n${exchanges}${lines.join('')}`;
      },
      'formats.ts: names': () => `${indent}enum: [${Object.keys(FORMATS).join(', ')}]\n`,
      'formats.ts: texts': () => {
        const types = Object.values(FORMATS).map(({ mediaType }) => mediaType.split(';')[0]);
        const lines = ['schema:', '  type: string', '  minLength: 1'].map((each) => `${indent}  ${each}\n`).join('');
        return [...new Set(types.filter((type) => !type.endsWith('json')))]
          .map((type) => `${indent}${type}:\n${lines}`)
          .sort()
          .join('');
      },
    };
    const [, ...properties] = PROPERTIES.exec(source) ?? [];
    const copy = properties.length > 0 ? () => propertyLines(controls, ...properties) : copies[source];
    if (!copy) throw new Error(`spec/control-api.yaml: there is no copy of ${source}`);
    return `${indent}# copy of ${source}\n${copy()}${indent}# end of copy\n`;
  });

/** By its bounds: editors need not know the formats of integers. */
const withoutFormat = (schema) => {
  const { format, type, ...rest } = schema;
  if (format === 'int64') return type === 'integer' ? { $ref: '#/$defs/int64', ...rest } : { type, ...rest };
  if (format !== 'int32') return schema;
  return { type, minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...rest };
};

// The rest of the fixture schema is written by hand and kept as text: an int64 would lose digits in JSON.parse.
const PET = /^ {4}"pet": \{\n[\s\S]*?^ {4}\}/m;

/**
 * The text of `fixtures/fixture.schema.json`.
 * @param {string} text as it stands
 * @param {{ components: { schemas: Record<string, object> } }} petstore the petstore API's specification, parsed
 */
export const fixtureSchemaText = (text, { components: { schemas } }) => {
  /** A schema with what it refers to in place, at any depth. */
  const inPlace = (node) => {
    if (Array.isArray(node)) return node.map(inPlace);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, description, ...rest } = node;
    const { description: inherited, ...bounds } = {
      ...(typeof $ref === 'string' && inPlace(schemas[$ref.slice(IN_DOCUMENT.length)])),
      ...Object.fromEntries(Object.entries(rest).map(([name, inside]) => [name, inPlace(inside)])),
    };
    const about = inPlace(description) ?? inherited;
    return { ...(about !== undefined && { description: about }), ...withoutFormat(bounds) };
  };
  const { required, properties } = schemas.Pet;
  const pet = {
    description: 'A pet, as the API returns it.',
    type: 'object',
    required,
    properties: inPlace(properties),
    additionalProperties: false,
  };
  const lines = JSON.stringify(pet, null, 2).replaceAll('\n', '\n    ');
  return text.replace(PET, () => `    "pet": ${lines}`);
};

/** A copy with references to `#/$defs`; the names of all referenced schemas are added to `found`. */
const rebased = (node, found) => {
  if (Array.isArray(node)) return node.map((item) => rebased(item, found));
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).map(([name, value]) => {
    if (name !== '$ref') return [name, rebased(value, found)];
    if (!value.startsWith(IN_DOCUMENT)) throw new Error(`such a schema cannot refer to ${value}`);
    const target = value.slice(IN_DOCUMENT.length);
    found.add(target);
    return [name, `#/$defs/${target}`];
  });
  return Object.fromEntries(entries);
};

/**
 * The text of `src/base/generated/report.schema.json`.
 * @param {{ components: { schemas: Record<string, object> } }} controls the control API's specification
 */
export const reportSchemaText = ({ components: { schemas } }) => {
  const names = new Set();
  const schema = rebased(schemas.Report, names);
  const defs = {};
  // The iteration includes elements added to the set meanwhile.
  for (const each of names) defs[each] = rebased(schemas[each], names);
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const $comment = 'Generated from spec/control-api.yaml by scripts/generate.mjs; change the specification instead.';
  return `${JSON.stringify({ $schema, $comment, title: 'Contract report', ...schema, $defs: defs }, null, 2)}\n`;
};
