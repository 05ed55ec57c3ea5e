/** The issues of a client: each kind of finding of its report once, with how often it happened and whether it is fixed. */
import { type Exchange, isSkipped } from '../api/exchange.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { inOrder } from '../requests/attempts.ts';
import { foundIn } from '../requests/found-in.ts';
import { type CountedFinding, countedFinding } from '../requests/groups.ts';
import { SentParts } from '../requests/request-parts.ts';
import { QUIET_MS } from '../requests/runs.ts';
import { type Finding, KINDS } from './kinds.ts';
import type { Report } from './report.ts';

type Issues = components['schemas']['Issues'];
type Issue = components['schemas']['Issue'];
type Figures = Issues['figures'];

/**
 * Linear in the log and its findings. Yields where it may pause: bodies are parsed.
 * @param newestFirst the exchanges of the request log @param now real time, in milliseconds since 1970
 */
export function* issuesOf(report: Report, newestFirst: readonly Exchange[], now: number): Generator<void, Issues> {
  const { verdict, reasons, counts } = report;
  const log = inOrder(newestFirst.filter((each) => !isSkipped(each)));
  const findings = report.findings.filter(({ kind }) => KINDS[kind].issue !== undefined);
  const course = yield* readCourse(log, findings, now);
  const all = findings.map((each) => issueOf(each, course));
  const issues = all.filter(({ level }) => level !== 'note');
  return {
    verdict,
    reasons,
    figures: figuresOf(log, counts.exchanges),
    issues: [...issues.filter(({ state }) => state !== 'fixed'), ...issues.filter(({ state }) => state === 'fixed')],
    notes: all.filter(({ level }) => level === 'note'),
  };
}

/** Whether exchanges show it one by one; others are recognized by the ids of their requests. */
const isOfOneExchange = ({ kind, rule }: Finding): boolean =>
  !['rounded', 'behavior', 'lostCreation', 'unmatched'].includes(kind) && rule !== 'int64-possibly-rounded';

/** What issues recognize an exchange by. The days that are left of an operation change with the time. */
const traitOf = ({ kind, operation, rule, location, message }: Omit<CountedFinding, 'pointer'>): string =>
  [kind, operation, rule, location, kind === 'deprecated' ? '' : message].join('\n');

const marksOfFinding = (finding: Finding): readonly string[] =>
  isOfOneExchange(finding) ? [traitOf(finding)] : [...finding.requests, finding.last ?? ''];

function marksOf(exchange: Exchange): ReadonlySet<string> {
  const marks = foundIn(exchange).map((found) => traitOf(countedFinding(found, exchange)));
  return new Set([exchange.id, ...marks]);
}

/** The course of an issue so far: the place in the log of its last exchange, and how many each span of time has. */
interface IssueCourse {
  last: number;
  readonly spans: number[];
}

/** What a log says of the course of its issues. */
interface Course {
  readonly byIssue: ReadonlyMap<Finding, IssueCourse>;
  /** By the id of an exchange. */
  readonly times: ReadonlyMap<string, number>;
  /** The place of the last exchange of each operation. */
  readonly lastOf: ReadonlyMap<string, number>;
  /** By operation and place: what is valid there. */
  readonly valid: ReadonlyMap<string, ValidCourse>;
}

/** The exchanges that are valid at a place. */
interface ValidCourse {
  last: number;
  /** Where the latest of their runs began, of those that have ended. */
  run: number;
}

