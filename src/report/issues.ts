/** The issues of a client: each kind of finding of its report once, with how often it happened and whether it is fixed. */
import { type Exchange, isSkipped } from '../api/exchange.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { accountKindOf } from '../requests/account.ts';
import { inOrder } from '../requests/attempts.ts';
import { MAX_GROUP_REQUESTS, occurrenceLineOf, sampleOf } from '../requests/groups.ts';
import { violationWords } from '../requests/remarks.ts';
import { SentParts } from '../requests/request-parts.ts';
import { QUIET_MS } from '../requests/runs.ts';
import type { Occurrences } from './findings.ts';
import type { OperationReport, Report } from './report.ts';

type Issues = components['schemas']['Issues'];
type Issue = components['schemas']['Issue'];
type Figures = Issues['figures'];

/** What is known of an issue before its history is. */
interface FoundIssue extends Pick<Issue, 'kind' | 'label' | 'operation' | 'title'> {
  readonly location?: string;
  readonly pointer?: string;
  readonly found: Occurrences;
  /** The rule of a finding in one request: a later request may show that it is fixed. */
  readonly rule?: string;
  /** An exchange with one of these marks has it: see `marksOf`. */
  readonly marks: readonly string[];
}

/**
 * Linear in the log and its findings. Yields where it may pause: bodies are parsed.
 * @param newestFirst the exchanges of the request log @param now real time, in milliseconds since 1970
 */
export function* issuesOf(report: Report, newestFirst: readonly Exchange[], now: number): Generator<void, Issues> {
  const { verdict, reasons, totals } = report;
  const log = inOrder(newestFirst.filter((each) => !isSkipped(each)));
  const problems = [...issuesIn(report), ...notValidatedIssues(report, log)];
  const notes = notesIn(report);
  const course = yield* readCourse(log, [...problems, ...notes], now);
  const issues = problems.map((found) => issueOf(found, course));
  return {
    verdict,
    reasons,
    figures: figuresOf(log, totals.exchanges),
    issues: [...issues.filter(({ state }) => state !== 'fixed'), ...issues.filter(({ state }) => state === 'fixed')],
    notes: notes.map((found) => issueOf(found, course)),
  };
}

/** The gravest first. */
function issuesIn({ operations, noOperation, malformed, behavior }: Report): readonly FoundIssue[] {
  const of = (make: (operation: OperationReport, name: string) => readonly FoundIssue[]): FoundIssue[] =>
    operations.flatMap((operation) => make(operation, operation.operation));
  const violation = (found: OperationReport['violations'][number], operation: string, label: string): FoundIssue => {
    const { location, pointer, rule, side } = found;
    return {
      ...{ kind: 'bad', label, operation, title: violationWords(found), location, pointer, found },
      ...(side === 'request' ? { rule } : {}),
      marks: [violationMark(operation, found)],
    };
  };
  return [
    ...of(({ violations }, name) => violations.map((each) => violation(each, name, 'Violation'))),
    ...noOperation.map((found) => {
      const operation = `${found.method} ${found.path}`;
      return listed({ kind: 'bad', label: 'No operation', operation, title: withoutBackticks(found.message), found });
    }),
    ...malformed.map((found) => {
      const operation = `${found.method} ${found.path}`;
      return listed({ kind: 'bad', label: 'Not HTTP', operation, title: withoutBackticks(found.message), found });
    }),
    ...of(({ rounded }, operation) =>
      rounded.map((found) => {
        const { location, sent, handedOut } = found;
        const title = `${handedOut} was returned, ${sent} came back: the client reads it as a floating-point number`;
        return listed({ kind: 'bad', label: 'Rounded integer', operation, title, location, found });
      }),
    ),
    ...of(({ brokenResponses }, name) =>
      brokenResponses.map((each) => violation(each, name, 'Violation of the sandbox')),
    ),
    ...of(({ validationFailures }, operation) =>
      validationFailures.map((found) =>
        listed({ kind: 'bad', label: 'Not validated', operation, title: withoutBackticks(found.reason), found }),
      ),
    ),
    ...of(({ rejected }, operation) =>
      rejected.map((found) => {
        const { location, message, sample } = found;
        const label = sample.status === 410 ? 'Removed' : 'Rejected';
        return listed({ kind: 'warn', label, operation, title: withoutBackticks(message), location, found });
      }),
    ),
    ...of(({ warnings }, operation) =>
      warnings.map((found): FoundIssue => {
        const { location, rule, message } = found;
        return {
          ...{ kind: 'warn', label: 'Warning', operation, title: withoutBackticks(message), location, found },
          ...(rule.startsWith('unknown-') ? { rule } : {}),
          marks: [warningMark(operation, found)],
        };
      }),
    ),
    ...behavior.found.map((found) =>
      listed({
        ...{ kind: 'warn', label: 'Behavior', operation: found.operation ?? 'several operations', found },
        title: withoutBackticks(found.message),
      }),
    ),
  ];
}

