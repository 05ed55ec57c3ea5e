// Fills in the repeated parts of spec/control-api.yaml, so that it stays a plain OpenAPI specification without references
// to other files: the pets and operation names of the API, and the fields of a fault rule in the returned
// fault. A step of generate.mjs writes the lines between two comments like these:
//
//     # copy of openapi.yaml: schemas Pet, PetStatus
//     # end of copy

const PLACE = /^( *)# copy of (.+)\n(?:[\s\S]*?\n)??\1# end of copy\n/gm;

/** The lines of a schema under `components`, verbatim. */
const schemaLines = (text, name) => {
  const [, schemas] = text.split(/^ {2}schemas:\n/m);
  const found = new RegExp(`^ {4}${name}:\\n(?: {5,}.*\\n|\\n)+`, 'm').exec(schemas);
  if (!found) throw new Error(`no schema ${name} to copy`);
  return found[0];
};

/** The lines of the members under `properties` of a schema. */
const propertyLines = (text, name) => {
  const [, rest] = schemaLines(text, name).split(/^ {6}properties:\n/m);
  const found = /^(?: {8,}.*\n(?! {8}# copy of))+/.exec(rest ?? '');
  if (!found) throw new Error(`the schema ${name} has no properties to copy`);
  return found[0];
};

/**
 * The text of spec/control-api.yaml with up-to-date copies.
 * @param {string} controls @param {string} petstore texts of the two files
 * @param {readonly string[]} operationNames of the API
 * @param {readonly string[]} errorCodes of src/core/errors.ts
 */
export const withCopies = (controls, petstore, operationNames, errorCodes) =>
  controls.replace(PLACE, (_, indent, source) => {
    const copies = {
      'openapi.yaml: schemas Pet, PetStatus': () => schemaLines(petstore, 'Pet') + schemaLines(petstore, 'PetStatus'),
      'openapi.yaml: operation names': () => `${indent}enum: [${operationNames.join(', ')}]\n`,
      'openapi.yaml: operation names with statuses': () => {
        const one = `(${operationNames.join('|')}):4[0-9]{2}`;
        return `${indent}pattern: '^${one}(,${one}){0,49}$'\n`;
      },
      'errors.ts: codes': () => [...errorCodes, 'injected_fault'].map((code) => `${indent}- ${code}\n`).join(''),
      'NewFault: properties': () => propertyLines(controls, 'NewFault'),
    };
    if (!copies[source]) throw new Error(`spec/control-api.yaml: there is no copy of ${source}`);
    return `${indent}# copy of ${source}\n${copies[source]()}${indent}# end of copy\n`;
  });
