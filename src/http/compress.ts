/** Compresses long responses of text for clients that accept it, in the threads of zlib. */

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LONG } from './capacity.ts';
import type { Request } from './open-exchange.ts';
import type { Encoding, ResponseData } from './response.ts';

/** Characters of the longest body that is compressed: a compression takes memory besides the text. */
const LONGEST = 2 * 1024 * 1024;
/** Compressions at once. The file system uses the same threads, so responses beyond that are sent as they are. */
const MOST_AT_ONCE = 2;

/** JSON lines are made piece by piece, and YAML is for programs that read it once. */
const COMPRESSED = /^(?:application\/json|text\/html|text\/markdown|text\/plain)(?:;|$)/;

const compressions = {
  // Higher levels take several times as long for a few percent.
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
};

/** Creates a function that adds the compressed bytes to a response where that saves time on the wire. */
export function compressing(): (req: Request, response: ResponseData) => Promise<ResponseData> {
  let running = 0;
  return async (req, response) => {
    const { body, contentType = 'application/json' } = response;
    // Short bodies stay as they are, and so does every key: a compressed length tells something of what it contains.
    const isWhole = typeof body === 'string' && response.pieces === undefined;
    if (!COMPRESSED.test(contentType) || !isWhole || body.length <= LONG) return response;
    const negotiated = { ...response, headers: [...(response.headers ?? []), 'Vary', 'Accept-Encoding'] };
    const encoding = encodingFor(req);
    if (encoding === undefined || body.length > LONGEST || running >= MOST_AT_ONCE) return negotiated;
    running += 1;
    try {
      return { ...negotiated, encoded: { encoding, bytes: await compressions[encoding](Buffer.from(body)) } };
    } finally {
      running -= 1;
    }
  };
}

/** The smallest first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/**
 * The smallest encoding that the client accepts by its name; `undefined` to send the bytes as they are (RFC 9110,
 * section 12.5.3).
 */
export function encodingFor({ headers }: Request): Encoding | undefined {
  const accepted = headers['accept-encoding'] ?? '';
  const rejected = /;\s*q=0(?:\.0*)?\s*$/;
  const names = String(accepted)
    .split(',')
    .filter((each) => !rejected.test(each))
    .map((each) => each.split(';')[0]?.trim().toLowerCase());
  return ENCODINGS.find((name) => names.includes(name));
}
