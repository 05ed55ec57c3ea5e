// Replaces the parts that Express loads and our routers never call: body parsers with forty encodings, and the types of
// a thousand file extensions. They would be a third of the bundle and of the start time.
const unused = () => {
  throw new Error('This part of Express is left out of the bundle; see scripts/build.mjs.');
};
module.exports = { json: unused, raw: unused, text: unused, urlencoded: unused };
