/** `GET /_sandbox/report`: the contract report, in the requested format. */
import { inSlices, type RunSlice } from '../core/turns.ts';
import { ROUND } from '../http/cpu-queue.ts';
import { issuesOf } from '../report/issues.ts';
import { type Report, readExpectedInvalid, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import { redactedJson } from '../requests/redact.ts';
import type { UnmatchedSince } from '../requests/unmatched-requests.ts';
import {
  type ControlCall,
  type ControlContext,
  type Controls,
  readLog,
  rendered,
  type settledOf,
  type WholeLog,
} from './control.ts';
import { maySeeUnmatched } from './unmatched.ts';

type Settled = Awaited<ReturnType<typeof settledOf>>;

export const reportControls = (context: ControlContext): Controls => ({
  getReport: (call) => {
    const { unmatched, strict, expectedInvalid } = call.query;
    return readLog(call, context, (log) => {
      const query = {
        strict: strict === true,
        unmatched: unmatched === true ? unmatchedOf(call, log, context) : undefined,
        expectedInvalid: String(expectedInvalid ?? ''),
      };
      return call.inTurn(ROUND, () => rendered(call, reportFor(log, query, context), reportResults, context));
    });
  },

  listIssues: (call) =>
    readLog(call, context, async (log) => {
      const turn: RunSlice = (slice) => call.inTurn(ROUND, slice);
      const report = await turn(async () => reportFor(log, { strict: false, unmatched: undefined }, context));
      const issues = await inSlices(issuesOf(report, log.newestFirst, context.clock.now()), turn);
      return turn(async () => ({ status: 200, body: redactedJson(issues, context.redact) }));
    }),
});

interface ReportQuery {
  readonly strict: boolean;
  /** Those that the report names. */
  readonly unmatched: UnmatchedSince | undefined;
  readonly expectedInvalid?: string;
}

/** The report of a sandbox; it may contain secrets until it is redacted. */
function reportFor(
  { sandbox, history: { tallies }, newestFirst: exchanges, held }: WholeLog,
  { strict, unmatched, expectedInvalid = '' }: ReportQuery,
  { clock }: ControlContext,
): Report {
  const { id, record } = sandbox;
  return reportOf({
    sandbox: { id, label: record.label },
    tallies,
    requestLog: { exchanges, dropped: held.dropped },
    strict,
    now: clock.now(),
    sandboxNow: sandbox.now(),
    expectedInvalid: readExpectedInvalid(expectedInvalid),
    unmatched,
  });
}

/**
 * Unmatched requests since the report of a sandbox began; none while another sandbox was in use, whose client may have
 * sent them, and none for callers that may not see them.
 */
function unmatchedOf(
  call: ControlCall,
  { sandbox, history }: Settled,
  context: ControlContext,
): UnmatchedSince | undefined {
  const { sandboxes, unmatched } = context;
  if (!maySeeUnmatched(call, context)) return undefined;
  const { since, sinceMs } = history.tallies;
  for (const other of sandboxes.all()) if (other !== sandbox && other.lastUsedAt > since) return undefined;
  return unmatched.since(sinceMs);
}
