/** `GET /_sandbox/report`: the contract report, in the requested format. */
import { inSlices } from '../core/turns.ts';
import { issuesOf } from '../report/issues.ts';
import { type Report, type ReportInput, readExpectedInvalid, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import { reportOfRun, runNamedIn, runOutcomesOf, runsIn } from '../report/run-outcomes.ts';
import { redactedJson } from '../requests/redact.ts';
import { lossIn } from '../requests/request-log.ts';
import { unansweredWords } from '../requests/unanswered.ts';
import type { UnmatchedSince } from '../requests/unmatched-requests.ts';
import {
  type ControlCall,
  type ControlContext,
  type Controls,
  readLog,
  rendered,
  type Validated,
  type WholeLog,
} from './control.ts';
import { runNamed } from './runs.ts';
import { isOnlyClient, maySeeUnmatched, unattributedTo } from './unmatched.ts';

export const reportControls = (context: ControlContext): Controls => ({
  getReport: async (call) => {
    const { run, unmatched, strict, expectedInvalid, finish } = call.query;
    const gaps = unansweredWords(await context.unanswered.whenAnswered(call.sandbox().id, finish === true));
    return readLog(call, context, async (log) => {
      const query = {
        ...{ run, gaps, strict: strict === true, expectedInvalid: readExpectedInvalid(String(expectedInvalid ?? '')) },
        unmatched: unmatched === true ? unmatchedOf(call, log, context) : undefined,
      };
      const report = await inSlices(reportFor(log, query, context));
      return rendered(call, report, reportResults, context);
    });
  },

  listIssues: (call) =>
    readLog(call, context, async (log) => {
      // A page polls them, and does not wait.
      const gaps = unansweredWords(context.unanswered.of(log.sandbox.id));
      const query = { run: call.query['run'], gaps, strict: false, unmatched: undefined };
      const report = await inSlices(reportFor(log, query, context));
      const exchanges = log.newestFirst.filter(({ run }) => report.run === null || run === report.run);
      const issues = await inSlices(issuesOf(report, exchanges, context.clock.now()));
      return { status: 200, body: redactedJson(issues, context.redact) };
    }),
});

interface ReportQuery extends Pick<ReportInput, 'strict' | 'expectedInvalid' | 'unmatched' | 'gaps'> {
  readonly run: unknown;
}

/** The report of a sandbox, or of one run; it may contain secrets until it is redacted. @throws {ApiError} as `runNamed` */
function* reportFor(
  whole: WholeLog,
  { run: wanted, unmatched, ...query }: ReportQuery,
  context: ControlContext,
): Generator<void, Report> {
  const { sandbox, history, newestFirst: exchanges, held } = whole;
  const { tallies, requestLog } = history;
  const { id, record } = sandbox;
  const options = {
    ...{ ...query, sandbox: { id, label: record.label }, now: context.clock.now(), sandboxNow: sandbox.now() },
    wholeFrom: requestLog.wholeFrom,
    // Listed requests are not counted twice.
    unattributed: unmatched ? undefined : unattributedTo(whole, context),
  };
  // A drill checks its own fault rules.
  const rules = record.faults.filter(({ id: rule }) => !record.drill?.faults.includes(rule));
  const log = exchanges.toReversed();
  const name = runNamed(wanted, requestLog);
  if (name !== undefined) {
    const run = runNamedIn(log, name);
    const missing = held.evictedOfRuns.get(name) ?? 0;
    return yield* reportOfRun(run, missing, { ...options, rules, unmatched });
  }
  const ofLog = {
    requestLog: { exchanges, dropped: held.dropped },
    gaps: [...lossIn(requestLog), ...(query.gaps ?? [])],
  };
  const report = reportOf({ ...options, ...ofLog, rules, tallies, unmatched });
  if (runsIn(log).length < 2) return report;
  const [lastRun = null] = yield* runOutcomesOf(log, held.evictedOfRuns, options, 1);
  return { ...report, lastRun };
}

/** Unmatched requests since the report of a sandbox began, where only its client can have sent them, and the caller may see them. */
function unmatchedOf(call: ControlCall, validated: Validated, context: ControlContext): UnmatchedSince | undefined {
  if (!maySeeUnmatched(call, context) || !isOnlyClient(validated, context)) return undefined;
  return context.unmatched.since(validated.history.tallies.sinceMs);
}
