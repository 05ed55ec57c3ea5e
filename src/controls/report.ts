/** `GET /_sandbox/report`: the contract report, in the form that is asked for. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Answer } from '../http/answer.ts';
import { ROUND } from '../http/heavy-lane.ts';
import { htmlOf } from '../report/html.ts';
import { junitOf } from '../report/junit.ts';
import { type Report, reportOf } from '../report/report.ts';
import { sarifOf } from '../report/sarif.ts';
import type { Journals } from '../sandbox/journals.ts';
import { type Redact, redactedJson } from '../sandbox/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Call, type Controls, json } from './control.ts';

export interface ReportControlOptions {
  readonly journals: Journals;
  readonly clock: Clock;
  readonly redact: Redact;
  /** Resolves when everything that this sandbox did before is judged. */
  readonly settled: (sandboxId: string) => Promise<void>;
  /** Of the sandbox. */
  readonly version: string;
  /** The folder that holds `openapi.yaml`. */
  readonly documents: string;
}

export const reportControls = (options: ReportControlOptions): Controls => ({
  getReport: async (call) => {
    const sandbox = call.sandbox();
    await options.settled(sandbox.id);
    return call.req.exchange.inTurn(ROUND, () => inForm(call.query, sandbox, options));
  },
});

async function inForm(query: Call['query'], sandbox: Sandbox, options: ReportControlOptions): Promise<Answer> {
  const { journals, clock, redact, version, documents } = options;
  const { tallies } = journals.of(sandbox);
  const { id, record } = sandbox;
  const strict = query['strict'] === true;
  const report = reportOf({ sandbox: { id, label: record.label }, tallies, strict, now: clock.now() });
  // Redacted once, as facts: no form can show what the facts do not hold.
  const facts = JSON.parse(redactedJson(report, redact)) as Report;
  switch (query['format']) {
    case 'junit':
      return { status: 200, contentType: 'application/xml', body: await junitOf(facts) };
    case 'sarif': {
      const documentFile = join(documents, 'openapi.yaml');
      return {
        status: 200,
        contentType: 'application/sarif+json',
        body: await sarifOf(facts, { version, documentFile }),
      };
    }
    case 'html':
      return { status: 200, contentType: 'text/html; charset=utf-8', body: htmlOf(facts) };
    default:
      return json(200, facts);
  }
}
