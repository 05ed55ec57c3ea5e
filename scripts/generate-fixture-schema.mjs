// The pet in fixtures/fixture.schema.json, from the petstore API's Pet. The rest of that file is written by hand and kept
// as text: an int64 would lose digits in JSON.parse. A step of generate.mjs.

const PET = /^ {4}"pet": \{\n[\s\S]*?^ {4}\}/m;

/**
 * The text of `fixtures/fixture.schema.json`.
 * @param {string} text as it stands
 * @param {{ components: { schemas: Record<string, object> } }} petstore the petstore API's specification, parsed
 */
export const fixtureSchemaText = (text, { components: { schemas } }) => {
  const fieldOf = ({ $ref, description, ...rest }) => {
    const { description: inherited, ...bounds } = $ref ? fieldOf(schemas[$ref.split('/').at(-1)]) : rest;
    const shown = bounds.format === 'int64' ? { $ref: '#/$defs/int64' } : bounds;
    return { description: description ?? inherited, ...shown };
  };
  const { required, properties } = schemas.Pet;
  const pet = {
    description: 'A pet, as the API returns it.',
    type: 'object',
    required,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fieldOf(field)])),
    additionalProperties: false,
  };
  const lines = JSON.stringify(pet, null, 2).replaceAll('\n', '\n    ');
  return text.replace(PET, () => `    "pet": ${lines}`);
};
