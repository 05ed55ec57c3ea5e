/** Writes fixture files: the counterpart of `fixture-file.ts`. */
import { INT64_MAX } from '../base/int64.ts';

/** Characters of one piece: one round of the queue of heavy work. */
const PIECE = 64 * 1024;

/** A line break, the indentation and a comma. */
const BYTES_BETWEEN = 6;
/** Far more than the lines before and after the pets. */
const BYTES_AROUND = 4 * 1024;

/** The content of a fixture file. */
interface WrittenFixture {
  readonly description: string;
  /** Above the largest int64 if no id is left; then a pet has that id, and readers come to the same result. */
  readonly nextId: bigint;
  /** The JSON texts of its pets. */
  readonly pets: Iterable<string>;
}

/** The text of a fixture file in pieces, one pet a line. */
export function* fixtureText({ description, nextId, pets }: WrittenFixture): Generator<string, void> {
  let piece = `{\n  "description": ${JSON.stringify(description)},\n`;
  if (nextId <= INT64_MAX) piece += `  "nextId": ${nextId},\n`;
  piece += '  "pets": [';
  let isFirst = true;
  for (const pet of pets) {
    piece += `${isFirst ? '' : ','}\n    ${pet}`;
    isFirst = false;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${isFirst ? '' : '\n  '}]\n}\n`;
}

/** An upper bound of the bytes of a fixture file. */
export const fixtureBytes = ({ pets, bytes }: { readonly pets: number; readonly bytes: number }): number =>
  bytes + pets * BYTES_BETWEEN + BYTES_AROUND;
