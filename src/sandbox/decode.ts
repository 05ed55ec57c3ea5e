/**
 * What a text says once its encodings are undone: percent-encoding and the escapes of JSON, as often as they were put
 * on. Every character remembers where it stands in the original. Only ASCII is decoded: no secret has anything else.
 */

/** A text with encodings undone. */
export interface Decoded {
  readonly text: string;
  /** Where each character begins in the original, and after them all its end; `undefined`: where it does in `text`. */
  readonly at: Uint32Array | undefined;
}

/**
 * `%70`, `%2570` (encoded twice), `\u0070`, `\\u0070`, `\/`, and any other backslashes, so that each is looked at once.
 * One `%25` in front of another is taken together with it: the time does not depend on how often a text was encoded.
 */
const ENCODED = /%(?:25)*([0-7][0-9a-f])|\\+(?:u00([0-7][0-9a-f])|(\/))?/gi;

/** Encodings of different kinds may lie in each other: JSON in an address in JSON. */
const MAX_ROUNDS = 4;

/** Whether decoding could change a text. */
const mayBeEncoded = (text: string): boolean => text.includes('%') || text.includes('\\');

/** What a text says with its encodings undone, one after another; nothing where it has none. */
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
