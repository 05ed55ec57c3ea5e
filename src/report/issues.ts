/** The issues of a client: each kind of finding of its report once, with its course over the requests of the request log. */
import type { Exchange } from '../api/exchange.ts';
import { isoTime } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { isSkipped } from '../requests/intent.ts';
import { violationWords } from '../requests/remarks.ts';
import { nameOfPair, RequestParts } from '../requests/request-parts.ts';
import { QUIET_MS } from '../requests/runs.ts';
import type { Occurrences } from './findings.ts';
import type { OperationReport, Report } from './report.ts';

type Issues = components['schemas']['Issues'];
type Issue = components['schemas']['Issue'];
type Figures = Issues['figures'];

/** What is known of an issue before its course is. */
interface Found extends Pick<Issue, 'kind' | 'label' | 'operation' | 'title'> {
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
  const courseOf = (found: Found): Issue => withCourse(found, ofClient, now);
  const issues = problemsIn(report).map(courseOf);
  return {
    verdict,
    reasons,
    figures: figuresOf(ofClient, totals.exchanges),
    issues: [...issues.filter(({ state }) => state !== 'fixed'), ...issues.filter(({ state }) => state === 'fixed')],
    notes: notesIn(report).map(courseOf),
  };
}

/** The gravest first. */
function problemsIn({ operations, noOperation, malformed, behavior }: Report): readonly Found[] {
  const of = (make: (operation: OperationReport, name: string) => readonly Found[]): Found[] =>
    operations.flatMap((operation) => make(operation, operation.operation));
  const violation = (found: OperationReport['violations'][number], operation: string, label: string): Found => {
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
      return listed({ kind: 'bad', label: 'No operation', operation, title: plain(found.message), found });
    }),
    ...malformed.map((found) => {
      const operation = `${found.method} ${found.path}`;
      return listed({ kind: 'bad', label: 'Not HTTP', operation, title: plain(found.message), found });
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
        listed({ kind: 'bad', label: 'Not validated', operation, title: plain(found.reason), found }),
      ),
    ),
    ...of(({ rejected }, operation) =>
      rejected.map((found) => {
        const { location, message } = found;
        return listed({ kind: 'warn', label: 'Rejected', operation, title: plain(message), location, found });
      }),
    ),
    ...of(({ warnings }, operation) =>
      warnings.map((found): Found => {
        const { location, rule, message } = found;
        return {
          ...{ kind: 'warn', label: 'Warning', operation, title: plain(message), location, found },
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
        title: plain(found.message),
      }),
    ),
  ];
}

/** What the sandbox did on purpose, and creations whose response was lost. */
const notesIn = ({ operations, behavior }: Report): readonly Found[] => [
  ...operations.flatMap(({ operation, injectedFaults }) =>
    injectedFaults.map(
      (found): Found => ({
        ...{ kind: 'fault', label: 'Fault', operation, title: found.fault, found },
        isIn: (each) => each.operation === operation && each.injectedFault === found.fault,
      }),
    ),
  ),
  ...behavior.lostCreations.map((found) =>
    listed({ kind: 'fault', label: 'Lost response', operation: found.operation, title: plain(found.message), found }),
  ),
];

/** A finding over several requests, of which the report knows the ids. */
const listed = (found: Omit<Found, 'isIn'>): Found => ({
  ...found,
  isIn: ({ id }) => found.found.requests.includes(id) || found.found.last === id,
});

const plain = (message: string): string => message.replaceAll('`', '');

/** @param log oldest first */
function withCourse({ found, isIn, rule, ...about }: Found, log: readonly Exchange[], now: number): Issue {
  const { sample, count, requests, last } = found;
  const timeOf = (id: string | undefined): string | null => {
    const at = log.find((each) => each.id === id)?.at;
    return at === undefined ? null : isoTime(at);
  };
  const { kind, label, operation, title, location = null, pointer = null } = about;
  return {
    ...{ kind, label, operation, location, title, sent: sample.sent, instead: sample.instead, pointer },
    state: stateOf({ operation, location: location ?? '', rule, instead: sample.instead }, isIn, log, now),
    ...{ count, requests: [...requests], last, firstAt: timeOf(requests[0]), lastAt: timeOf(last) },
    spans: spansOf(
      log,
      SPARK,
      () => 0,
      (sum, each) => (isIn(each) ? sum + 1 : sum),
    ).map(({ value }) => value),
  };
}

interface Place {
  readonly operation: string;
  readonly location: string;
  readonly rule: string | undefined;
  readonly instead: string | null;
}

/**
 * Fixed only by a whole later run that sends the place, and always validly: a test suite that makes the same mistake in
 * every run also sends it correctly in between.
 */
function stateOf(place: Place, isIn: Found['isIn'], log: readonly Exchange[], now: number): Issue['state'] {
  const last = log.findLastIndex(isIn);
  const later = log.slice(last + 1).filter(({ operation }) => operation === place.operation);
  if (later.length === 0) return 'open';
  const valid = later.filter((each) => isValidAt(each, place));
  if (valid.length === 0) return 'not-seen';
  const before = new Set(log.slice(0, last + 1).map(({ run }) => run));
  return valid.some(({ run }) => !before.has(run) && isOver(run, log, now)) ? 'fixed' : 'also-valid';
}

/** Whether a client has begun another run since, or has been quiet. */
function isOver(run: string | undefined, log: readonly Exchange[], now: number): boolean {
  const last = log.findLastIndex((each) => each.run === run);
  return log.length > last + 1 || now - (log[last] as Exchange).respondedAt >= QUIET_MS;
}

function isValidAt(exchange: Exchange, { location, rule, instead }: Place): boolean {
  const { verdict, request } = exchange;
  if (rule === undefined || verdict === undefined || verdict.validationError !== undefined) return false;
  const [kind = '', name = ''] = location.split('/', 2);
  const isUnknown = rule.startsWith('unknown-');
  // In place of a misspelt name, the right one must be sent.
  const wanted = isUnknown ? nameIn(instead) : name;
  if (wanted === undefined) return false;
  const at = `${kind}/${wanted}`;
  const isRejected = verdict.violations.some(
    (each) => each.side === 'request' && (each.location === kind || `${each.location}/`.startsWith(`${at}/`)),
  );
  if (isRejected) return false;
  const parts = new RequestParts(exchange);
  switch (kind) {
    case 'query':
      return parts.pairs.some((pair) => nameOfPair(pair) === wanted);
    case 'body':
      return parts.fields !== undefined && (wanted === '' || Object.hasOwn(parts.fields, wanted));
    case 'header':
      return wanted === 'content-type' ? request.contentType !== undefined : request.authorization !== undefined;
    default:
      return kind === 'path';
  }
}

/** The name in `limit=5` or `"categoryId":7`; `undefined` in a whole request or body. */
const nameIn = (instead: string | null): string | undefined =>
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
    (sums, each) => ({ ...sums, [outcomeOf(each)]: sums[outcomeOf(each)] + 1 }),
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
function outcomeOf({ verdict, injectedFault, operation }: Exchange): 'good' | 'bad' | 'fault' {
  if ((verdict?.violations.length ?? 0) > 0 || operation === undefined) return 'bad';
  return injectedFault === undefined ? 'good' : 'fault';
}
