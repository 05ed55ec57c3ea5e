// Replaces the parts that Express loads beside its router: the application, its requests and responses, body parsers with
// forty encodings, static files and the types of a thousand file extensions.
const unused = () => {
  throw new Error('This part of Express is left out of the bundle; see scripts/bundle.mjs.');
};
module.exports = { json: unused, raw: unused, text: unused, urlencoded: unused };
