/** Sends a large body in pieces, each once the one before has left: so no copy of the whole waits in the socket. */
import type { Response } from 'express';

/** Characters of one piece. */
const PIECE = 256 * 1024;

/** The pieces of a body, in order: a text, or texts that are never joined. */
export function* piecesOf(body: string | readonly string[]): Generator<string> {
  for (const text of typeof body === 'string' ? [body] : body) {
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      yield text.slice(from, to);
      from = to;
    }
  }
}

/** Never between the two halves of a surrogate pair, which make one character only together. */
function endOfPiece(text: string, from: number): number {
  const to = Math.min(from + PIECE, text.length);
  const last = text.charCodeAt(to - 1);
  return to < text.length && last >= 0xd800 && last <= 0xdbff ? to + 1 : to;
}

/**
 * Writes the body and ends the response. A reader that takes not a single piece within `patienceMs` is cut off, so that
 * it cannot hold memory for ever.
 *
 * @param done called once, when all was sent or the connection is gone
 */
export function sendInPieces(res: Response, body: string | readonly string[], patienceMs: number, done: () => void) {
  const pieces = piecesOf(body);
  const patience = setTimeout(() => res.destroy(), patienceMs).unref();
  const write = (): void => {
    patience.refresh();
    let waits = false;
    while (!waits) {
      const next = pieces.next();
      if (next.done) {
        res.end();
        return;
      }
      waits = !res.write(next.value);
    }
  };
  res.on('drain', write);
  res.once('close', () => {
    clearTimeout(patience);
    done();
  });
  write();
}
