/**
 * The outcome of each run of a client: its verdict, and what changed since the run before it of the same client. A run is
 * computed from the request log again, as if it had a sandbox of its own.
 */
import type { Exchange } from '../api/exchange.ts';
import { isoTimeOrNull } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { type Dropped, isFailing } from '../requests/request-log.ts';
import { clientOf } from '../requests/runs.ts';
import { type ExpectedInvalidStatuses, tallyOf } from '../requests/tally.ts';
import { KINDS } from './kinds.ts';
import { type Report, type ReportInput, reportOf } from './report.ts';

/** Described in `spec/control-api.yaml`. */
export type RunOutcome = components['schemas']['RunOutcome'];

/** Requests of a client at one moment: a run, or all. */
export interface RequestPart {
  /** The name of the run; `undefined` for all. */
  readonly run: string | undefined;
  /** The oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Earlier ones that are no longer there. */
  readonly dropped: Dropped;
  /** Why others may be missing. */
  readonly gaps: readonly string[];
}

/** What the reports of all parts have in common. */
export type ReportOptions = Pick<ReportInput, 'sandbox' | 'strict' | 'rules' | 'now' | 'sandboxNow' | 'unmatched'> & {
  /** When the request log began, in milliseconds since 1970. */
  readonly since: number;
  /** Responses that the client causes by violating the specification on purpose. */
  readonly expectedInvalid?: ExpectedInvalidStatuses;
};

/** The report of a part. Yields after each exchange. */
export function* reportOfPart(
  { run, exchanges, dropped, gaps }: RequestPart,
  { since, expectedInvalid, ...options }: ReportOptions,
): Generator<void, Report> {
  const tally = yield* tallyOf(exchanges, expectedInvalid);
  const [first] = exchanges;
  return reportOf({
    ...{ ...options, tally, dropped, gaps },
    since: run === undefined ? since : (first?.at ?? options.now),
    run: first === undefined ? null : (run ?? null),
  });
}

/**
 * The latest runs, the newest first. @param runs all of a log, in the order in which they began @param most how many
 * @param against the name of the run that all others are compared with, by default the one before of the same client
 */
export function* runOutcomesOf(
  runs: readonly RequestPart[],
  options: ReportOptions,
  most: number,
  against?: string,
): Generator<void, RunOutcome[]> {
  const shown = runs.slice(-most);
  const baseOf = (part: RequestPart): RequestPart | undefined =>
    against === undefined
      ? runs.slice(0, runs.indexOf(part)).findLast(sameClient(part))
      : runs.find(({ run }) => run === against && run !== part.run);
  const reports = new Map<RequestPart, Report>();
  for (const part of new Set(shown.flatMap((each) => [each, baseOf(each) ?? []].flat())))
    reports.set(part, yield* reportOfPart(part, options));
  return shown.toReversed().map((part) => outcomeOf(part, baseOf(part), reports));
}

/** Whether runs are of one client. */
const sameClient =
  ({ exchanges: [one] }: RequestPart) =>
  ({ exchanges: [other] }: RequestPart): boolean =>
    one !== undefined && other !== undefined && clientOf(one) === clientOf(other);

/** What counts as one issue: the same rule at the same place. A note is none, nor is a bug of the server. */
const issuesIn = ({ findings }: Report): ReadonlySet<string> =>
  new Set(
    findings
      .filter(({ kind, level }) => KINDS[kind].heading && level !== 'note' && kind !== 'brokenResponse')
      .map(({ rule, operation, location }) => [rule, operation ?? '', location].join('\n')),
  );

function outcomeOf(
  part: RequestPart,
  base: RequestPart | undefined,
  reports: ReadonlyMap<RequestPart, Report>,
): RunOutcome {
  const { run, exchanges } = part;
  const report = reports.get(part) as Report;
  const issues = issuesIn(report);
  const earlier = base && issuesIn(reports.get(base) as Report);
  const gone = [...(earlier ?? [])].filter((issue) => !issues.has(issue));
  // A place that the run never sent is not fixed by it.
  const used = new Set(exchanges.map(({ operation }) => operation));
  const fixed = gone.filter((issue) => isTriedIn(issue, used));
  return {
    run: run as string,
    startedAt: isoTimeOrNull(exchanges[0]?.at ?? null),
    endedAt: isoTimeOrNull(
      exchanges.reduce<number | null>((last, each) => Math.max(last ?? 0, each.respondedAt), null),
    ),
    requests: report.account.total,
    failing: part.dropped.failures + exchanges.filter(isFailing).length,
    verdict: report.verdict,
    reasons: report.reasons,
    against: base?.run ?? null,
    fixed: fixed.length,
    new: earlier ? [...issues].filter((issue) => !earlier.has(issue)).length : 0,
    still: earlier ? [...issues].filter((issue) => earlier.has(issue)).length : 0,
    notTried: gone.length - fixed.length,
  };
}

/** The operation of an issue must have been called; what belongs to none is tried by any request. */
function isTriedIn(issue: string, used: ReadonlySet<string | undefined>): boolean {
  const [, operation = ''] = issue.split('\n');
  return operation === '' || used.has(operation);
}
