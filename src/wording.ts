/** How messages quote what came from outside: cut where it is long, and with the name that was probably meant. */
import { distance } from 'fastest-levenshtein';

/**
 * A text of at most `limit` characters. Every cut is marked with `…`: `redact` finds a secret that was cut by its
 * beginning and this mark, so text from outside is cut nowhere else.
 */
export const shorten = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

/** A text in quotation marks, cut where it is long. */
export const quoted = (text: string, limit = 40): string => JSON.stringify(shorten(text, limit));

/** No name is near to so long a text, and the distance takes time by the product of the lengths. */
const LONGEST_NAME = 64;
/** From this length on, the beginning of a name stands for it: `ttl` for `ttlSeconds`. */
const SHORTEST_BEGINNING = 3;

/**
 * The name that was probably meant: not more slips away than a third of its letters or half of what was written, case
 * aside; else the only one that begins with what was written.
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

/** What to say of a name that is not known: `is not known here; did you mean operation?` */
export function notKnown(written: string, names: readonly string[]): string {
  const meant = didYouMean(written, names);
  if (meant !== undefined) return `is not known here; did you mean ${meant}?`;
  return names.length === 0 ? 'is not known here; leave it out' : `is not known here; there are ${names.join(', ')}`;
}
