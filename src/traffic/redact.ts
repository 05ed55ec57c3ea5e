/**
 * Redacts secrets in texts that are shown: an issued key by its shape, a credential in the query of an address by its name,
 * and a secret of the settings as it is, percent-encoded, with `\/` for a slash, and as an unencoded query shows it. A secret
 * that was cut is recognized by its beginning: `shorten` in `base/text.ts` marks every cut with `…`. Credentials that come
 * with a request are taken out where it is recorded: `server/http/open-exchange.ts`.
 */
import { CREDENTIAL_IN_TEXT, HIDDEN, KEY_SHAPE } from '../base/api/credential.ts';
import type { Log } from '../base/log.ts';

/** Returns a text without secrets. */
export type Redact = (text: string) => string;

/** A shorter beginning of a secret that was cut says nothing. */
const SHORTEST_BEGINNING = 4;

/** A secret is found by so many first characters, and followed by what a token consists of: the work stays in proportion. */
const LONGEST_HEAD = 64;

/** @param secrets those without the shape of a key: preconfigured keys and the admin token */
export function createRedact(secrets: Iterable<string>): Redact {
  // The longest first: a shorter one may be a part of it.
  const known = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  const patterns = [...known.map(patternOf), KEY_SHAPE];
  return (text) => {
    if (text.length < SHORTEST_BEGINNING) return text;
    const left = patterns.reduce((shown, pattern) => shown.replace(pattern, HIDDEN), text);
    return left.includes('=') ? left.replace(CREDENTIAL_IN_TEXT, `$1${HIDDEN}`) : left;
  };
}

/** All forms of a secret, whole or cut before a `…`. */
function patternOf(secret: string): RegExp {
  const [, stem = '', padding = ''] = /^(.+?)(=*)$/s.exec(secret) ?? [];
  const end = stem.length > LONGEST_HEAD ? String.raw`[\w.~+/=%-]*` : padding.replaceAll('=', `(?:${formsOf('=')})?`);
  const forms = [...stem.slice(0, LONGEST_HEAD)].map(formsOf);
  const found = forms.reduceRight(
    (rest, form, at) => (at < SHORTEST_BEGINNING ? form + rest : `(?:${CUT}|${form}${rest})`),
    end,
  );
  return new RegExp(found, 'gi');
}

/** Before a slash, in JSON and in JSON that is quoted again. */
const ESCAPES = String.raw`\\{1,4}`;

/** The text was cut here, perhaps within an encoded character. */
const CUT = String.raw`(?:%[0-9a-f]?|${ESCAPES})?(?=\u2026)`;

/** How a character of a secret may be written. */
function formsOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, '0');
  const others = character === '/' ? `|${ESCAPES}/` : character === '+' ? '| ' : '';
  return `(?:${character.replace(/\W/, String.raw`\$&`)}|%${code}${others})`;
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
