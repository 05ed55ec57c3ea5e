/**
 * Redacts secrets in displayed exchanges. `Authorization` is never recorded, but a client may put its key into an
 * address, a body or a name by mistake.
 * A secret is recognized in any encoding, in base64, with other characters between its letters, and
 * by its beginning if the text was cut: `shorten` in `core/text.ts` marks every cut with `…`.
 */
import { isDamaged, KEY_SHAPE, PREFIXES } from '../api/api-key.ts';
import type { Log } from '../core/log.ts';

/** Returns a text without secrets. */
export type Redact = (text: string) => string;

const STAND_IN = '[key]';

/** The minimal length of a secret, and of the part by which a truncated one is recognized. */
const SHORTEST_TEXT = 5;

/** @param secrets those without the shape of a key: preconfigured keys, the admin token; ASCII only */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap((secret) => [secret, ...base64Forms(secret)]);
  // Longest first: a secret may be a prefix of another.
  const all = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const whole = new RegExp([KEY_SHAPE.source, ...KEYS_IN_BASE64, ...all.map(asPattern)].join('|'), 'gi');
  const truncated = all.length === 0 ? undefined : new RegExp(all.map(asBeginning).join('|'), 'gi');

  const findIn = ({ text, at }: Decoded, spans: Span[]): void => {
    const find = (pattern: RegExp, isSecret = (_: string): boolean => true): void => {
      // `matchAll` copies the pattern each time, which costs more than nearly every search.
      pattern.lastIndex = 0;
      for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
        const { 0: match, index } = found;
        const end = index + match.length;
        if (isSecret(match)) spans.push([at?.[index] ?? index, at?.[end] ?? end]);
      }
    };
    find(whole);
    find(SPLIT_KEY, isSplitKey);
    if (truncated && text.includes('…')) find(truncated);
  };

  return (text) => {
    if (text.length < SHORTEST_TEXT) return text;
    const spans: Span[] = [];
    findIn({ text, at: undefined }, spans);
    for (const decoded of decode(text)) findIn(decoded, spans);
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
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

/** A range of characters, `to` exclusive. */
type Span = readonly [from: number, to: number];

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

/**
 * The characters allowed between two letters of a secret: `/` is `~1` in a JSON pointer, `+` is a space in a query, a
 * long line is broken, in JSON by `\n`. Never the mark of a cut.
 */
const BETWEEN = '(?:\\\\[nrtbf]|~[01]|[^0-9a-z…]){0,4}?';

/** A secret with fewer letters and digits is recognized only verbatim. */
const FEWEST_LETTERS = 12;

const inPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The letters and digits of a secret, each as a pattern that includes optional preceding characters. */
function partsOf(secret: string): readonly string[] {
  const [, first = '', inner = '', last = ''] = /^([^0-9a-z]*)(.*?)([^0-9a-z]*)$/is.exec(secret) ?? [];
  const letters = inner.match(/[0-9a-z]/gi) ?? [];
  if (letters.length < FEWEST_LETTERS || /[^0-9a-z]{4}/i.test(inner)) return [...secret].map(inPattern);
  const parts = letters.map((letter, index) => (index === 0 ? letter : BETWEEN + letter));
  // `=` at the end separates name and value in a query, so surrounding characters may be missing.
  return [optional(first), ...parts, optional(last)].filter((part) => part !== '');
}

const optional = (text: string): string => (text === '' ? '' : `(?:${inPattern(text)})?`);

const asPattern = (secret: string): string => partsOf(secret).join('');

/** A prefix of this length reveals nothing. */
const SHORT = 4;

/** Matches the beginning of a secret if the text is cut after it, or within a following encoded character. */
function asBeginning(secret: string): string {
  const parts = partsOf(secret);
  const further = parts.slice(SHORT);
  const nested = further.map((part) => `(?:${part}`).join('') + ')?'.repeat(further.length);
  return `${parts.slice(0, SHORT).join('')}${nested}(?=${BETWEEN}(?:%[0-9a-f]?|\\\\u?[0-9a-f]{0,3})?…)`;
}

/** The characters of a key with others between them. */
const SPLIT_KEY = new RegExp(
  ['p', 'e', 't', 's', 'b', '[xh]', '_'].join(BETWEEN) + `${BETWEEN}[0-9a-z]`.repeat(33),
  'gi',
);

/** The checksum decides: text that is not a key stays unchanged. */
function isSplitKey(text: string): boolean {
  const letters = text.replaceAll(/\\[nrtbf]|~[01]|[^0-9A-Za-z]/g, '');
  return PREFIXES.some((prefix) => !isDamaged(`${prefix}${letters.slice(prefix.length - 1)}`));
}

/**
 * The base64 of a text for each of the three alignments to a group of three bytes, without the first and last
 * character, which depend on adjacent bytes.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes) * 8) / 6));
  });
}

const KEYS_IN_BASE64 = PREFIXES.flatMap(base64Forms).map((form) => `${form}[0-9a-z+/_-]*=*`);

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
const ENCODED = /%(?:25)*([0-7][0-9a-f])|\\+(?:u00([0-7][0-9a-f])|(\/))?/gi;

/** Different encodings may be nested: JSON in a URL in JSON. */
const MAX_ROUNDS = 4;

/** Of `ENCODED` only what decodes to something: a quote in JSON does not. Each run of backslashes is visited once. */
const DECODABLE = /%(?:25)*[0-7][0-9a-f]|(?<!\\)\\+(?:u00[0-7][0-9a-f]|\/)/i;

/** Whether decoding could change a text. */
const mayBeEncoded = (text: string): boolean => (text.includes('%') || text.includes('\\')) && DECODABLE.test(text);

/** The successive decodings of a text; none if it has no encodings. */
function* decode(text: string): Generator<Decoded> {
  let decoded: Decoded = { text, at: undefined };
  for (let round = 0; round < MAX_ROUNDS && mayBeEncoded(decoded.text); round++) {
    const next = decodeOnce(decoded);
    if (next.text === decoded.text) return;
    decoded = next;
    yield decoded;
  }
}

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
    decoded += stroke ?? String.fromCharCode(Number.parseInt(code as string, 16));
    done = match.index + whole.length;
  }
  keep(text.length);
  places[decoded.length] = placeOf(text.length);
  return { text: decoded, at: places };
}
