/** How messages quote input: shortened if it is long, with a suggestion for a misspelled name. */
import { distance } from 'fastest-levenshtein';

/**
 * A text of at most `limit` characters. Every cut is marked with `…`: `redact` recognizes a truncated secret by its
 * beginning and this mark, so external text must be cut only here.
 */
export const shorten = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

/** A copy: a slice of a string keeps the whole string in memory. */
export const copyOf = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/** A text in quotation marks, shortened if it is long. */
export const quoted = (text: string, limit = 40): string => JSON.stringify(shorten(text, limit));

/** A short description of a value, whatever its size. */
export function kindOf(value: unknown, limit = 40): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value, limit);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** No name is this long, and the distance takes time in the product of the lengths. */
const LONGEST_NAME = 64;
/** From this length on, a prefix stands for a name: `ttl` for `ttlSeconds`. */
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