/** Requests that have nothing to validate, such as HEAD: a verdict is incomplete with them. @param log oldest first */
const notValidatedIssues = ({ operations }: Report, log: readonly Exchange[]): readonly FoundIssue[] =>
  operations.flatMap(({ operation, skipped }) => {
    const all = log.filter((each) => each.operation === operation && isNotValidated(each));
    const [first, last] = [all[0], all.at(-1)];
    if (skipped === 0 || !first || !last) return [];
    const found: Occurrences = {
      ...{ sample: sampleOf(first, undefined), count: skipped, last: last.id },
      ...{
        requests: all.slice(0, MAX_GROUP_REQUESTS).map(({ id }) => id),
        lines: [occurrenceLineOf(first), occurrenceLineOf(last)],
      },
    };
    return [
      {
        kind: 'warn',
        label: 'Not validated',
        operation,
        title: accountKindOf(first).reason ?? '',
        found,
        marks: [notValidatedMark(operation)],
      },
    ];
  });

/** What the sandbox did on purpose, and creations whose response was lost. */
const notesIn = ({ operations, behavior }: Report): readonly FoundIssue[] => [
  ...operations.flatMap(({ operation, injectedFaults }) =>
    injectedFaults.map(
      (found): FoundIssue => ({
        ...{ kind: 'fault', label: 'Fault', operation, title: found.fault, found },
        marks: [faultMark(operation, found.fault)],
      }),
    ),
  ),
  ...behavior.lostCreations.map((found) =>
    listed({
      kind: 'fault',
      label: 'Lost response',
      operation: found.operation,
      title: withoutBackticks(found.message),
      found,
    }),
  ),
];

/** A finding over several requests, of which the report knows the ids. */
const listed = (found: Omit<FoundIssue, 'marks'>): FoundIssue => ({
  ...found,
  marks: [...found.found.requests, found.found.last],
});

const withoutBackticks = (message: string): string => message.replaceAll('`', '');

type Finding = { readonly location: string; readonly rule: string };

const violationMark = (operation: string, { side, location, rule }: Finding & { readonly side: string }): string =>
  `${operation} ${side} ${location} ${rule}`;
const warningMark = (operation: string, { location, rule }: Finding): string =>
  `${operation} warning ${location} ${rule}`;
const faultMark = (operation: string, fault: string): string => `${operation} fault ${fault}`;
const notValidatedMark = (operation: string): string => `${operation} not validated`;

const isNotValidated = (exchange: Exchange): boolean =>
  exchange.verdict === undefined && accountKindOf(exchange).kind === 'notValidated';

/** What issues recognize an exchange by. */
function marksOf(exchange: Exchange): ReadonlySet<string> {
  const { id, operation = '', verdict, injectedFault } = exchange;
  return new Set([
    id,
    ...(verdict?.violations ?? []).map((each) => violationMark(operation, each)),
    ...(verdict?.warnings ?? []).map((each) => warningMark(operation, each)),
    ...(injectedFault === undefined ? [] : [faultMark(operation, injectedFault)]),
    ...(isNotValidated(exchange) ? [notValidatedMark(operation)] : []),
  ]);
}

/** The course of an issue so far: the place in the log of its last exchange, and how many each span of time has. */
interface IssueCourse {
  last: number;
  readonly spans: number[];
}

/** What a log says of the course of its issues. */
interface Course {
  readonly byIssue: ReadonlyMap<FoundIssue, IssueCourse>;
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
function* readCourse(log: readonly Exchange[], issues: readonly FoundIssue[], now: number): Generator<void, Course> {
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

function issuesByMark(issues: readonly FoundIssue[]): ReadonlyMap<string, readonly FoundIssue[]> {
  const byMark = new Map<string, FoundIssue[]>();
  for (const issue of issues) {
    for (const mark of issue.marks) {
      const same = byMark.get(mark);
      if (same) same.push(issue);
      else byMark.set(mark, [issue]);
    }
  }
  return byMark;
}

function issueOf(given: FoundIssue, { byIssue, times, lastOf, valid }: Course): Issue {
  const { found, marks: _, rule, ...about } = given;
  const { sample, count, requests, last } = found;
  const { spans, last: lastPlace } = byIssue.get(given) as IssueCourse;
  const timeOf = (id: string | undefined): string | null => isoTimeOrNull(times.get(id ?? '') ?? null);
  const { kind, label, operation, title, location = null, pointer = null } = about;
  const place = rule === undefined ? undefined : wantedAt(given);
  return {
    ...{ kind, label, operation, location, title, sent: sample.sent, instead: sample.instead, pointer },
    state: issueState(lastPlace, lastOf.get(operation ?? ''), valid.get(`${operation} ${place}`)),
    ...{ count, requests: [...requests], last, firstAt: timeOf(requests[0]), lastAt: timeOf(last) },
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

/** Instead of a misspelled name, the right one must be sent. */
function wantedAt({ location = '', rule = '', found }: FoundIssue): string | undefined {
  const [kind = '', name = ''] = location.split('/', 2);
  const wanted = rule.startsWith('unknown-') ? nameInAdvice(found.sample.instead) : name;
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
