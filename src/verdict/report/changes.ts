/** What a run changed since another one of the client: which issues it fixed, which are new, and what it did not try. */
import { type Exchange, isValid } from '../../base/api/exchange.ts';
import type { components } from '../../base/generated/control-api.d.ts';
import { SentParts } from '../../traffic/request-parts.ts';
import { type Finding, KINDS } from './kinds.ts';
import type { Report } from './report.ts';

/** A run with its report. */
export interface ReportedRun {
  readonly report: Report;
  readonly exchanges: readonly Exchange[];
}

/** How a run differs from another one, by issue: a rule at a place. */
export interface Changes {
  /** Issues of the other run whose place this one sent validly. */
  readonly fixed: readonly Finding[];
  /** Operations of the other run that this one did not call, and places of its issues that this one did not send. */
  readonly notTried: readonly string[];
  /** `null` for a finding that is no issue. */
  readonly of: (finding: Finding) => 'new' | 'still' | null;
  readonly new: number;
  readonly still: number;
}

/** What a run changed since another one. Yields after each exchange. */
export function* changesBetween(before: ReportedRun, now: ReportedRun): Generator<void, Changes> {
  const [earlier, issues] = [issuesIn(before.report), issuesIn(now.report)];
  const gone = new Map([...earlier].filter(([key]) => !issues.has(key)));
  const open = new Map(gone);
  for (const exchange of now.exchanges) {
    const parts = new SentParts(exchange);
    for (const [key, issue] of open) if (isSentValidly(issue, exchange, parts)) open.delete(key);
    yield;
  }
  const still = [...issues.keys()].filter((key) => earlier.has(key)).length;
  const called = calledIn(now);
  const notCalled = [...calledIn(before)].filter((operation) => !called.has(operation));
  const wrong = new Set([...issues.values()].map(placeOf));
  const places = [...open.values()].map(placeOf).filter((place) => !wrong.has(place));
  return {
    fixed: [...gone].flatMap(([key, issue]) => (open.has(key) ? [] : [issue])),
    of: (finding) => {
      const key = issueKey(finding);
      return issues.has(key) ? (earlier.has(key) ? 'still' : 'new') : null;
    },
    ...{ still, new: issues.size - still },
    notTried: [...new Set([...notCalled, ...places])]
      .filter((place) => !notCalled.some((operation) => place.startsWith(`${operation} `)))
      .slice(0, MAX_NOT_TRIED),
  };
}

const MAX_NOT_TRIED = 100;

const calledIn = ({ report: { operations } }: ReportedRun): ReadonlySet<string> =>
  new Set(
    operations.flatMap(({ operation, responses, otherResponses }) =>
      [...responses, ...otherResponses].some(({ seen }) => seen > 0) ? operation : [],
    ),
  );

/** `createPet`; `listPets query/limit` */
const placeOf = ({ operation, location }: Finding): string =>
  location === 'operation' ? (operation ?? location) : [operation ?? [], location].flat().join(' ');

/** A note is no issue of the client, nor is a bug of the server. */
const issuesIn = ({ findings }: Report): ReadonlyMap<string, Finding> =>
  new Map(
    findings
      .filter(({ kind, level }) => KINDS[kind].heading && level !== 'note' && kind !== 'brokenResponse')
      .map((each) => [issueKey(each), each]),
  );

const issueKey = ({ rule, operation, location }: Finding): string => [rule, operation ?? '', location].join('\n');

/** Whether a request says that its places are valid: it was validated, and is rejected for its violations alone. */
const isTrial = (exchange: Exchange): boolean =>
  isValid(exchange) ||
  (exchange.verdict?.validationError === undefined &&
    exchange.injectedFault === undefined &&
    (exchange.verdict?.violations.some(({ side }) => side === 'request') ?? false));

/** Whether a request has the place of an issue, and nothing is wrong there. @param parts of the request */
function isSentValidly({ rule, operation, location, sample }: Finding, exchange: Exchange, parts: SentParts): boolean {
  if ((operation !== null && exchange.operation !== operation) || !isTrial(exchange)) return false;
  const violations = exchange.verdict?.violations.filter(({ side }) => side === 'request') ?? [];
  if (operation === null) return violations.length === 0 && isSuggested(sample?.instead, parts);
  const place = meantPlace(location, rule, sample?.instead);
  const isWrong = violations.some((each) => each.location === place || place.startsWith(`${each.location}/`));
  if (isWrong || !(place.includes('/') ? parts.has(place) : violations.length === 0)) return false;
  // An id of a few digits is not rounded.
  return !rule.startsWith('int64-') || /\d{16}/.test(parts.sentAt(place) ?? '');
}

/** Whether a request is the one to send instead of one that matched no operation; any is, where none is named. */
const isSuggested = (instead: string | null | undefined, { line, request: { method }, path }: SentParts): boolean =>
  !instead || line.startsWith(instead) || instead.split('?')[0] === `${method} ${path}`;

/** The place that an unknown name was meant for; where it is to be left out, all of the request. */
function meantPlace(location: string, rule: string, instead: string | null | undefined): string {
  if (rule !== 'unknown-field' && rule !== 'unknown-parameter') return location;
  const [, field, parameter] = /^"(\w+)":|^(\w+)=/.exec(instead ?? '') ?? [];
  return field !== undefined ? `body/${field}` : parameter !== undefined ? `query/${parameter}` : 'operation';
}

/** The issues of a client: each kind of finding of its report once, and how it differs from the run before. */
type Issues = components['schemas']['Issues'];
type Issue = components['schemas']['Issue'];

/** @param changes since the run before; `undefined` without one */
export function issuesOf({ verdict, reasons, findings }: Report, changes: Changes | undefined): Issues {
  const issueOf = (finding: Finding, change: Issue['change']): Issue => {
    const label = finding.sample?.status === 410 ? 'Removed' : (KINDS[finding.kind].issue as string);
    return { ...finding, label, change };
  };
  const all = findings
    .filter(({ kind }) => KINDS[kind].issue !== undefined)
    .map((finding) => issueOf(finding, changes?.of(finding) ?? null));
  const fixed = (changes?.fixed ?? []).map((finding) => issueOf(finding, 'fixed'));
  return {
    ...{ verdict, reasons },
    issues: [...all.filter(({ level }) => level !== 'note'), ...fixed],
    notes: all.filter(({ level }) => level === 'note'),
  };
}
