// Stands in for what Express's application brings along and its router, all that we use, never calls: reading bodies in
// forty encodings, and the types of a thousand file endings. They would be a third of the bundle and of the start.
const leftOut = () => {
  throw new Error('This part of Express is left out of the bundle; see scripts/build.mjs.');
};
module.exports = { json: leftOut, raw: leftOut, text: leftOut, urlencoded: leftOut };
