/**
 * Undoes the encodings of a text: percent-encoding and JSON escapes, nested to any depth. Every character keeps its
 * position in the original. Only ASCII is decoded: secrets contain nothing else.
 */

/** A decoded text. */
export interface Decoded {
  readonly text: string;
  /**
   * The original position of each character, and finally of the end; `undefined` if positions are the same as in
   * `text`.
   */
  readonly at: Uint32Array | undefined;
}

/**
 * `%70`, `%2570` (encoded twice), `\u0070`, `\\u0070`, `\/`, and any other backslashes, so that each is visited once.
 * Consecutive `%25` are matched together: the time does not depend on the nesting depth.
 */
const ENCODED = /%(?:25)*([0-7][0-9a-f])|\\+(?:u00([0-7][0-9a-f])|(\/))?/gi;

/** Different encodings may be nested: JSON in a URL in JSON. */
const MAX_ROUNDS = 4;

/** Of `ENCODED` only what decodes to something: a quote in JSON does not. Each run of backslashes is visited once. */
const DECODABLE = /%(?:25)*[0-7][0-9a-f]|(?<!\\)\\+(?:u00[0-7][0-9a-f]|\/)/i;

/** Whether decoding could change a text. */
const mayBeEncoded = (text: string): boolean => (text.includes('%') || text.includes('\\')) && DECODABLE.test(text);

/** The successive decodings of a text; none if it has no encodings. */
export function* decode(text: string): Generator<Decoded> {
  let decoded: Decoded = { text, at: undefined };
  for (let round = 0; round < MAX_ROUNDS && mayBeEncoded(decoded.text); round++) {
    const next = decodeOnce(decoded);
    if (next.text === decoded.text) return;
    decoded = next;
    yield decoded;
  }
}

function decodeOnce({ text, at }: Decoded): Decoded {
  const places = new Uint32Array(text.length + 1);
  const placeOf = (index: number): number => at?.[index] ?? index;
  let decoded = '';
  let done = 0;
  const keep = (to: number): void => {
    for (let index = done; index < to; index++) places[decoded.length + index - done] = placeOf(index);
    decoded += text.slice(done, to);
  };
  for (const match of text.matchAll(ENCODED)) {
    const [whole, percent, unicode, stroke] = match;
    const code = percent ?? unicode;
    if (code === undefined && stroke === undefined) continue;
    keep(match.index);
    places[decoded.length] = placeOf(match.index);
    decoded += stroke ?? String.fromCharCode(Number.parseInt(code as string, 16));
    done = match.index + whole.length;
  }
  keep(text.length);
  places[decoded.length] = placeOf(text.length);
  return { text: decoded, at: places };
}
