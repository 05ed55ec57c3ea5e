/**
 * The request headers that the journal shows: a closed list, so that it never contains a cookie or a credential.
 * `Authorization` and `Content-Type` are part of `RecordedRequest`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { shorten } from '../wording.ts';

const NAMES: readonly (readonly [name: string, key: string])[] = [
  'User-Agent',
  'Accept',
  'Content-Length',
  'Prefer',
  'Idempotency-Key',
  'Traceparent',
  'Sandbox-Fault',
  'Sandbox-Intent',
].map((name) => [name, name.toLowerCase()]);

/** Characters stored of a value. */
const MAX_VALUE = 200;

/** As name, value, name, value. They may contain secrets. */
export function shownHeaders(headers: IncomingHttpHeaders): readonly string[] {
  const shown: string[] = [];
  for (const [name, key] of NAMES) {
    const value = headers[key] as string | undefined;
    if (value !== undefined) shown.push(name, value.length > MAX_VALUE ? beginningOf(value) : value);
  }
  return shown;
}

/** Copies through bytes: a slice of a string keeps the whole string in memory. */
const beginningOf = (value: string): string => Buffer.from(shorten(value, MAX_VALUE), 'utf16le').toString('utf16le');
