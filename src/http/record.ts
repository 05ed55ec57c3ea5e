/** Starts every exchange: records the request, without its credential, before anything acts on it. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { shorten } from '../core/text.ts';
import { OpenExchange, type Surroundings } from './open-exchange.ts';

export interface RecordOptions extends Surroundings {
  /** Generates the id of each exchange. */
  readonly newId: () => string;
  /** The placeholder for the credential: its form, never its value. */
  readonly withoutCredential: (authorization: string | undefined) => string | undefined;
}

/** Creates a function that starts a request's exchange. */
export function record({ newId, withoutCredential, ...surroundings }: RecordOptions): (req: Request) => void {
  const shownOf = rememberingLast(withoutCredential);
  return (req) => {
    surroundings.departures.expect();
    const { headers } = req;
    const length = Number(headers['content-length'] ?? 0);
    req.exchange = new OpenExchange(
      newId(),
      {
        method: req.method,
        target: originForm(req.url),
        authorization: shownOf(headers.authorization),
        contentType: headers['content-type'],
        bodyBytes: length,
        body: undefined,
        // A chunked body has no length yet; an unread one exists all the same.
        bodyUnread: length > 0 || headers['transfer-encoding'] !== undefined,
      },
      shownHeaders(headers),
      surroundings,
    );
  };
}

/** Caches one result: a client sends the same header every time. */
function rememberingLast<In, Out>(make: (input: In) => Out): (input: In) => Out {
  let last: { readonly input: In; readonly output: Out } | undefined;
  return (input) => {
    if (last === undefined || last.input !== input) last = { input, output: make(input) };
    return last.output;
  };
}

/** `GET http://host/v1/pets` means `/v1/pets` (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
};

/**
 * The request headers that the request log shows: a closed list, so that it never contains a cookie or a credential.
 * `Authorization` and `Content-Type` are part of `RecordedRequest`.
 */
const NAMES: readonly (readonly [name: string, key: string])[] = [
  'User-Agent',
  'Accept',
  'Content-Length',
  'Prefer',
  'Idempotency-Key',
  'Traceparent',
  'Sandbox-Fault',
  'Sandbox-Expect',
  'Sandbox-Source',
].map((name) => [name, name.toLowerCase()]);

/** Characters stored of a value. */
const MAX_VALUE = 200;

/** As name, value, name, value. They may contain secrets. */
function shownHeaders(headers: IncomingHttpHeaders): readonly string[] {
  const shown: string[] = [];
  for (const [name, key] of NAMES) {
    const value = headers[key] as string | undefined;
    if (value !== undefined) shown.push(name, value.length > MAX_VALUE ? beginningOf(value) : value);
  }
  return shown;
}

/** Copies through bytes: a slice of a string keeps the whole string in memory. */
const beginningOf = (value: string): string => Buffer.from(shorten(value, MAX_VALUE), 'utf16le').toString('utf16le');
