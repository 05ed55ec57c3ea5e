/** How requests are served: a route's operation returns its response as data, which `server/http/send.ts` sends. */
import { type ApiError, errorBody } from '../../base/api/errors.ts';
import type { AbortSignal } from '../../base/real-globals.ts';
import type { Redact } from '../../traffic/redact.ts';
import type { Request, RequestParts, Response } from './open-exchange.ts';

/** A route of the Express application: an operation of either API, or a page. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete' | 'options' | 'all';
  /** In Express's notation: `/_sandbox/keys/:keyId`. */
  readonly path: string;
  readonly respond: Respond;
}

/** @returns a promise only where something waits */
export type Respond = (req: Request, res: Response) => ResponseData | Promise<ResponseData>;

/** A path of a specification in Express's notation. */
export const pathInExpress = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The methods of a path, as `Allow` lists them, without OPTIONS. */
export function methodsOf(all: readonly { readonly method: string }[]): string {
  const methods = new Set(all.map(({ method }) => method.toUpperCase()));
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

const JSON_TYPE = 'application/json';

/** The text of a response, or the chunks of a longer one: strings, or their bytes in UTF-8. */
export type Body = string | readonly (string | Buffer)[];

/** The response of an operation. `body` is JSON text unless `contentType` is set. */
export interface ResponseData {
  readonly status: number;
  /** Empty for 204. The record and the validator get it, whatever of the following is sent in its place. */
  readonly body: Body;
  readonly contentType?: string;
  /** Additional headers, as name, value, name, value. */
  readonly headers?: readonly string[];
  /** A text of unknown length, in pieces; each is made when the one before was taken. */
  readonly pieces?: Iterator<string, void>;
  /** Goes on with the response once its head was sent. */
  readonly stream?: ResponseStream;
  /** Whether browsers may keep it for good: its address changes with its content. */
  readonly isImmutable?: boolean;
  /** Set by a fault: how slowly the body is sent. The rest follows at once when the server stops. */
  readonly pace?: { readonly bytesPerSecond: number; readonly stopping: AbortSignal };
  /** Set by a fault: the connection is closed after half of the response, or without a byte: orderly, or with a TCP reset. */
  readonly broken?: 'truncate' | 'empty' | 'reset';
}

/** What writes a response that has no end of its own. */
export interface ResponseStream {
  begin(req: Request, res: Response): void;
  /** Its head was not sent: the client had left. */
  cancel(): void;
}

const NONE: readonly string[] = [];
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** On every response: no content sniffing, and no caching but of what never changes. */
export const commonHeaders = (requestId: string, cacheControl = 'no-store'): string[] => [
  'Cache-Control',
  cacheControl,
  'X-Content-Type-Options',
  'nosniff',
  'Sandbox-Request-Id',
  requestId,
];

/** All headers of a response, as name, value, name, value. */
export function responseHeaders(
  { exchange }: RequestParts,
  { status, body, contentType = JSON_TYPE, headers = NONE, pieces, stream, isImmutable }: ResponseData,
): string[] {
  const all = isImmutable ? commonHeaders(exchange.id, FOR_GOOD) : commonHeaders(exchange.id);
  if (status !== 204) all.push('Content-Type', contentType);
  const isOfKnownLength = status !== 204 && pieces === undefined && stream === undefined;
  if (isOfKnownLength) all.push('Content-Length', String(bytesOf(body)));
  return all.concat(exchange.headers, headers);
}

/** As it is recorded: 204 has none. */
export const contentTypeOf = ({ status, contentType = JSON_TYPE }: ResponseData): string | undefined =>
  status === 204 ? undefined : contentType;

export const charactersOfBody = (body: Body): number =>
  typeof body === 'string' ? body.length : body.reduce((sum, { length }) => sum + length, 0);

export const bytesOf = (body: Body): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);

/** The response for an error. Its message may quote the request, so secrets are redacted. */
export const errorResponse = ({ code, message, status, headers }: ApiError, redact: Redact): ResponseData => ({
  status,
  body: errorBody(code, redact(message), status),
  headers,
});
