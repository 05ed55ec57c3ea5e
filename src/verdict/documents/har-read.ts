/** The exchanges of an HTTP Archive of any browser, proxy or test: each entry ends up in exactly one count. */
import { basesIn, httpUrl, looksLikeOperation, targetOf } from './har-bases.ts';
import {
  A_WEB_SOCKET,
  excessIn,
  type HarContext,
  type HarExchange,
  harExchangeOf,
  isWithoutKey,
  type Located,
  skippedAs,
  withListedQuery,
} from './har-exchange.ts';
import { type Fields, type Har, type HarEntry, objectIn } from './har-source.ts';

/** Counts of what a HAR contains besides the exchanges. */
export class HarCounts {
  /** The base addresses, given or recognized, with their requests. */
  readonly bases = new Map<string, number>();
  entries = 0;
  /** Requests that the recorder had, and that are not in the file. */
  missing = 0;
  /** Entries that aren't requests of the API, by the reason. */
  readonly skipped = new Map<string, number>();
  /** Entries that may be requests of the API, by what they lack. */
  readonly unknown = new Map<string, number>();
  /** Entries without a credential that a server accepted anyway: it was left out of the file. */
  withoutCredential = 0;
  /** What entries of the API lack, also where something else in them breaks the specification. */
  readonly lacking = new Map<string, number>();
}

/** Of entries of other addresses. */
export const ELSEWHERE = 'another address';

/**
 * The exchanges of the API; the counts are complete at the end.
 * @param given base addresses; recognized if there are none
 * @throws {HarError}
 */
export function* exchangesIn(har: Har, given: readonly string[], counts: HarCounts): Generator<HarExchange> {
  const bases = given.length > 0 ? given : basesIn(har.entries);
  for (const base of bases) counts.bases.set(base, 0);
  counts.missing = har.missing;
  const places = har.entries.map((entry) => entryPlaceOf(entry, bases));
  let keysLeftOut: boolean | undefined;
  const areKeysUnknown = (): boolean => (keysLeftOut ??= areKeysLeftOut(places));
  const source: HarContext = { attached: har.attached, areKeysLeftOut: areKeysUnknown };
  let before = 0;
  for (const [index, entry] of har.entries.entries()) {
    counts.entries += 1;
    const found = places[index] as EntryPlace;
    const astray = given.length === 0 && 'skipped' in found ? baseMissedBy(entry, bases) : undefined;
    const place = astray === undefined ? found : { unknown: missed(astray) };
    if ('skipped' in place) add(counts.skipped, place.skipped);
    else if ('unknown' in place) add(counts.unknown, place.unknown);
    else {
      const read = harExchangeOf(place, source, before);
      before = read.exchange.respondedAt;
      add(counts.bases, place.base);
      note(read, counts);
      yield read;
    }
  }
}

type EntryPlace = (Located & { readonly base: string }) | { readonly skipped: string } | { readonly unknown: string };

/** Where an entry belongs. */
function entryPlaceOf({ index, fields, url: text }: HarEntry, bases: readonly string[]): EntryPlace {
  if (text === undefined || text.trim() === '') return { skipped: 'no URL' };
  if (/^\s*wss?:/i.test(text)) return { skipped: A_WEB_SOCKET };
  const url = httpUrl(text);
  if (url === undefined && /^\s*(?!https?:)(?:[a-z][\w+.-]*:\/\/|data:|blob:|about:)/i.test(text))
    return { skipped: ELSEWHERE };
  if (url === undefined) return { [looksLikeOperation(text) ? 'unknown' : 'skipped']: 'no complete URL' } as EntryPlace;
  const found = targetOf(url, bases);
  if (found === undefined) return { skipped: ELSEWHERE };
  const request = objectIn(fields, 'request') ?? {};
  const { method } = request;
  if (typeof method !== 'string' || !/^[\w!#$%&'*+.^`|~-]{1,40}$/.test(method)) return { unknown: 'no method' };
  // A browser asks by itself before it sends the request of a page.
  if (method.toUpperCase() === 'OPTIONS') return { skipped: 'a preflight of a browser' };
  const skipped = skippedAs(fields);
  if (skipped !== undefined) return { skipped };
  const target = withListedQuery(found.target, request['queryString']);
  const excess = excessIn(target, request);
  return excess === undefined
    ? { base: found.base, index, fields, method: method.toUpperCase(), target }
    : { unknown: excess };
}

/**
 * The base address of the API that a request to its host left out or misspelled, as the error of the server suggests. A page
 * or a picture at such an address is none of the API's.
 */
function baseMissedBy(entry: HarEntry, bases: readonly string[]): string | undefined {
  const url = entry.url === undefined ? undefined : httpUrl(entry.url);
  if (url === undefined || /\.\w+$/.test(url.pathname) || !looksLikeOperation(url.pathname)) return undefined;
  const base = bases.find((each) => new URL(each).origin === url.origin);
  if (base === undefined) return undefined;
  const status = Number(objectIn(entry.fields, 'response')?.['status']);
  return status >= 400 && status < 500 ? base : undefined;
}

const missed = (base: string): string =>
  `it went to the host of ${base}, but not below that, and was rejected; correct its address, or give the base addresses that count`;

function note({ lack, isWithoutCredential }: HarExchange, counts: HarCounts): void {
  if (lack) add(counts.lacking, lack.why);
  if (isWithoutCredential) counts.withoutCredential += 1;
}

/**
 * Whether a request without `Authorization` says nothing of its client: browsers and other programs leave the header out. So it is
 * if no request to the API has it, or if the server accepted one without it.
 */
function areKeysLeftOut(places: readonly EntryPlace[]): boolean {
  const located = places.filter((place) => 'base' in place);
  const without = located.filter(({ fields }) => isWithoutKey(fields));
  return without.length === located.length || without.some(({ fields }) => isAccepted(fields));
}

function isAccepted(entry: Fields): boolean {
  const status = Number(objectIn(entry, 'response')?.['status']);
  return status >= 200 && status < 300;
}

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
