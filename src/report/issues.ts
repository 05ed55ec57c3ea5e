/** The issues of a client: each kind of finding of its report once, with how often it happened and whether it is fixed. */
import { type Exchange, isSkipped } from '../api/exchange.ts';
import { isoTime } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { accountKindOf } from '../requests/account.ts';
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
  /** Whether an exchange has it. */
  readonly isIn: (exchange: Exchange) => boolean;
}

/** @param log newest first @param now real time, in milliseconds since 1970 */
export function issuesOf(report: Report, log: readonly Exchange[], now: number): Issues {
  const { verdict, reasons, totals } = report;
  const ofClient = log
    .filter((each) => !isSkipped(each))
    .reverse()
    .sort((a, b) => a.at - b.at);
  const problems = [...issuesIn(report), ...notValidatedIssues(report, ofClient)];
  const wanted = new Set(problems.flatMap((found) => wantedAt(found) ?? []));
  const sent = new Map<Exchange, SentPlaces>();
  const sentBy = (exchange: Exchange): SentPlaces => {
    const known = sent.get(exchange) ?? new SentPlaces(exchange, wanted);
    sent.set(exchange, known);
    return known;
  };
  const courseOf = (found: FoundIssue): Issue => withCourse(found, ofClient, now, sentBy);
  const issues = problems.map(courseOf);
  return {
    verdict,
    reasons,
    figures: figuresOf(ofClient, totals.exchanges),
    issues: [...issues.filter(({ state }) => state !== 'fixed'), ...issues.filter(({ state }) => state === 'fixed')],
    notes: notesIn(report).map(courseOf),
  };
}

