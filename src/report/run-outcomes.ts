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
import { type Finding, KINDS } from './kinds.ts';
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
    against === undefined ? runBefore(runs, part) : runs.find(({ run }) => run === against && run !== part.run);
  const reports = new Map<RequestPart, Report>();
  for (const part of new Set(shown.flatMap((each) => [each, baseOf(each) ?? []].flat())))
    reports.set(part, yield* reportOfPart(part, options));
  return shown.toReversed().map((part) => outcomeOf(part, baseOf(part), reports));
}

/** The run before of the same client. */
export const runBefore = (runs: readonly RequestPart[], part: RequestPart): RequestPart | undefined =>
  runs.slice(0, runs.indexOf(part)).findLast(sameClient(part));

/** Whether runs are of one client. */
const sameClient =
  ({ exchanges: [one] }: RequestPart) =>
  ({ exchanges: [other] }: RequestPart): boolean =>
    one !== undefined && other !== undefined && clientOf(one) === clientOf(other);

/** What counts as one issue: the same rule at the same place. A note is none, nor is a bug of the server. */
const issuesIn = ({ findings }: Report): ReadonlyMap<string, Finding> =>
  new Map(
    findings
      .filter(({ kind, level }) => KINDS[kind].heading && level !== 'note' && kind !== 'brokenResponse')
      .map((finding) => [issueKey(finding), finding]),
  );

const issueKey = ({ rule, operation, location }: Finding): string => [rule, operation ?? '', location].join('\n');

/** How the issues of a run differ from those of another. */
export interface Changes {
  /** Of the other run, whose operation this one called without them. */
  readonly fixed: readonly Finding[];
  /** Of the other run, whose operation this one did not call. */
  readonly notTried: readonly Finding[];
  /** `null` for a finding that is no issue. */
  readonly of: (finding: Finding) => 'new' | 'still' | null;
  readonly new: number;
  readonly still: number;
}

/** @param report of the run, with its exchanges @param base the report of the other run */
export function changesSince(report: Report, exchanges: readonly Exchange[], base: Report): Changes {
  const [issues, earlier] = [issuesIn(report), issuesIn(base)];
  const gone = [...earlier].flatMap(([key, finding]) => (issues.has(key) ? [] : [finding]));
  // A place that the run never sent is not fixed by it; what belongs to no operation is tried by any request.
  const used = new Set<string | undefined>(exchanges.map(({ operation }) => operation));
  const isTried = ({ operation }: Finding): boolean => operation === null || used.has(operation);
  const still = [...issues.keys()].filter((key) => earlier.has(key)).length;
  return {
    fixed: gone.filter(isTried),
    notTried: gone.filter((finding) => !isTried(finding)),
    of: (finding) => {
      const key = issueKey(finding);
      return issues.has(key) ? (earlier.has(key) ? 'still' : 'new') : null;
    },
    ...{ still, new: issues.size - still },
  };
}

function outcomeOf(
  part: RequestPart,
  base: RequestPart | undefined,
  reports: ReadonlyMap<RequestPart, Report>,
): RunOutcome {
  const { run, exchanges } = part;
  const report = reports.get(part) as Report;
  const changes = base && changesSince(report, exchanges, reports.get(base) as Report);
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
    fixed: changes?.fixed.length ?? 0,
    new: changes?.new ?? 0,
    still: changes?.still ?? 0,
    notTried: changes?.notTried.length ?? 0,
  };
}
