/** Reads request bodies: validates type, size and encoding before the content is parsed. */

import { isUtf8 } from 'node:buffer';
import { ApiError, type ErrorCode } from '../../base/api/errors.ts';
import type { Problem } from '../../base/api/exchange.ts';
import { type JsonValue, parseJson } from '../../base/int64.ts';
import { JsonError, tooMany } from '../../base/json.ts';
import { MAX_MEMBERS, MAX_TYPE } from '../../base/limits.ts';
import { isAndSent, quoted } from '../../base/text.ts';
import type { Capacity } from './capacity.ts';
import { type Request, type RequestParts, reject } from './open-exchange.ts';

/** The client disconnected before its request was complete: no response can be sent. */
export class ClientGone extends Error {}

export interface BodyLimits {
  readonly maxBytes: number;
  /** What the body may be, the one to advise first; JSON by default. */
  readonly mediaTypes?: readonly string[];
  /** What to do with a larger one. */
  readonly larger?: string;
}

const JSON_TYPES = ['application/json'] as const;

/**
 * The bytes of a body; `undefined` if there is none.
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`
 * @throws {ClientGone}
 */
export async function readBody(req: Request, limits: BodyLimits, capacity: Capacity): Promise<Buffer | undefined> {
  const { headers } = req;
  const { maxBytes } = limits;
  const declared = headers['content-length'];
  // Without either header there is no body (RFC 9112, section 6.3).
  if (headers['transfer-encoding'] === undefined && (declared === undefined || Number(declared) === 0))
    return undefined;
  // The client may have disconnected while the request waited.
  if (req.socket.destroyed) throw new ClientGone();
  if (declared !== undefined) {
    if (!isForm(req) || Number(declared) > MAX_FORM) rejectType(req, limits);
    if (Number(declared) > maxBytes) throw drained(req, limits);
  }
  // Without a declared length, it may become as large as any.
  const waiting = capacity.reserve(req.exchange, 2 * Number(declared ?? maxBytes));
  if (waiting) {
    await waiting;
    if (req.destroyed) throw new ClientGone();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((done, failed) => {
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        req.removeAllListeners('data');
        failed(rejectionOfBody(req, limits));
      } else chunks.push(chunk);
    });
    req.on('end', done);
    // After an error too, which Node emits to nobody where nobody listens.
    req.on('close', () => {
      // The stream also closes after its end; do not create an error then.
      if (!req.readableEnded) failed(new ClientGone());
    });
  });
  const { request } = req.exchange;
  request.bodyBytes = bytes;
  request.bodyUnread = bytes > 0;
  if (bytes === 0) return undefined;
  const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  if (isForm(req) && bytes <= MAX_FORM) {
    request.body = whole.toString('utf8');
    request.bodyUnread = false;
  }
  rejectType(req, limits);
  return whole;
}

/** Bytes of a form that is read although its type is rejected: the correction has its values as JSON. */
const MAX_FORM = 16 * 1024;

const isForm = ({ headers }: Request): boolean =>
  /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i.test(headers['content-type'] ?? '');

/** Decodes a body's bytes and records the text. @throws {ApiError} `invalid_request` (not UTF-8) */
export function recordedText(req: RequestParts, bytes: Buffer): string {
  const { request } = req.exchange;
  request.body = bytes.toString('utf8');
  request.bodyUnread = false;
  if (!isUtf8(bytes)) {
    throw rejection(req, 'invalid_request', [
      { location: 'body', message: 'is not UTF-8 (RFC 8259, section 8.1)', difference: 'text-encoding' },
    ]);
  }
  return request.body;
}

/**
 * Reads a body only for the record, when a fault replaces the response: the request log shows it and the validator checks it.
 * Its errors are ignored here.
 * @throws {ClientGone}
 */
