/** How texts are written: input that is quoted and shortened, suggestions for misspelled names, counts and tables. */
import { distance } from 'fastest-levenshtein';

/**
 * A text of at most `limit` characters. Every cut is marked with `…`: `redact` recognizes a truncated secret by its
 * beginning and this mark, so external text must be cut only here. No surrogate pair is cut in half.
 */
export const shorten = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, HIGH_SURROGATE.test(text.charAt(limit - 1)) ? limit - 1 : limit)}…` : text;

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** A copy: a slice of a string keeps the whole string in memory. */
export const copyOf = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/** A text in quotation marks, shortened if it is long. */
export const quoted = (text: string, limit = 40): string => JSON.stringify(shorten(text, limit));

/** Content in place of a name, an address with a password or a query, and long runs without a word, as keys are. */
const MAY_HOLD_SECRET =
  /[\n{}"]|^\s*['[]|-----|:(?:\/\/)?[^/\s]*@|[?&][\w-]+=|(?<![\w/.-])[A-Za-z0-9+=_]{32,}(?![\w/.-])/;

/**
 * A value that somebody gave where something else is expected: a secret in the wrong place must not reach a log.
 * @param most the characters that a value may have which is nearly right
 */
export const given = (text: string, most = 200): string =>
  text.length > most || MAY_HOLD_SECRET.test(text)
    ? `a text of ${text.length} characters, not shown because it may hold credentials`
    : JSON.stringify(text);

/** A file as errors name it. */
export const fileName = (path: string): string => (MAY_HOLD_SECRET.test(path) ? `(${given(path)})` : path);

/** A short description of a value, whatever its size. */
export function kindOf(value: unknown, limit = 40): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value, limit);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** The sentence for a value that breaks a rule, behind the value's name: `is at most 100; 500 was sent`. */
export const isAndSent = (rule: string, sent: string): string => `is ${rule}; ${sent} was sent`;

/** The same for what somebody gave to the program. @param most see `given` */
export const isAndGiven = (rule: string, text: string, most?: number): string =>
  `is ${rule}; ${given(text, most)} was given`;

/** `; did you mean debug?`, if that is clear. */
export function suggestionFor(written: string, names: readonly string[]): string {
  const meant = didYouMean(written, names);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** No name is this long, and the distance takes time in the product of the lengths. */
const LONGEST_NAME = 64;
/** From this length on, a prefix is a name misspelled: `ttl` for `ttlSeconds`. */
const SHORTEST_BEGINNING = 3;

/**
 * The name that was probably meant: at most a third of its letters and half of the input differ, ignoring case;
 * otherwise the only name that starts with the input.
 */
export function didYouMean(written: string, names: readonly string[]): string | undefined {
  if (written.length > LONGEST_NAME) return undefined;
  const wanted = written.toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const slips = distance(wanted, name.toLowerCase());
    if (slips >= least || slips > Math.min(Math.ceil(name.length / 3), wanted.length / 2)) continue;
    best = name;
    least = slips;
  }
  if (best !== undefined || wanted.length < SHORTEST_BEGINNING) return best;
  const longer = names.filter((name) => name.toLowerCase().startsWith(wanted));
  return longer.length === 1 ? longer[0] : undefined;
}

/** The message for an unknown name: `is not known here; did you mean operation?` */
export function notKnown(written: string, names: readonly string[]): string {
  const suggestion = didYouMean(written, names);
  if (suggestion !== undefined) return `is not known here; did you mean ${suggestion}?`;
  return names.length === 0 ? 'is not known here; leave it out' : `is not known here; there are ${names.join(', ')}`;
}

/** Controls (C0, DEL, C1), directional marks, Unicode line separators, lone surrogates, and noncharacters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

/**
 * External text, safe for display: control characters, directional marks, and characters that XML 1.0 forbids (section
 * 2.2) are replaced by their escapes, like `\u001b`, which are equivalent in JSON.
 */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `1 key`, `2 keys`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `1.2 ms`, `840 ms`, `2.4 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(1))} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

/** Rows as lines with aligned columns. */
export function table(rows: readonly (readonly unknown[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => printable(String(cell ?? '-'))));
  const widths: number[] = [];
  for (const row of texts) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return texts.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The query of a target with its question mark, which is the one that `URLSearchParams` drops. */
export function queryIn(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark);
}

/** A text in quotes for a POSIX shell, which can pass no NUL on. */
export const shellQuoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`;

/** A path or another text as one word of a command: in quotes where it needs them, for PowerShell on Windows. */
export function shellWord(text: string, platform: string): string {
  const isPlain = platform === 'win32' ? /^[\w+=:./\\-]+$/ : /^[\w@%+=:,./-]+$/;
  if (isPlain.test(text)) return text;
  return platform === 'win32' ? powerShellQuoted(text) : shellQuoted(text);
}

/** A text in quotes for PowerShell. */
export const powerShellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
