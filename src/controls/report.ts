/** `GET /_sandbox/report`: the contract report, in the form that is asked for. */
import type { Clock } from '../clock.ts';
import { reportOf } from '../report/report.ts';
import type { Journals } from '../sandbox/journals.ts';
import { type Redact, redactedJson } from '../sandbox/redact.ts';
import type { Controls } from './control.ts';

export interface ReportControlOptions {
  readonly journals: Journals;
  readonly clock: Clock;
  readonly redact: Redact;
  /** Resolves when everything that this sandbox did before is judged. */
  readonly settled: (sandboxId: string) => Promise<void>;
}

export const reportControls = ({ journals, clock, redact, settled }: ReportControlOptions): Controls => ({
  getReport: async (call) => {
    const sandbox = call.sandbox();
    await settled(sandbox.id);
    const { tallies } = journals.of(sandbox);
    const { id, record } = sandbox;
    const strict = call.query['strict'] === true;
    const report = reportOf({ sandbox: { id, label: record.label }, tallies, strict, now: clock.now() });
    return { status: 200, body: redactedJson(report, redact) };
  },
});
