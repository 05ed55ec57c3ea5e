// The JSON Schema of the contract report, for programs that read one: the schema `Report` of the control API's specification,
// with everything that it references. A step of generate.mjs.

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

/**
 * The text of `src/generated/report.schema.json`.
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
