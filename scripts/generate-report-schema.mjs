// The JSON Schemas of the contract report and of a recording, for programs that read one: the schemas `Report` and `Recording` of
// the control API's specification, each with everything that it references. A step of generate.mjs.

const IN_DOCUMENT = '#/components/schemas/';

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

/** A schema of the control API's specification as a document of its own. */
const schemaText = ({ components: { schemas } }, name, title) => {
  const names = new Set();
  const schema = rebased(schemas[name], names);
  const defs = {};
  // The iteration includes elements added to the set meanwhile.
  for (const each of names) defs[each] = rebased(schemas[each], names);
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const $comment = 'Generated from spec/control-api.yaml by scripts/generate.mjs; change the specification instead.';
  return `${JSON.stringify({ $schema, $comment, title, ...schema, $defs: defs }, null, 2)}\n`;
};

/**
 * The text of `src/generated/report.schema.json`.
 * @param {{ components: { schemas: Record<string, object> } }} controls the control API's specification
 */
export const reportSchemaText = (controls) => schemaText(controls, 'Report', 'Contract report');

/**
 * The text of `src/generated/recording.schema.json`.
 * @param {{ components: { schemas: Record<string, object> } }} controls the control API's specification
 */
export const recordingSchemaText = (controls) => schemaText(controls, 'Recording', 'Recording of a petstore sandbox');
