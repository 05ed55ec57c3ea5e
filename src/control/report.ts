/** `GET /_sandbox/report`: the contract report, in the requested format. */
import { inSlices } from '../core/turns.ts';
import { issuesOf } from '../report/issues.ts';
import { type Report, readExpectedInvalid } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import { changesSince, type ReportOptions, reportOfPart, runBefore, runOutcomesOf } from '../report/run-outcomes.ts';
import { redactedJson } from '../requests/redact.ts';
import { type ControlContext, type Controls, rendered, type Validated } from './control.ts';
import { type LogPart, readPart } from './part.ts';

export const reportControls = (context: ControlContext): Controls => ({
  getReport: async (call) => {
    const { run, unmatched, strict, expectedInvalid, finish } = call.query;
    const wait = finish === true ? 'finish' : true;
    const part = await readPart(call, context, { run, wait, listsUnmatched: unmatched === true });
    const options = {
      ...{ ...optionsOf(part, context), strict: strict === true },
      expectedInvalid: readExpectedInvalid(String(expectedInvalid ?? '')),
    };
    return rendered(call, await inSlices(reportFor(part, options)), reportResults, context);
  },

  listIssues: async (call) => {
    // A page polls them, and does not wait.
    const part = await readPart(call, context, { run: call.query['run'], wait: false });
    const options = optionsOf(part, context);
    const report = await inSlices(reportOfPart(part, options));
    const runs = part.run === undefined ? [] : part.runs();
    const run = runs.find((each) => each.run === part.run);
    const before = run && runBefore(runs, run);
    const base = before && (await inSlices(reportOfPart(before, withoutRules(options))));
    const issues = issuesOf(report, base && changesSince(report, part.exchanges, base));
    return { status: 200, body: redactedJson(issues, context.redact) };
  },
});

/** What all reports of a sandbox have in common. */
export function optionsOf({ sandbox, requestLog }: Validated, { clock }: ControlContext): ReportOptions {
  const { id, record } = sandbox;
  return {
    ...{ sandbox: { id, label: record.label }, since: requestLog.since.at, strict: false },
    // A drill checks its own fault rules.
    rules: record.faults.filter(({ id: rule }) => !record.drill?.faults.includes(rule)),
    ...{ now: clock.now(), sandboxNow: sandbox.now() },
  };
}

/** The report of a sandbox, or of one run; it may contain secrets until it is redacted. */
function* reportFor(part: LogPart, options: ReportOptions): Generator<void, Report> {
  const report = yield* reportOfPart(part, { ...options, unmatched: part.unmatched });
  const runs = part.run === undefined ? part.runs() : [];
  if (runs.length < 2) return report;
  const [lastRun = null] = yield* runOutcomesOf(runs, withoutRules(options), 1);
  return { ...report, lastRun };
}

/** Which rule was triggered in which run is not known. */
export const withoutRules = ({ rules: _, ...options }: ReportOptions): ReportOptions => options;