/** @param log oldest first */
function* readCourse(log: readonly Exchange[], issues: readonly Finding[], now: number): Generator<void, Course> {
  const byIssue = new Map(issues.map((each) => [each, { last: -1, spans: Array<number>(SPARK).fill(0) }]));
  const byMark = issuesByMark(issues);
  const wanted = new Set(issues.flatMap((found) => wantedAt(found) ?? []));
  const runs = runsIn(log, now);
  const lastOf = new Map<string, number>();
  const valid = new Map<string, ValidCourse>();
  const spanOf = spansOver(log, SPARK);
  for (const [index, exchange] of log.entries()) {
    yield;
    const { operation = '', run } = exchange;
    lastOf.set(operation, index);
    const found = new Set([...marksOf(exchange)].flatMap((mark) => byMark.get(mark) ?? []));
    for (const issue of found) {
      const course = byIssue.get(issue) as IssueCourse;
      course.last = index;
      course.spans[spanOf(exchange)] = (course.spans[spanOf(exchange)] ?? 0) + 1;
    }
    if (!isValidated(exchange)) continue;
    const { first, hasEnded } = runs.get(run) as Run;
    for (const place of validPlacesOf(exchange, wanted)) {
      const key = `${operation} ${place}`;
      valid.set(key, { last: index, run: Math.max(valid.get(key)?.run ?? -1, hasEnded ? first : -1) });
    }
  }
  return { byIssue, times: new Map(log.map(({ id, at }) => [id, at])), lastOf, valid };
}

function issuesByMark(issues: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const byMark = new Map<string, Finding[]>();
  for (const issue of issues) {
    for (const mark of marksOfFinding(issue)) {
      const same = byMark.get(mark);
      if (same) same.push(issue);
      else byMark.set(mark, [issue]);
    }
  }
  return byMark;
}

function issueOf(finding: Finding, { byIssue, times, lastOf, valid }: Course): Issue {
  const { kind, operation, requests, last, sample } = finding;
  const { spans, last: lastPlace } = byIssue.get(finding) as IssueCourse;
  const timeOf = (id: string | null | undefined): string | null => isoTimeOrNull(times.get(id ?? '') ?? null);
  return {
    ...finding,
    label: sample?.status === 410 ? 'Removed' : (KINDS[kind].issue as string),
    state: issueState(
      lastPlace,
      operation === null ? undefined : lastOf.get(operation),
      valid.get(`${operation} ${wantedAt(finding)}`),
    ),
    ...{ firstAt: timeOf(requests[0]), lastAt: timeOf(last) },
    spans,
  };
}

/**
 * Fixed only by a whole later run that sends the place, and always validly: a test suite that makes the same mistake in
 * every run also sends it correctly in between.
 * @param last the place of the last exchange with it @param operation that of the last one of its operation
 */
function issueState(last: number, operation = -1, valid: ValidCourse = { last: -1, run: -1 }): Issue['state'] {
  if (operation <= last) return 'open';
  if (valid.last <= last) return 'not-seen';
  return valid.run > last ? 'fixed' : 'also-valid';
}

/** A run of a client in a log. */
interface Run {
  /** The place of its first exchange. */
  readonly first: number;
  /** Whether another run has begun since, or the client has been quiet. */
  readonly hasEnded: boolean;
}

/** @param log oldest first */
function runsIn(log: readonly Exchange[], now: number): ReadonlyMap<string | undefined, Run> {
  const places = new Map<string | undefined, { first: number; last: number }>();
  for (const [index, { run }] of log.entries())
    places.set(run, { first: places.get(run)?.first ?? index, last: index });
  return new Map(
    [...places].map(([run, { first, last }]) => {
      const isQuiet = now - (log[last] as Exchange).respondedAt >= QUIET_MS;
      return [run, { first, hasEnded: log.length > last + 1 || isQuiet }];
    }),
  );
}

const isValidated = ({ verdict }: Exchange): boolean => verdict !== undefined && verdict.validationError === undefined;

