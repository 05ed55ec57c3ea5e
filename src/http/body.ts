/** Reads request bodies: their type, their true length and their text, before anyone looks inside. */
import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Problem } from '../exchange.ts';
import { type JsonValue, parseJson } from '../int64.ts';
import { JsonError } from '../json.ts';
import { quoted } from '../wording.ts';
import { ROUND } from './heavy-lane.ts';
import { MEDIUM } from './in-flight.ts';

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

export interface BodyLimits {
  readonly maxBytes: number;
}

/**
 * The bytes of a JSON body; `undefined` when there is none.
 *
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`
 * @throws {ClientGone}
 */
export async function readBody(req: Request, { maxBytes }: BodyLimits): Promise<Buffer | undefined> {
  const { headers } = req;
  const declared = headers['content-length'];
  // Without either header there is no body (RFC 9112, section 6.3).
  if (headers['transfer-encoding'] === undefined && (declared === undefined || Number(declared) === 0))
    return undefined;
  // It may have gone while the request waited.
  if (req.socket.destroyed) throw new ClientGone();
  if (declared !== undefined) {
    refuseType(req);
    if (Number(declared) > maxBytes) throw tooLarge(req, maxBytes);
    const waiting = req.exchange.room.forBody(req.exchange, Number(declared));
    if (waiting) {
      await waiting;
      if (req.destroyed) throw new ClientGone();
    }
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  let waited = false;
  await new Promise<void>((done, failed) => {
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) {
        chunks.push(chunk);
        // Without a declared length, it may become as large as any.
        if (declared === undefined && bytes >= MEDIUM && !waited) {
          waited = true;
          pauseFor(req, maxBytes);
        } else if (bytes > AT_ONCE && bytes !== Number(declared)) goOnInTurn(req);
      } else {
        req.removeAllListeners('data');
        try {
          refuseType(req);
          failed(tooLarge(req, maxBytes));
        } catch (error) {
          failed(error);
        }
      }
    });
    req.on('end', done);
    req.on('close', () => {
      // It also closes after its end, and an error that nobody asks for still has to be made.
      if (!req.readableEnded) failed(new ClientGone());
    });
    req.on('error', () => failed(new ClientGone()));
  });
  const { request } = req.exchange;
  request.bodyBytes = bytes;
  request.bodyUnread = bytes > 0;
  if (bytes === 0) return undefined;
  refuseType(req);
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/** The text of a body's bytes, which is part of the record from now on. @throws {ApiError} `invalid_request` (no UTF-8) */
export function textOf(req: Request, bytes: Buffer): string {
  const { request } = req.exchange;
  request.body = bytes.toString('utf8');
  request.bodyUnread = false;
  if (!isUtf8(bytes)) {
    throw refusal(req, 'invalid_request', [
      { place: 'body', message: 'must be UTF-8 (RFC 8259, section 8.1)', difference: 'text-encoding' },
    ]);
  }
  return request.body;
}

/** Reads on once there is room. */
function pauseFor(req: Request, maxBytes: number): void {
  const waiting = req.exchange.room.forBody(req.exchange, maxBytes);
  if (!waiting) return;
  req.pause();
  void waiting.then(() => {
    if (req.destroyed) req.exchange.abandon();
    else req.resume();
  });
}

/**
 * Reads a body for the record only, where a fault answers: the journal shows it and the referee judges it. What is
 * wrong with it is no matter here.
 *
 * @throws {ClientGone}
 */
export async function recordBody(req: Request, limits: BodyLimits): Promise<void> {
  try {
    const bytes = await readBody(req, limits);
    if (bytes) await req.exchange.inTurnWithBody(bytes.length, () => textOf(req, bytes));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * Members and array items of a body in all. Beyond any pet and any control: a body of 1 MiB can hold 90,000 unknown
 * members, and each of them costs everybody a hundred times what a letter of a name does.
 */
const MAX_MEMBERS = 10_000;

/** The value of a body's text, digit for digit. @throws {ApiError} `invalid_request`, `payload_too_large` */
export function parsedBody(req: Request, text: string): JsonValue {
  try {
    return parseJson(text, MAX_MEMBERS);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.reason === 'members') throw tooManyMembers(req, error.message);
    const difference = error.reason === 'syntax' ? undefined : error.reason;
    throw refusal(req, 'invalid_request', [
      { place: 'body', message: error.message, ...(difference && { difference }) },
    ]);
  }
}

/** As with too many bytes, the body goes no further: the referee would take as long over it as the service. */
function tooManyMembers(req: Request, message: string): ApiError {
  const { request } = req.exchange;
  request.body = undefined;
  request.bodyUnread = true;
  return refusal(req, 'payload_too_large', [{ place: 'body', message, difference: 'too-large' }]);
}

/** Refuses a request for these reasons, and says so in one message. */
export function refusal(req: Request, code: ErrorCode, problems: readonly Problem[]): ApiError {
  req.exchange.refuse(problems);
  return new ApiError(code, problems.map(({ place, message }) => `${place}: ${message}`).join('; '));
}

function refuseType(req: Request): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined) {
    throw refusal(req, 'unsupported_media_type', [
      {
        place: 'header/content-encoding',
        message: `must not be sent; got ${quoted(encoding)}: send the body as it is`,
        difference: 'content-encoding',
      },
    ]);
  }
  const type = req.headers['content-type'];
  if (type !== undefined && isJsonType(type)) return;
  const got = type === undefined ? 'nothing' : quoted(type, 80);
  throw refusal(req, 'unsupported_media_type', [
    {
      place: 'header/content-type',
      message: `must be application/json; got ${got}: send \`Content-Type: application/json\``,
      difference: 'media-type',
    },
  ]);
}

/** Characters of a media type: far more than any real one has. */
const MAX_TYPE = 200;

/** JSON has no parameters; `charset=utf-8` is sent so often, and is so true, that it is let pass. */
function isJsonType(type: string): boolean {
  if (type === 'application/json') return true;
  if (type.length > MAX_TYPE) return false;
  // In parts: one expression with white space anywhere takes time by the square of a long row of blanks.
  const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (parameters.at(-1) === '') parameters.pop();
  const [charset = 'charset=utf-8'] = parameters;
  return name === 'application/json' && parameters.length <= 1 && /^charset\s*=\s*"?utf-?8"?$/.test(charset);
}

/** Bytes of a body that are read without waiting for a turn. */
const AT_ONCE = 64 * 1024;

/** Node would read up to 2 MiB of each connection in one turn of the event loop: many together hold up everybody. */
function goOnInTurn(req: Request): void {
  req.pause();
  void req.exchange.inTurn(ROUND / 4, () => {
    req.resume();
  });
}

/** What still comes is read and thrown away, up to a bound, so that the client gets to see the answer. */
function tooLarge(req: Request, maxBytes: number): ApiError {
  let drained = 0;
  req.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > maxBytes * 16) req.destroy();
    else goOnInTurn(req);
  });
  return refusal(req, 'payload_too_large', [
    { place: 'body', message: `must be at most ${maxBytes} bytes`, difference: 'too-large' },
  ]);
}