export async function recordBody(
  req: Request,
  read: () => Promise<Buffer | undefined>,
  capacity: Capacity,
): Promise<void> {
  try {
    const bytes = await read();
    if (bytes) await capacity.inTurnWithBody(req.exchange, bytes.length, () => recordedText(req, bytes));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * Parses a body's text, digit for digit.
 * @param inMembers the maximum of members and array items below its members, if that is more
 * @throws {ApiError} `invalid_request`, `payload_too_large`
 */
export function parsedBody(req: RequestParts, text: string, inMembers = 0): JsonValue {
  try {
    const value = parseJson(text, Math.max(inMembers, MAX_MEMBERS));
    if (inMembers > MAX_MEMBERS) rejectMembers(value);
    return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.reason === 'members') throw tooManyMembers(req, `is ${error.message}`);
    const difference = error.reason === 'syntax' ? undefined : error.reason;
    throw rejection(req, 'invalid_request', [
      { location: 'body', message: `is ${error.message}`, ...(difference && { difference }) },
    ]);
  }
}

function rejectMembers(value: JsonValue): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (Object.keys(value).length > MAX_MEMBERS) throw tooMany(MAX_MEMBERS);
}

/** As with too many bytes, the body is not recorded: the validator would take as long over it as the service. */
function tooManyMembers(req: RequestParts, message: string): ApiError {
  const { request } = req.exchange;
  request.body = undefined;
  request.bodyUnread = true;
  return rejection(req, 'payload_too_large', [{ location: 'body', message, difference: 'too-large' }]);
}

/** Rejects a request for these reasons, combined in one message. */
export function rejection(req: RequestParts, code: ErrorCode, problems: readonly Problem[]): ApiError {
  reject(req.exchange, problems);
  return new ApiError(code, problems.map(({ location, message }) => `${location} ${message}`).join('; '));
}

function rejectType(req: Request, { mediaTypes = JSON_TYPES }: BodyLimits): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined) {
    throw rejection(req, 'unsupported_media_type', [
      {
        location: 'header/content-encoding',
        message: `must not be sent; ${quoted(encoding)} was sent: send the body as it is`,
        difference: 'content-encoding',
      },
    ]);
  }
  const type = req.headers['content-type'];
  if (type !== undefined && mediaTypes.some((each) => isType(type, each))) return;
  const tooLong = (type?.length ?? 0) > MAX_TYPE ? `${type?.length} characters, more than ${MAX_TYPE}, ` : '';
  const sent = type === undefined ? 'nothing' : `${tooLong}${quoted(type, 80)}`;
  throw rejection(req, 'unsupported_media_type', [
    {
      location: 'header/content-type',
      message: `${isAndSent(mediaTypes.join(', '), sent)}: send \`Content-Type: ${mediaTypes[0]}\``,
      difference: 'media-type',
    },
  ]);
}

/** `; name=value`, as RFC 9110 writes it (section 5.6.6), and the empty one that may end the list. */
const PARAMETER = /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))?[ \t]*/y;

/**
 * JSON has no parameters, so `odata.metadata=minimal` and others say nothing, and are ignored. A charset other than UTF-8
 * says that the body is something else.
 */
function isType(type: string, wanted: string): boolean {
  if (type === wanted) return true;
  if (type.length > MAX_TYPE) return false;
  const end = type.indexOf(';');
  const name = end === -1 ? type : type.slice(0, end);
  if (name.trim().toLowerCase() !== wanted) return false;
  for (let at = name.length; at < type.length; ) {
    PARAMETER.lastIndex = at;
    const [parameter = '', key = '', value = ''] = PARAMETER.exec(type) ?? [];
    if (parameter === '') return false;
    if (key.toLowerCase() === 'charset' && !/^"?utf-?8"?$/i.test(value)) return false;
    at += parameter.length;
  }
  return true;
}

/** Its type is what matters first. */
function rejectionOfBody(req: Request, limits: BodyLimits): unknown {
  try {
    rejectType(req, limits);
    return drained(req, limits);
  } catch (error) {
    return error;
  }
}

/** Bytes of the rest of a body that is too large. */
const MAX_DRAINED = 16 * 1024 * 1024;

/** The rest of the body is read and discarded, up to a limit, so that the client can read the response. */
function drained(req: Request, limits: BodyLimits): ApiError {
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED) req.destroy();
  });
  return tooLarge(req, limits);
}

/** The error for a body that is larger than it may be. */
export function tooLarge(req: RequestParts, { maxBytes, larger }: BodyLimits): ApiError {
  return rejection(req, 'payload_too_large', [
    {
      location: 'body',
      message: `has at most ${maxBytes} bytes${larger === undefined ? '' : `; ${larger}`}`,
      difference: 'too-large',
    },
  ]);
}
