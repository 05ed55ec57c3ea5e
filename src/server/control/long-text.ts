/** Sends long texts of many items, such as lists: they hold neither the event loop nor the memory of the whole. */
import { inSlices } from '../../base/lane.ts';
import type { ResponseData } from '../http/response.ts';
import type { ControlCall } from './control.ts';

export interface LongText {
  readonly contentType?: string;
  readonly before: string;
  /** Each is made when it is asked for. */
  readonly items: Iterator<string, void>;
  readonly between: string;
  /** Called once the items before it are made. */
  readonly after: () => string;
}

/** Characters of a text that is sent, and validated, as a whole. */
const MOST_AT_ONCE = 256 * 1024;
/** Characters of one piece of a longer one. */
const PIECE = 64 * 1024;

/** A short text is sent as a whole; of a longer one, the validator sees the beginning, with the same end. */
export async function longText({ inTurn }: ControlCall, text: LongText): Promise<ResponseData> {
  const { contentType, before, between, after } = text;
  const { items, isAll } = await inSlices(beginningOfItems(text), inTurn);
  const beginning = `${before}${items.join(between)}`;
  const response = { status: 200, ...(contentType && { contentType }), body: `${beginning}${after()}` };
  return isAll ? response : { ...response, pieces: piecesAfter(beginning, text) };
}

/** Yields where it may pause. */
function* beginningOfItems({ items }: LongText): Generator<void, { items: string[]; isAll: boolean }> {
  const found: string[] = [];
  let characters = 0;
  while (characters < MOST_AT_ONCE) {
    const next = items.next();
    if (next.done) return { items: found, isAll: true };
    found.push(next.value);
    characters += next.value.length;
    yield;
  }
  return { items: found, isAll: false };
}

function* piecesAfter(beginning: string, { items, between, after }: LongText): Generator<string, void> {
  let piece = beginning;
  for (let next = items.next(); !next.done; next = items.next()) {
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
    piece += `${between}${next.value}`;
  }
  yield piece + after();
}