/** The gravest first. */
function issuesIn({ operations, noOperation, malformed, behavior }: Report): readonly FoundIssue[] {
  const of = (make: (operation: OperationReport, name: string) => readonly FoundIssue[]): FoundIssue[] =>
    operations.flatMap((operation) => make(operation, operation.operation));
  const violation = (found: OperationReport['violations'][number], operation: string, label: string): FoundIssue => {
    const { location, pointer, rule, side } = found;
    const isSame = (each: { side: string; location: string; rule: string }): boolean =>
      each.side === side && each.location === location && each.rule === rule;
    return {
      ...{ kind: 'bad', label, operation, title: violationWords(found), location, pointer, found },
      ...(side === 'request' ? { rule } : {}),
      isIn: (each) => each.operation === operation && (each.verdict?.violations.some(isSame) ?? false),
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
          isIn: ({ operation: name, verdict }) =>
            name === operation &&
            (verdict?.warnings.some((each) => each.location === location && each.rule === rule) ?? false),
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
    const isIn = (each: Exchange): boolean =>
      each.operation === operation && each.verdict === undefined && accountKindOf(each).kind === 'notValidated';
    const all = log.filter(isIn);
    const [first, last] = [all[0], all.at(-1)];
    if (skipped === 0 || !first || !last) return [];
    const found: Occurrences = {
      ...{ sample: sampleOf(first, undefined), count: skipped, last: last.id },
      ...{
        requests: all.slice(0, MAX_GROUP_REQUESTS).map(({ id }) => id),
        lines: [occurrenceLineOf(first), occurrenceLineOf(last)],
      },
    };
    return [{ kind: 'warn', label: 'Not validated', operation, title: accountKindOf(first).reason ?? '', found, isIn }];
  });

/** What the sandbox did on purpose, and creations whose response was lost. */
const notesIn = ({ operations, behavior }: Report): readonly FoundIssue[] => [
  ...operations.flatMap(({ operation, injectedFaults }) =>
    injectedFaults.map(
      (found): FoundIssue => ({
        ...{ kind: 'fault', label: 'Fault', operation, title: found.fault, found },
        isIn: (each) => each.operation === operation && each.injectedFault === found.fault,
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
const listed = (found: Omit<FoundIssue, 'isIn'>): FoundIssue => ({
  ...found,
  isIn: ({ id }) => found.found.requests.includes(id) || found.found.last === id,
});

const withoutBackticks = (message: string): string => message.replaceAll('`', '');

type SentBy = (exchange: Exchange) => SentPlaces;

/** @param log oldest first */
function withCourse(given: FoundIssue, log: readonly Exchange[], now: number, sentBy: SentBy): Issue {
  const { found, isIn, rule: _, ...about } = given;
  const { sample, count, requests, last } = found;
  const timeOf = (id: string | undefined): string | null => {
    const at = log.find((each) => each.id === id)?.at;
    return at === undefined ? null : isoTime(at);
  };
  const { kind, label, operation, title, location = null, pointer = null } = about;
  return {
    ...{ kind, label, operation, location, title, sent: sample.sent, instead: sample.instead, pointer },
    state: issueState(given, log, now, sentBy),
    ...{ count, requests: [...requests], last, firstAt: timeOf(requests[0]), lastAt: timeOf(last) },
    spans: spansOf(
      log,
      SPARK,
      () => 0,
      (sum, each) => (isIn(each) ? sum + 1 : sum),
    ).map(({ value }) => value),
  };
}

/**
 * Fixed only by a whole later run that sends the place, and always validly: a test suite that makes the same mistake in
 * every run also sends it correctly in between.
 */
function issueState(found: FoundIssue, log: readonly Exchange[], now: number, sentBy: SentBy): Issue['state'] {
  const last = log.findLastIndex(found.isIn);
  const later = log.slice(last + 1).filter(({ operation }) => operation === found.operation);
  if (later.length === 0) return 'open';
  const place = found.rule === undefined ? undefined : wantedAt(found);
  const valid = later.filter((each) => place !== undefined && isValidated(each) && sentBy(each).isValidAt(place));
  if (valid.length === 0) return 'not-seen';
  const before = new Set(log.slice(0, last + 1).map(({ run }) => run));
  return valid.some(({ run }) => !before.has(run) && hasRunEnded(run, log, now)) ? 'fixed' : 'also-valid';
}

/** Whether a client has begun another run since, or has been quiet. */
function hasRunEnded(run: string | undefined, log: readonly Exchange[], now: number): boolean {
  const last = log.findLastIndex((each) => each.run === run);
  return log.length > last + 1 || now - (log[last] as Exchange).respondedAt >= QUIET_MS;
}

const isValidated = ({ verdict }: Exchange): boolean => verdict !== undefined && verdict.validationError === undefined;

/** What an exchange sent of the places that matter, read once for all issues. */
class SentPlaces {
  readonly #places = new Set<string>();
  /** Those of violations, and those that they are in: `body/a/b` and `body/a`. */
  readonly #violated = new Set<string>();

  constructor(exchange: Exchange, wanted: ReadonlySet<string>) {
    const { request, verdict } = exchange;
    const parts = new SentParts(exchange);
    const add = (places: Set<string>, place: string): void => void (wanted.has(place) && places.add(place));
    for (const { name } of parts.pairs) add(this.#places, `query/${name}`);
    if (parts.fields) for (const name of ['', ...Object.keys(parts.fields)]) add(this.#places, `body/${name}`);
    if (request.contentType !== undefined) add(this.#places, 'header/content-type');
    if (request.authorization !== undefined) add(this.#places, 'header/authorization');
    for (const { side, location } of verdict?.violations ?? []) {
      if (side !== 'request') continue;
      if (!location.includes('/')) this.#violated.add(location);
      for (let end = location.length; end > 0; end = location.lastIndexOf('/', end - 1))
        add(this.#violated, location.slice(0, end));
    }
  }

  isValidAt(place: string): boolean {
    const [kind = ''] = place.split('/', 1);
    if (this.#violated.has(kind) || this.#violated.has(place)) return false;
    return kind === 'path' || this.#places.has(place);
  }
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

/** @param log oldest first */
function spansOf<T>(
  log: readonly Exchange[],
  count: number,
  start: () => T,
  add: (value: T, exchange: Exchange) => T,
): { readonly at: number; readonly value: T }[] {
  const from = log[0]?.at ?? 0;
  const length = Math.max(1, (log.at(-1)?.at ?? 0) - from);
  const spans = Array.from({ length: count }, (_, index) => ({ at: from + (length * index) / count, value: start() }));
  for (const each of log) {
    const span = spans[Math.min(count - 1, Math.floor(((each.at - from) / length) * count))];
    if (span) span.value = add(span.value, each);
  }
  return spans;
}

/** @param log oldest first */
function figuresOf(log: readonly Exchange[], requests: number): Figures {
  const times = log
    .filter(({ injectedFault, delayMs }) => injectedFault === undefined && delayMs === 0)
    .map(({ durationMs }) => Math.round(durationMs * 1000) / 1000)
    .sort((a, b) => a - b);
  const spans = spansOf(
    log,
    SPANS,
    () => ({ good: 0, bad: 0, fault: 0 }),
    (sums, each) => ({ ...sums, [markOf(each)]: sums[markOf(each)] + 1 }),
  );
  return {
    requests,
    kept: log.length,
    failed: log.filter(({ response: { status } }) => status < 200 || status >= 400).length,
    medianMs: times[Math.ceil(times.length * 0.5) - 1] ?? null,
    p95Ms: times[Math.ceil(times.length * 0.95) - 1] ?? null,
    spans: log.length === 0 ? [] : spans.map(({ at, value }) => ({ at: isoTime(at), ...value })),
  };
}

/** A violation is the client's, whatever a fault did to its response. */
function markOf({ verdict, injectedFault, operation }: Exchange): 'good' | 'bad' | 'fault' {
  if ((verdict?.violations.length ?? 0) > 0 || operation === undefined) return 'bad';
  return injectedFault === undefined ? 'good' : 'fault';
}
