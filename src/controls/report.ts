/** `GET /_sandbox/report`: the contract report, in the requested format. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { isSettled } from '../exchange.ts';
import { ROUND } from '../http/heavy-lane.ts';
import type { ResponseData } from '../http/response.ts';
import { htmlOf } from '../report/html.ts';
import { readIntended } from '../report/intended.ts';
import { junitOf } from '../report/junit.ts';
import { type Report, reportOf } from '../report/report.ts';
import { sarifOf } from '../report/sarif.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Journals } from '../sandbox/journals.ts';
import { type Redact, redactedJson } from '../sandbox/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Unclaimed, UnclaimedRequest } from '../sandbox/unclaimed.ts';
import { type Call, type Controls, json } from './control.ts';
import { maySeeUnclaimed } from './unclaimed.ts';

export interface ReportControlOptions {
  readonly journals: Journals;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly histories: Pick<Histories, 'settled'>;
  /** The server's address of the sandbox. */
  readonly version: string;
  /** The folder with `openapi.yaml`. */
  readonly specifications: string;
  readonly sandboxes: Sandboxes;
  readonly unclaimed: Unclaimed;
  /** Whether every key may see unclaimed requests. */
  readonly unclaimedForKeys: boolean;
}

export const reportControls = (options: ReportControlOptions): Controls => ({
  getReport: async (call) => {
    const sandbox = call.sandbox();
    await options.histories.settled(sandbox.id);
    if (call.query['unclaimed'] === true && maySeeUnclaimed(call, options)) await options.unclaimed.refresh();
    return call.req.exchange.inTurn(ROUND, () => inForm(call, sandbox, options));
  },
});

/** The report of a sandbox; it may contain secrets until it is redacted. */
export function reportFor(
  call: Call,
  sandbox: Sandbox,
  { strict, unclaimed, intended = '' }: { strict: boolean; unclaimed: boolean; intended?: string },
  options: ReportControlOptions,
): Report {
  const { journals, clock } = options;
  const { tallies, journal } = journals.of(sandbox);
  const { id, record } = sandbox;
  return reportOf({
    sandbox: { id, label: record.label },
    tallies,
    journal: { exchanges: [...journal.newestFirst()].filter(isSettled), dropped: journal.dropped },
    strict,
    now: clock.now(),
    sandboxNow: sandbox.now(),
    intended: readIntended(intended),
    unclaimed: unclaimed && maySeeUnclaimed(call, options) ? ownUnclaimed(sandbox, options) : [],
  });
}

async function inForm(call: Call, sandbox: Sandbox, options: ReportControlOptions): Promise<ResponseData> {
  const { query } = call;
  const { redact, version, specifications } = options;
  const asked = {
    strict: query['strict'] === true,
    unclaimed: query['unclaimed'] === true,
    intended: String(query['intended'] ?? ''),
  };
  const report = reportFor(call, sandbox, asked, options);
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
 * Unclaimed requests since the report began; none while another sandbox was in use, whose client may have sent them.
 */
function ownUnclaimed(sandbox: Sandbox, options: ReportControlOptions): readonly UnclaimedRequest[] {
  const { journals, sandboxes, unclaimed } = options;
  const { since } = journals.of(sandbox).tallies;
  for (const other of sandboxes.all()) if (other !== sandbox && other.lastUsedAt > since) return [];
  return unclaimed.newestFirst().filter(({ at }) => Date.parse(at) >= since);
}
