/** Sends a response while it is made: neither the whole text nor a part that the client has not taken is in memory. */
import type { Request, Response } from 'express';
import { readOn } from './connection.ts';
import { ROUND } from './cpu-queue.ts';
import { commonHeaders } from './response.ts';
import { SlowReaderLimit } from './slow-reader.ts';

interface Streamed {
  readonly contentType: string;
  /** The text in pieces of at most `ROUND` or so; each is made when the one before was taken. */
  readonly pieces: Iterator<string, void>;
  /** What the validator checks in place of the whole: a short text of the same form. */
  readonly sample: string;
}

/**
 * Sends a 200 in pieces of unknown total length. A reader that is too slow is disconnected, as one of large responses is. If a piece cannot be made, the response breaks off, and the client sees that it is not whole.
 */
export async function stream(
  { req, res }: { readonly req: Request; readonly res: Response },
  { contentType, pieces, sample }: Streamed,
): Promise<void> {
  const { exchange } = req;
  if (res.destroyed) {
    exchange.abandon();
    return;
  }
  if (!req.complete) readOn(req.socket);
  const head = [...commonHeaders(exchange.id), 'Content-Type', contentType, ...exchange.headers];
  exchange.beginResponse(head);
  res.writeHead(200, head);
  exchange.close({ status: 200, contentType, body: sample });
  const reader = new SlowReaderLimit(res, exchange.memory.slowReaderMs);
  try {
    while (req.method !== 'HEAD' && !res.destroyed) {
      const next = await exchange.inTurn(ROUND, () => pieces.next());
      if (next.done) break;
      if (!res.write(next.value)) await taken(res);
      reader.taken(next.value.length);
    }
    res.end();
  } finally {
    reader.end();
  }
}

/** Resolves when the client has taken what was written, or has left. */
function taken(res: Response): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}
