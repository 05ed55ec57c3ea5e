/** `GET /_sandbox/report`: the contract report, in the requested format. */
import type { Clock } from '../core/clock.ts';
import { ROUND } from '../http/heavy-lane.ts';
import type { ResponseData } from '../http/response.ts';
import { FORMATS, type FormatName, inFormat } from '../report/formats/formats.ts';
import { issuesOf } from '../report/issues.ts';
import { type Report, readExpectedInvalid, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import { isSettled } from '../requests/exchange.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { RequestLogs } from '../requests/request-logs.ts';
import type { Unmatched, UnmatchedRequest } from '../requests/unmatched-requests.ts';
import type { Histories, Quota } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Call, Controls } from './control.ts';
import { maySeeUnmatched } from './unmatched.ts';

export interface ReportControlOptions {
  readonly requestLogs: RequestLogs;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly histories: Pick<Histories, 'settled'>;
  readonly sandboxes: Sandboxes;
  readonly unmatched: Unmatched;
  /** Tells whether other sandboxes were used, if other servers use them too. */
  readonly quota: Pick<Quota, 'isAnotherUsed'> | undefined;
  /** Whether every key may see unmatched requests. */
  readonly unmatchedForKeys: boolean;
}

export const reportControls = (options: ReportControlOptions): Controls => ({
  getReport: async (call) => {
    const sandbox = call.sandbox();
    await options.histories.settled(sandbox.id);
    const unmatched = call.query['unmatched'] === true ? await unmatchedOf(call, sandbox, options) : [];
    return call.req.exchange.inTurn(ROUND, () => renderReport(call, sandbox, unmatched, options));
  },

  listIssues: async (call) => {
    const sandbox = call.sandbox();
    const { histories, requestLogs, redact } = options;
    await histories.settled(sandbox.id);
    return call.req.exchange.inTurn(ROUND, () => {
      const report = reportFor(sandbox, { strict: false, unmatched: [] }, options);
      const { requestLog } = requestLogs.of(sandbox);
      const issues = issuesOf(report, [...requestLog.newestFirst()].filter(isSettled));
      return { status: 200, body: redactedJson(issues, redact) };
    });
  },
});

interface ReportQuery {
  readonly strict: boolean;
  /** Those that the report names. */
  readonly unmatched: readonly UnmatchedRequest[];
  readonly expectedInvalid?: string;
}

/** The report of a sandbox; it may contain secrets until it is redacted. */
function reportFor(
  sandbox: Sandbox,
  { strict, unmatched, expectedInvalid = '' }: ReportQuery,
  { requestLogs, clock }: ReportControlOptions,
): Report {
  const { tallies, requestLog } = requestLogs.of(sandbox);
  const { id, record } = sandbox;
  return reportOf({
    sandbox: { id, label: record.label },
    tallies,
    requestLog: { exchanges: [...requestLog.newestFirst()].filter(isSettled), dropped: requestLog.dropped },
    strict,
    now: clock.now(),
    sandboxNow: sandbox.now(),
    expectedInvalid: readExpectedInvalid(expectedInvalid),
    unmatched,
  });
}

async function renderReport(
  call: Call,
  sandbox: Sandbox,
  unmatched: readonly UnmatchedRequest[],
  options: ReportControlOptions,
): Promise<ResponseData> {
  const { query } = call;
  const asked = {
    strict: query['strict'] === true,
    unmatched,
    expectedInvalid: String(query['expectedInvalid'] ?? ''),
  };
  const report = reportFor(sandbox, asked, options);
  // Redacted once, as data: no format can then contain a secret.
  const facts = JSON.parse(redactedJson(report, options.redact)) as Report;
  const format = (query['format'] ?? 'json') as FormatName;
  const body = await inFormat(format, reportResults(facts), { listed: ['accepted', 'skipped'], full: true });
  return { status: 200, contentType: FORMATS[format].mediaType, body };
}

/**
 * Unmatched requests since the report of a sandbox began; none while another sandbox was in use, whose client may have
 * sent them, and none for callers that may not see them. @throws {ApiError} `storage_failed`
 */
export async function unmatchedOf(
  call: Call,
  sandbox: Sandbox,
  options: ReportControlOptions,
): Promise<readonly UnmatchedRequest[]> {
  const { requestLogs, sandboxes, quota, unmatched } = options;
  if (!maySeeUnmatched(call, options)) return [];
  const { since } = requestLogs.of(sandbox).tallies;
  for (const other of sandboxes.all()) if (other !== sandbox && other.lastUsedAt > since) return [];
  if (await quota?.isAnotherUsed(sandbox.id, since)) return [];
  await unmatched.refresh();
  return unmatched.newestFirst().filter(({ at }) => Date.parse(at) >= since);
}
