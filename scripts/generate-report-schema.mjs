// The JSON Schema of the contract report, for programs that read one: the schema `Report` of the controls' document with
// everything that it refers to. A step of generate.mjs.

const IN_DOCUMENT = '#/components/schemas/';

/** A copy that refers to `#/$defs`; the name of each schema that it refers to goes to `found`. */
const rebased = (node, found) => {
  if (Array.isArray(node)) return node.map((item) => rebased(item, found));
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).map(([name, value]) => {
    if (name !== '$ref') return [name, rebased(value, found)];
    if (!value.startsWith(IN_DOCUMENT)) throw new Error(`a report's schema cannot refer to ${value}`);
    const target = value.slice(IN_DOCUMENT.length);
    found.add(target);
    return [name, `#/$defs/${target}`];
  });
  return Object.fromEntries(entries);
};

/**
 * The text of `spec/report.schema.json`.
 * @param {{ components: { schemas: Record<string, object> } }} controls the controls' document
 */
export const reportSchemaText = ({ components: { schemas } }) => {
  const names = new Set();
  const report = rebased(schemas.Report, names);
  const defs = {};
  // A set also walks over what is added to it on the way.
  for (const name of names) defs[name] = rebased(schemas[name], names);
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const $comment = 'Generated from spec/controls.yaml by scripts/generate.mjs; change the document instead.';
  return `${JSON.stringify({ $schema, $comment, title: 'Contract report', ...report, $defs: defs }, null, 2)}\n`;
};
