/** Validates every request before routing: its version, target, host and framing. */
import { isIPv6 } from 'node:net';
import { isReadable, pathOfTarget } from '../../base/address.ts';
import { ApiError } from '../../base/api/errors.ts';
import { MAX_HEAD } from '../../base/limits.ts';
import { quoted } from '../../base/text.ts';
import { inOneSentence, MALFORMED } from '../../traffic/malformed.ts';
import { rejection } from './body.ts';
import type { Request, RequestParts } from './open-exchange.ts';
import { ABSOLUTE, timesSent } from './request-head.ts';

/** Node drops what comes after so many headers. */
const MAX_HEADERS = 1_000;
const TOO_LARGE = new ApiError('headers_too_large', inOneSentence(...MALFORMED['too-large']));

/**
 * Finds requests which RFC 9112 forbids and Node's parser accepts. Node would also reject a missing `Host`, but
 * without an Error body. It leaves `req.url` in origin form, so that no router parses a URL: a malformed one makes the
 * URL parser throw.
 * @returns `invalid_request`, `headers_too_large`, `not_implemented`; `undefined` for a request that is well-formed
 */
export function problemOfForm(req: Request): ApiError | undefined {
  try {
    checkHeaders(req);
    if (!req.url.startsWith('/')) useOriginForm(req);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function checkHeaders(req: Request): void {
  const { head } = req.exchange;
  if (head.size + req.url.length > MAX_HEAD || req.rawHeaders.length >= 2 * MAX_HEADERS) throw TOO_LARGE;
  if (head.isWellFormed) return;
  if (req.httpVersionMajor !== 1) throw malformed('the version of HTTP must be 1.0 or 1.1');
  const times = timesSent(req.rawHeaders, 'host');
  if (times > 1 || (times === 0 && req.httpVersionMinor > 0))
    throw malformed(`\`Host\` was sent ${times} times; send it once`);
  if (times === 1 && !isHost(req.headers.host ?? ''))
    throw malformed(`\`Host\` must be a host name or an address, and a port if any: ${EXAMPLE}`);
  if (req.headers['transfer-encoding'] !== undefined) rejectCodings(req);
  head.isWellFormed = true;
}

const EXAMPLE = '`Host: localhost:4020`';

const malformed = (message: string): ApiError => new ApiError('invalid_request', message);

/**
 * `http://host/v1/pets` means `/v1/pets` of that host, regardless of `Host` (RFC 9112, section 3.2.2). `*` is
 * unchanged: it means the server (section 3.2.4).
 */
function useOriginForm(req: Request): void {
  const absolute = ABSOLUTE.exec(req.url);
  if (absolute) {
    const [, host = ''] = absolute;
    // The target is not quoted: it may contain a password.
    if (!isHost(host)) throw malformed('the target names no host, or a bad port; send the path alone: `/v1/pets`');
    req.headers = { ...req.headers, host };
    req.url = req.exchange.request.target;
  } else if (req.url !== '*' || req.method !== 'OPTIONS') {
    throw malformed('the target must begin with "/"; "*" is for OPTIONS alone');
  }
}

/** A registered name or an IPv4 address, or an IPv6 address in brackets (RFC 3986, section 3.2.2); then a port. */
const HOST = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)(?::(\d{0,5}))?$/;

function isHost(text: string): boolean {
  const parts = HOST.exec(text);
  if (!parts) return false;
  const [, address, port = ''] = parts;
  return Number(port) <= 65_535 && (address === undefined || isIPv6(address));
}

/** Only chunked bodies are decoded; other codings would hide the bytes (RFC 9112, section 6.1). */
function rejectCodings(req: Request): void {
  if (req.httpVersionMinor === 0) throw malformed('HTTP/1.0 has no `Transfer-Encoding`; send `Content-Length`');
  if (req.headers['transfer-encoding']?.trim().toLowerCase() === 'chunked') return;
  throw new ApiError('not_implemented', '`Transfer-Encoding` may only be `chunked` here; leave out the other codings');
}

// Addresses that cannot be read.

/** The path of a request, as sent. */
export const pathOf = ({ exchange }: RequestParts): string => exchange.request.target.split(/[?#]/, 1)[0] as string;

/** Rejects an ambiguous or malformed address, whatever it requests. @throws {ApiError} `invalid_request` */
export function rejectUnreadable(req: RequestParts): void {
  if (!isReadable(req.exchange.request.target)) throw unreadable(req);
}

/** The error for an ambiguous or malformed address. */
export function unreadable(req: RequestParts): ApiError {
  const { target } = req.exchange.request;
  const path = pathOfTarget(target);
  const [location, text] = isReadable(path) ? ['query', target.slice(path.length + 1)] : ['path', path];
  const message = `has a bad percent-encoding (${quoted(text, 100)}): write "%" as "%25", and all but plain letters, digits and marks as the bytes of their UTF-8`;
  return rejection(req, 'invalid_request', [{ location, message, difference: 'text-encoding' }]);
}
