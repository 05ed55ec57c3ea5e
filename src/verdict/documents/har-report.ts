/**
 * The report on a HAR of any browser, proxy or test: each entry ends up in exactly one count, and its requests are
 * validated here.
 */
import { readFileSync } from 'node:fs';
import {
  type CutBodies,
  type Exchange,
  isExpectedInvalid,
  isToBeValidated,
  type Verdict,
} from '../../base/api/exchange.ts';
import { realClock } from '../../base/clock.ts';
import { type OperationName, operations } from '../../base/generated/facts.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { inSlices } from '../../base/lane.ts';
import { MAX_EXCHANGES } from '../../base/limits.ts';
import { counted } from '../../base/text.ts';
import type { AccountEntry } from '../../traffic/account.ts';
import { createRedact, redactedJson } from '../../traffic/redact.ts';
import { cutBodies } from '../../traffic/request-log.ts';
import { Tally } from '../../traffic/tally.ts';
import { type Report, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import type { Results } from '../report/results.ts';
import { agree } from '../validator/agreement.ts';
import { VerdictCache } from '../validator/known-verdicts.ts';
import { exchangeValidator, verdictBy } from '../validator/serve.ts';
import {
  A_WEB_SOCKET,
  type HarContext,
  type HarExchange,
  harExchangeOf,
  isWithoutKey,
  type Lack,
  type Located,
  skippedAs,
  withListedQuery,
} from './har-exchange.ts';
import {
  basesIn,
  type Fields,
  type Har,
  type HarEntry,
  httpUrl,
  locatedTarget,
  looksLikeOperation,
  objectIn,
} from './har-source.ts';

/** Counts of what a HAR contains besides the exchanges. */
class HarCounts {
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

/** Characters of path and query, as a server takes them. */
const MAX_TARGET = 16 * 1024;

/** Of entries of other addresses. */
const ELSEWHERE = 'another address';

/**
 * The exchanges of the API; the counts are complete at the end.
 * @param given base addresses; recognized if there are none
 * @throws {HarError}
 */
function* exchangesIn(har: Har, given: readonly string[], counts: HarCounts): Generator<HarExchange> {
  const bases = given.length > 0 ? given : basesIn(har.entries);
  for (const base of bases) counts.bases.set(base, 0);
  counts.missing = har.missing;
  const places = har.entries.map((entry) => entryPlaceOf(entry, bases));
  const source: HarContext = { attached: har.attached, areKeysLeftOut: areKeysLeftOut(places) };
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
      if (read.lack) add(counts.lacking, read.lack.why);
      if (read.isWithoutCredential) counts.withoutCredential += 1;
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
  const found = locatedTarget(url, bases);
  if (found === undefined) return { skipped: ELSEWHERE };
  const request = objectIn(fields, 'request') ?? {};
  const { method } = request;
  if (typeof method !== 'string' || !/^[\w!#$%&'*+.^`|~-]{1,40}$/.test(method)) return { unknown: 'no method' };
  // A browser asks by itself before it sends the request of a page.
  if (method.toUpperCase() === 'OPTIONS') return { skipped: 'a preflight of a browser' };
  const skipped = skippedAs(fields);
  if (skipped !== undefined) return { skipped };
  const target = withListedQuery(found.target, request['queryString']);
  return target.length > MAX_TARGET
    ? { unknown: `too large: the URL has more than ${MAX_TARGET.toLocaleString('en')} characters` }
    : { base: found.base, index, fields, method: method.toUpperCase(), target };
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

/** The verdict on an exchange, as the validator of a server gives it. */
type ValidateExchange = (exchange: Exchange) => Verdict;

/** The requests of a HAR with their verdicts, the last ones in order. */
export interface HarTraffic {
  readonly tally: Tally;
  /** The last exchanges, without the bodies of responses; those of requests are cut. */
  readonly exchanges: readonly Exchange[];
  /** Those before them. */
  readonly dropped: number;
  readonly counts: HarCounts;
}

/**
 * Validates the requests of a HAR while it is read.
 * @param bases the base addresses of the API; recognized if there are none
 * @throws {HarError}
 */
export function validatedHar(har: Har, bases: readonly string[], validate: ValidateExchange): HarTraffic {
  const counts = new HarCounts();
  const tally = new Tally();
  const last: Exchange[] = [];
  let seen = 0;
  for (const { exchange, lack } of exchangesIn(har, bases, counts)) {
    seen += 1;
    last.push(exchange);
    if (last.length > MAX_EXCHANGES) last.shift();
    const validated = isToBeValidated(exchange) ? validate(exchange) : undefined;
    const verdict = validated && isUnruled(exchange) ? ofRequest(validated) : validated;
    exchange.verdict = withLack(exchange, verdict, lack);
    tally.add(exchange);
    // Whatever is asked of these exchanges from now on is about requests.
    if (lack?.side === 'response') exchange.verdict = verdict;
    cutBodies(exchange, (text) => text);
    exchange.response = { ...exchange.response, body: '' };
    exchange.truncated = { ...(exchange.truncated as CutBodies), response: true };
  }
  return { tally, exchanges: last, dropped: seen - last.length, counts };
}

/**
 * A redirect is of HTTP, by a proxy for example, a response to a conditional request is in the client's cache, and of a status
 * that is not documented nobody knows the body: no rule has them.
 */
const isUnruled = ({ operation, response: { status, body } }: Exchange): boolean =>
  (status >= 300 && status < 400) ||
  (body === '' && operation !== undefined && !Object.hasOwn(operations[operation as OperationName].responses, status));

/** What the file lacks breaks nothing; the rest of the request may. */
function withLack(exchange: Exchange, verdict: Verdict | undefined, lack: Lack | undefined): Verdict | undefined {
  if (lack === undefined || verdict === undefined) return verdict;
  const certain = ofRequest(verdict);
  // A violation that is expected fails nothing, so it does not outweigh what is unknown.
  const isFailing = certain.violations.length > 0 && !isExpectedInvalid(exchange);
  return isFailing ? certain : { ...certain, validationError: lack.why };
}

const ofRequest = ({ violations, warnings }: Verdict): Verdict => ({
  violations: violations.filter(({ side }) => side === 'request'),
  warnings,
});

/** The contract report of a HAR, without a credential. @param source a file, or a sandbox */
export async function harResults({ tally, counts }: HarTraffic, source: string, strict: boolean): Promise<Results> {
  const now = realClock.now();
  const input = {
    sandbox: { id: source, label: basesLabel(counts) },
    ...{ tally, strict, dropped: { requests: 0, failures: 0 }, since: now },
    ...{ gaps: gapsIn(counts), others: othersIn(counts), now, sandboxNow: now },
  };
  const report = await inSlices(reportOf(input));
  const redact = createRedact([]);
  const all = JSON.parse(redactedJson(report, redact)) as Report;
  const results = reportResults(all);
  return { ...results, notes: [...notesOf(counts, all).map(redact), ...results.notes] };
}

/** Base addresses that are named in one line. */
const MAX_NAMED_BASES = 5;

/** `https://api.example.com/v1`; null if no request is one of the API. */
function basesLabel({ bases }: HarCounts): string | null {
  const all = [...bases.keys()];
  const more = all.length > MAX_NAMED_BASES ? [`${all.length - MAX_NAMED_BASES} more`] : [];
  return all.length === 0 ? null : [...all.slice(0, MAX_NAMED_BASES), ...more].join(', ');
}

/** The entries that aren't exchanges. With them, the counts add up to those of the file. */
export const othersIn = ({ skipped, unknown, missing }: HarCounts): readonly AccountEntry[] => [
  { kind: 'dropped', count: missing, reason: NOT_IN_FILE },
  ...[...skipped].map(([reason, count]): AccountEntry => {
    return reason === ELSEWHERE ? { kind: 'otherAddress', count } : { kind: 'skipped', reason, count };
  }),
  ...[...unknown].map(([reason, count]): AccountEntry => ({ kind: 'notValidated', reason, count })),
];

const NOT_IN_FILE = 'not in the file: malformed, or dropped before it was saved';

/** Why not every request is in the report. */
export const gapsIn = ({ unknown, missing }: HarCounts): string[] => [
  ...[...unknown].map(([reason, count]) => `${counted(count, 'request')} could not be validated: ${reason}`),
  ...(missing > 0 ? [`${counted(missing, 'request')} ${NOT_IN_FILE}`] : []),
];

/** What a HAR contains besides the requests of the API. */
function notesOf(counts: HarCounts, { account }: Report): string[] {
  const unvalidated = (why: string): number => account.reasons.find(({ reason }) => reason === why)?.count ?? 0;
  const { bases, skipped, lacking, withoutCredential } = counts;
  const others = skipped.get(ELSEWHERE) ?? 0;
  const when = (count: number, note: string): string[] => (count === 0 ? [] : [`${counted(count, 'request')} ${note}`]);
  return [
    ...(bases.size === 0 ? ['no request looks like one of this API; give its base address'] : []),
    ...(bases.size < 2
      ? []
      : [...bases].map(([base, count]) => `${count === 0 ? 'no request' : counted(count, 'request')} to ${base}`)),
    ...[...lacking].flatMap(([why, count]) => when(count - unvalidated(why), `validated only in part: ${why}`)),
    ...when(others, `to other addresses than ${basesLabel(counts) ?? 'the API'}`),
    ...when(withoutCredential, 'without a credential in the file, and accepted by the server: it was left out'),
  ];
}

/** Characters of a HAR with cached verdicts. */
const MAX_HAR_VERDICTS = 128 * 1024;

/** Written by `scripts/build-operations.mjs`, in the folder of the bundle. */
const OPERATIONS = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/operations.json' : 'operations.json',
  import.meta.url,
);

/** Compiles the specification once. @returns makes the validator of one HAR */
export function harValidator(): () => ValidateExchange {
  const { operations } = JSON.parse(readFileSync(OPERATIONS, 'utf8'));
  const validator = exchangeValidator({ specification: petstore, operations });
  const verdictOf = ({ operation = '', request, response }: Exchange): Verdict =>
    verdictBy(validator, { operation, request, response });
  return () => {
    const remembered = new VerdictCache(MAX_HAR_VERDICTS);
    return (exchange) => {
      const isRemembered = exchange.request.body === undefined;
      const verdict = (isRemembered ? remembered.get(exchange) : undefined) ?? verdictOf(exchange);
      if (isRemembered && verdict.validationError === undefined) remembered.set(exchange, verdict);
      return agree(exchange, verdict).verdict;
    };
  };
}
