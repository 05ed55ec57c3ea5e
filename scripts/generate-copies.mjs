// Fills in what spec/controls.yaml repeats, so that it stays a plain OpenAPI document that needs no other file: the
// animals and operation names of the interface, and the fields of a fault rule in the fault as it is shown. A place looks
// so, and what stands between its two comments is written by a step of generate.mjs:
//
//     # copy of openapi.yaml: schemas Pet, PetStatus
//     # end of copy

const PLACE = /^( *)# copy of (.+)\n(?:[\s\S]*?\n)??\1# end of copy\n/gm;

/** The lines of a schema under `components`, as they are written. */
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
 * The text of spec/controls.yaml with its copies as they have to be.
 * @param {string} controls @param {string} petstore texts of the two files
 * @param {readonly string[]} operationNames of the interface
 */
export const withCopies = (controls, petstore, operationNames) =>
  controls.replace(PLACE, (_, indent, source) => {
    const copies = {
      'openapi.yaml: schemas Pet, PetStatus': () => schemaLines(petstore, 'Pet') + schemaLines(petstore, 'PetStatus'),
      'openapi.yaml: operation names': () => `${indent}enum: [${operationNames.join(', ')}]\n`,
      'NewFault: properties': () => propertyLines(controls, 'NewFault'),
    };
    if (!copies[source]) throw new Error(`spec/controls.yaml: there is no copy of ${source}`);
    return `${indent}# copy of ${source}\n${copies[source]()}${indent}# end of copy\n`;
  });
