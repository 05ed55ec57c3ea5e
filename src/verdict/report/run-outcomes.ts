/**
 * The outcome of each run of a client: its verdict, and what changed since the run before it of the same client. A run is
 * computed from the request log again, as if it had a sandbox of its own.
 */
import type { Exchange } from '../../base/api/exchange.ts';
import type { components } from '../../base/generated/control-api.d.ts';
import { isoTimeOrNull } from '../../base/time.ts';
import { type Dropped, isFailing } from '../../traffic/request-log.ts';
import { clientOf } from '../../traffic/runs.ts';
import { type ExpectedInvalidStatuses, tallyOf } from '../../traffic/tally.ts';
import { changesBetween, type ReportedRun } from './changes.ts';
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
export type CommonReportOptions = Pick<
  ReportInput,
  'sandbox' | 'strict' | 'rules' | 'now' | 'sandboxNow' | 'unmatched'
> & {
  /** When the request log began, in milliseconds since 1970. */
  readonly since: number;
  /** Responses that the client causes by violating the specification on purpose. */
  readonly expectedInvalid?: ExpectedInvalidStatuses;
};

/** The report of a part. Yields after each exchange. */
export function* reportOfPart(
  { run, exchanges, dropped, gaps }: RequestPart,
  { since, expectedInvalid, ...options }: CommonReportOptions,
): Generator<void, Report> {
  const tally = yield* tallyOf(exchanges, expectedInvalid);
  const [first] = exchanges;
  return yield* reportOf({
    ...{ ...options, tally, dropped, gaps },
    since: run === undefined ? since : (first?.at ?? options.now),
    run: first === undefined ? null : (run ?? null),
  });
}

/**
 * The outcomes of some runs. @param runs all of a log, in the order in which they began @param shown those of them that are
 * asked for @param against the name of the run that they are compared with, by default the one before of the same client
 */
export function* runOutcomesOf(
  runs: readonly RequestPart[],
  shown: readonly RequestPart[],
  options: CommonReportOptions,
  against?: string,
): Generator<void, RunOutcome[]> {
  const reports = new Map<RequestPart, Report>();
  function* reportedRun(part: RequestPart): Generator<void, ReportedRun> {
    const report = reports.get(part) ?? (yield* reportOfPart(part, options));
    reports.set(part, report);
    return { report, exchanges: part.exchanges };
  }
  const outcomes: RunOutcome[] = [];
  for (const part of shown) {
    const base =
      against === undefined ? runBefore(runs, part) : runs.find(({ run }) => run === against && run !== part.run);
    const now = yield* reportedRun(part);
    const changes = base && (yield* changesBetween(yield* reportedRun(base), now));
    outcomes.push({
      ...{ ...outcomeOf(part, now.report), against: base?.run ?? null },
      ...{ fixed: changes?.fixed.length ?? 0, new: changes?.new ?? 0, still: changes?.still ?? 0 },
      notTried: [...(changes?.notTried ?? [])],
    });
  }
  return outcomes;
}

/** The run before of the same client. */
export const runBefore = (runs: readonly RequestPart[], part: RequestPart): RequestPart | undefined =>
  runs.slice(0, runs.indexOf(part)).findLast(sameClient(part));

/** Whether runs are of one client. */
const sameClient =
  ({ exchanges: [one] }: RequestPart) =>
  ({ exchanges: [other] }: RequestPart): boolean =>
    one !== undefined && other !== undefined && clientOf(one) === clientOf(other);

function outcomeOf({ run, exchanges, dropped }: RequestPart, { account, verdict, reasons }: Report) {
  const end = exchanges.reduce<number | null>((last, each) => Math.max(last ?? 0, each.respondedAt), null);
  return {
    run: run as string,
    startedAt: isoTimeOrNull(exchanges[0]?.at ?? null),
    endedAt: isoTimeOrNull(end),
    ...{ requests: account.total, verdict, reasons },
    failing: dropped.failures + exchanges.filter(isFailing).length,
  };
}
