/** `GET /_sandbox/report`: the contract report, in the requested format. */
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { ROUND } from '../http/heavy-lane.ts';
import type { ResponseData } from '../http/response.ts';
import { htmlOf } from '../report/html.ts';
import { junitOf } from '../report/junit.ts';
import { type Report, readExpectedInvalid, reportOf } from '../report/report.ts';
import { sarifOf } from '../report/sarif.ts';
import { isSettled } from '../requests/exchange.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { RequestLogs } from '../requests/request-logs.ts';
import type { Unmatched, UnmatchedRequest } from '../requests/unmatched-requests.ts';
import type { Histories, Quota } from '../sandbox/backend.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { type Call, type Controls, json } from './control.ts';
import { maySeeUnmatched } from './unmatched.ts';

export interface ReportControlOptions {
  readonly requestLogs: RequestLogs;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly histories: Pick<Histories, 'settled'>;
  /** The server's address of the sandbox. */
  readonly version: string;
  /** The folder with `openapi.yaml`. */
  readonly specifications: string;
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
    return call.req.exchange.inTurn(ROUND, () => inForm(call, sandbox, unmatched, options));
  },
});

interface ReportQuery {
  readonly strict: boolean;
  /** Those that the report names. */
  readonly unmatched: readonly UnmatchedRequest[];
  readonly expectedInvalid?: string;
}

/** The report of a sandbox; it may contain secrets until it is redacted. */
export function reportFor(
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

async function inForm(
  call: Call,
  sandbox: Sandbox,
  unmatched: readonly UnmatchedRequest[],
  options: ReportControlOptions,
): Promise<ResponseData> {
  const { query } = call;
  const { redact, version, specifications } = options;
  const asked = {
    strict: query['strict'] === true,
    unmatched,
    expectedInvalid: String(query['expectedInvalid'] ?? ''),
  };
  const report = reportFor(sandbox, asked, options);
  // Redacted once, as data: no format can then contain a secret.
  const facts = JSON.parse(redactedJson(report, redact)) as Report;
  switch (query['format']) {
    case 'junit':
      return { status: 200, contentType: 'application/xml', body: await junitOf(facts) };
    case 'sarif': {
      const specificationFile = join(specifications, 'openapi.yaml');
      return {
        status: 200,
        contentType: 'application/sarif+json',
        body: await sarifOf(facts, { version, specificationFile }),
      };
    }
    case 'html':
      return { status: 200, contentType: 'text/html; charset=utf-8', body: htmlOf(facts) };
    default:
      return json(200, facts);
  }
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
