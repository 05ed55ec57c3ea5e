/** Sends a large body in chunks, each after the previous one was sent: so the socket never buffers the whole body. */
import type { Response } from 'express';
import { Patience } from './patience.ts';

type Pieces = readonly (string | Buffer)[];

/** Characters or bytes of one chunk. */
const PIECE = 256 * 1024;

/** The chunks of a body, in order: of one string, or of strings that are never joined. */
export function* piecesOf(body: string | Pieces): Generator<string | Buffer> {
  for (const text of typeof body === 'string' ? [body] : body) {
    for (let from = 0; from < text.length; ) {
      const to = typeof text === 'string' ? endOfPiece(text, from) : from + PIECE;
      yield typeof text === 'string' ? text.slice(from, to) : text.subarray(from, to);
      from = to;
    }
  }
}

/** Never splits a surrogate pair. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(from + PIECE, text.length);
  const last = text.charCodeAt(to - 1);
  return to < text.length && last >= 0xd800 && last <= 0xdbff ? to + 1 : to;
}

/**
 * Writes the body and ends the response. A reader that is too slow is disconnected, so that it cannot occupy memory
 * indefinitely.
 * @param patienceMs see `Patience`
 * @param done called once, when everything was sent or the connection is closed
 */
export function sendInPieces(res: Response, body: string | Pieces, patienceMs: number, done: () => void) {
  const pieces = piecesOf(body);
  const patience = new Patience(res, patienceMs);
  let written = 0;
  const write = (): void => {
    patience.taken(written);
    written = 0;
    let waits = false;
    while (!waits) {
      const next = pieces.next();
      if (next.done) {
        res.end();
        return;
      }
      written += next.value.length;
      waits = !res.write(next.value);
    }
  };
  res.on('drain', write);
  res.once('close', () => {
    patience.end();
    done();
  });
  write();
}