/** The places that an exchange sent validly, of those that matter. */
function validPlacesOf(exchange: Exchange, wanted: ReadonlySet<string>): readonly string[] {
  const { request, verdict } = exchange;
  const parts = new SentParts(exchange);
  const sent = new Set<string>();
  for (const { name } of parts.pairs) sent.add(`query/${name}`);
  if (parts.fields) for (const name of ['', ...Object.keys(parts.fields)]) sent.add(`body/${name}`);
  if (request.contentType !== undefined) sent.add('header/content-type');
  if (request.authorization !== undefined) sent.add('header/authorization');
  // Those of violations, and those that they are in: `body/a/b` and `body/a`. One of `body` concerns all of it.
  const violated = new Set<string>();
  for (const { side, location } of verdict?.violations ?? []) {
    if (side !== 'request') continue;
    violated.add(location);
    const first = location.indexOf('/');
    for (let end = location.lastIndexOf('/'); end > first; end = location.lastIndexOf('/', end - 1))
      violated.add(location.slice(0, end));
  }
  return [...wanted].filter((place) => {
    const [kind = ''] = place.split('/', 1);
    return (kind === 'path' || sent.has(place)) && !violated.has(kind) && !violated.has(place);
  });
}

/**
 * Where a later request shows that a mistake in one is fixed; `undefined` for what no request shows. Instead of a
 * misspelled name, the right one must be sent.
 */
function wantedAt({ location, rule, sample }: Finding): string | undefined {
  const isMisspelled = rule.startsWith('unknown-');
  if (!isMisspelled && !rule.startsWith('request/')) return undefined;
  const [kind = '', name = ''] = location.split('/', 2);
  const wanted = isMisspelled ? nameInAdvice(sample?.instead ?? null) : name;
  return wanted === undefined ? undefined : `${kind}/${wanted}`;
}

/** The name in `limit=5` or `"categoryId":7`; `undefined` in a whole request or body. */
const nameInAdvice = (instead: string | null): string | undefined =>
  /^"([^"\\]+)":/.exec(instead ?? '')?.[1] ?? /^([\w-]+)=/.exec(instead ?? '')?.[1];

/** Equal spans of time: of the figures, and of an issue. */
const SPANS = 48;
const SPARK = 24;

/** In which of so many equal spans of a log's time an exchange is. @param log oldest first */
function spansOver(log: readonly Exchange[], count: number): (exchange: Exchange) => number {
  const [from, length] = [startOf(log), lengthOf(log)];
  return ({ at }) => Math.min(count - 1, Math.floor(((at - from) / length) * count));
}

const startOf = (log: readonly Exchange[]): number => log[0]?.at ?? 0;
const lengthOf = (log: readonly Exchange[]): number => Math.max(1, (log.at(-1)?.at ?? 0) - startOf(log));

/** @param log oldest first */
function figuresOf(log: readonly Exchange[], requests: number): Figures {
  const times = log
    .filter(({ injectedFault, delayMs }) => injectedFault === undefined && delayMs === 0)
    .map(({ durationMs }) => Math.round(durationMs * 1000) / 1000)
    .sort((a, b) => a - b);
  const spans = Array.from({ length: SPANS }, (_, index) => {
    const at = startOf(log) + (lengthOf(log) * index) / SPANS;
    return { at: isoTime(at), good: 0, bad: 0, fault: 0 };
  });
  const spanOf = spansOver(log, SPANS);
  for (const each of log) (spans[spanOf(each)] as (typeof spans)[number])[markOf(each)] += 1;
  return {
    requests,
    kept: log.length,
    failed: log.filter(({ response: { status } }) => status < 200 || status >= 400).length,
    medianMs: times[Math.ceil(times.length * 0.5) - 1] ?? null,
    p95Ms: times[Math.ceil(times.length * 0.95) - 1] ?? null,
    spans: log.length === 0 ? [] : spans,
  };
}

/** A violation is the client's, whatever a fault did to its response. */
function markOf({ verdict, injectedFault, operation }: Exchange): 'good' | 'bad' | 'fault' {
  if ((verdict?.violations.length ?? 0) > 0 || operation === undefined) return 'bad';
  return injectedFault === undefined ? 'good' : 'fault';
}
