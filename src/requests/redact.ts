/**
 * Redacts secrets in displayed exchanges. `Authorization` is never recorded, but a client may put its key into an
 * address, a body or a name by mistake.
 * A secret is recognized in any encoding, in base64, with other characters between its letters, and
 * by its beginning if the text was cut: `shorten` in `core/text.ts` marks every cut with `…`.
 */
import { CREDENTIAL_IN_QUERY, KEY_SHAPE, PREFIXES } from '../api/credential.ts';
import type { Log } from '../core/log.ts';
import { base64Forms, SecretSearch, type Span } from './secret-search.ts';

/** Returns a text without secrets. */
export type Redact = (text: string) => string;

const STAND_IN = '[key]';

/** The minimal length of a secret, and of the part by which a truncated one is recognized. */
const SHORTEST_TEXT = 5;

/**
 * @param secrets those without the shape of a key: preconfigured keys, the admin token, credentials of a HAR; ASCII only
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const search = new SecretSearch(secrets);
  const findIn = ({ text, at }: Decoded, spans: Span[]): void => {
    const found = search.find(text);
    for (const pattern of CONSTANT) {
      // `matchAll` copies the pattern each time, which costs more than nearly every search.
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        const value = match.groups?.['value'] ?? match[0];
        const end = match.index + match[0].length;
        found.push([end - value.length, end]);
      }
    }
    for (const [from, to] of found) spans.push([at?.[from] ?? from, at?.[to] ?? to]);
  };

  return (text) => {
    if (text.length < SHORTEST_TEXT) return text;
    const spans: Span[] = [];
    findIn({ text, at: undefined }, spans);
    for (const decoded of decodedForms(text)) findIn(decoded, spans);
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
}

/** A copy of JSON data, with secrets redacted in all strings. */
export function redacted<T>(value: T, redact: Redact): T {
  const clean = (member: unknown): unknown => {
    if (typeof member === 'string') return redact(member);
    if (typeof member !== 'object' || member === null) return member;
    if (Array.isArray(member)) return member.map(clean);
    return Object.fromEntries(Object.entries(member).map(([name, each]) => [name, clean(each)]));
  };
  return clean(value) as T;
}

/** Serializes a value, with secrets redacted in all strings. */
export const redactedJson = (value: unknown, redact: Redact): string =>
  JSON.stringify(value, (_name, member) => (typeof member === 'string' ? redact(member) : member));

/** A log that redacts everything written to it. */
export function redactingLog(log: Log, redact: Redact): Log {
  const clean = (details: object): object =>
    Object.fromEntries(
      Object.entries(details).map(([name, member]) => {
        if (member instanceof Error) return [name, redactedError(member, redact)];
        return [name, member === undefined ? member : JSON.parse(redactedJson(member, redact))];
      }),
    );
  return {
    error: (details, message) => log.error(clean(details), redact(message)),
    warn: (details, message) => log.warn(clean(details), redact(message)),
    info: (details, message) => log.info(clean(details), redact(message)),
    debug: (details, message) => log.debug(clean(details), redact(message)),
  };
}

/** The error itself if it contains no secret, as nearly always; otherwise a redacted copy. */
function redactedError(error: Error, redact: Redact): Error {
  const { message, stack = '', cause } = error;
  const clean = {
    message: redact(message),
    stack: redact(stack),
    cause: cause instanceof Error ? redactedError(cause, redact) : typeof cause === 'string' ? redact(cause) : cause,
  };
  if (clean.message === message && clean.stack === stack && clean.cause === cause) return error;
  const copy: Error = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  for (const [name, value] of Object.entries(clean)) {
    Object.defineProperty(copy, name, { value, writable: true, configurable: true, enumerable: false });
  }
  return copy;
}

function withoutSpans(text: string, spans: Span[]): string {
  spans.sort(([a], [b]) => a - b);
  let shown = '';
  let done = 0;
  for (const [from, to] of spans) {
    if (from >= done) shown += text.slice(done, from) + STAND_IN;
    done = Math.max(done, to);
  }
  return shown + text.slice(done);
}

/** What is a secret by its shape alone: an issued key, also in base64, and the value of a credential in a query. */
const CONSTANT = [
  new RegExp(
    [KEY_SHAPE.source, ...PREFIXES.flatMap(base64Forms).map((form) => `${form}[0-9a-z+/_-]*=*`)].join('|'),
    'gi',
  ),
  CREDENTIAL_IN_QUERY,
];

interface Decoded {
  readonly text: string;
  /**
   * The original position of each character, and finally of the end; `undefined` if positions are the same as in
   * `text`.
   */
  readonly at: Uint32Array | undefined;
}

/**
 * `%70`, `%2570` (encoded twice), `\u0070`, `\\u0070`, `\/`, and any other backslashes, so that each is visited once.
 * Consecutive `%25` are matched together: the time does not depend on the nesting depth.
 */
const ENCODED = /%(?:25)*([0-9a-f]{2})|\\+(?:u([0-9a-f]{4})|(\/))?/gi;

/** Different encodings may be nested: JSON in a URL in JSON. */
const MAX_ROUNDS = 4;

/** Of `ENCODED` only what decodes to something: a quote in JSON does not. Each run of backslashes is visited once. */
const DECODABLE = /%(?:25)*[0-9a-f]{2}|(?<!\\)\\+(?:u[0-9a-f]{4}|\/)/i;

/** Whether decoding could change a text. */
const mayBeEncoded = (text: string): boolean => (text.includes('%') || text.includes('\\')) && DECODABLE.test(text);

/** The successive decodings of a text; none if it has no encodings. */
function* decodedForms(text: string): Generator<Decoded> {
  let decoded: Decoded = { text, at: undefined };
  for (let round = 0; round < MAX_ROUNDS && mayBeEncoded(decoded.text); round++) {
    const next = decodeOnce(decoded);
    if (next.text === decoded.text) return;
    decoded = next;
    yield decoded;
  }
}

/** Beyond ASCII it only matters that it is no letter of a secret, and not the mark of a cut. */
const characterOf = (code: number): string => (code < 0x80 ? String.fromCharCode(code) : '\u00a0');

function decodeOnce({ text, at }: Decoded): Decoded {
  const places = new Uint32Array(text.length + 1);
  const placeOf = (index: number): number => at?.[index] ?? index;
  let decoded = '';
  let done = 0;
  const keep = (to: number): void => {
    for (let index = done; index < to; index++) places[decoded.length + index - done] = placeOf(index);
    decoded += text.slice(done, to);
  };
  for (const match of text.matchAll(ENCODED)) {
    const [whole, percent, unicode, stroke] = match;
    const code = percent ?? unicode;
    if (code === undefined && stroke === undefined) continue;
    keep(match.index);
    places[decoded.length] = placeOf(match.index);
    decoded += stroke ?? characterOf(Number.parseInt(code as string, 16));
    done = match.index + whole.length;
  }
  keep(text.length);
  places[decoded.length] = placeOf(text.length);
  return { text: decoded, at: places };
}
