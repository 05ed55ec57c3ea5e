/** `GET /_sandbox/report`: the contract report, in the requested format. */
import type { Exchange } from '../api/exchange.ts';
import { inSlices } from '../core/turns.ts';
import { ROUND } from '../http/cpu-queue.ts';
import { issuesOf } from '../report/issues.ts';
import { type Report, readExpectedInvalid, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import { redactedJson } from '../requests/redact.ts';
import type { UnmatchedSince } from '../requests/unmatched-requests.ts';
import { type ControlCall, type ControlContext, type Controls, rendered, settledOf } from './control.ts';
import { maySeeUnmatched } from './unmatched.ts';

type Settled = Awaited<ReturnType<typeof settledOf>>;

/** A sandbox with the exchanges of its request log. */
interface Unpacked extends Settled {
  readonly exchanges: readonly Exchange[];
}

export const reportControls = (context: ControlContext): Controls => ({
  getReport: async (call) => {
    const settled = await unpackedOf(call, context);
    const { unmatched, strict, expectedInvalid } = call.query;
    const query = {
      strict: strict === true,
      unmatched: unmatched === true ? unmatchedOf(call, settled, context) : undefined,
      expectedInvalid: String(expectedInvalid ?? ''),
    };
    return call.inTurn(ROUND, () => {
      const report = reportFor(settled, query, context);
      return rendered(call, report, reportResults, context);
    });
  },

  listIssues: async (call) => {
    const settled = await unpackedOf(call, context);
    return call.inTurn(ROUND, () => {
      const report = reportFor(settled, { strict: false, unmatched: undefined }, context);
      const issues = issuesOf(report, settled.exchanges, context.clock.now());
      return { status: 200, body: redactedJson(issues, context.redact) };
    });
  },
});

async function unpackedOf(call: ControlCall, context: ControlContext): Promise<Unpacked> {
  const settled = await settledOf(call, context);
  const exchanges = await inSlices(settled.history.requestLog.settled(), (slice) => call.inTurn(ROUND, slice));
  return { ...settled, exchanges };
}

interface ReportQuery {
  readonly strict: boolean;
  /** Those that the report names. */
  readonly unmatched: UnmatchedSince | undefined;
  readonly expectedInvalid?: string;
}

/** The report of a sandbox; it may contain secrets until it is redacted. */
function reportFor(
  { sandbox, history: { tallies, requestLog }, exchanges }: Unpacked,
  { strict, unmatched, expectedInvalid = '' }: ReportQuery,
  { clock }: ControlContext,
): Report {
  const { id, record } = sandbox;
  return reportOf({
    sandbox: { id, label: record.label },
    tallies,
    requestLog: { exchanges, dropped: requestLog.dropped },
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
