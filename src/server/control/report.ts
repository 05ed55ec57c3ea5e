/** `GET /_sandbox/report`: the contract report, in the requested format. */
import { inSlices } from '../../base/turns.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { type Changes, changesBetween } from '../../verdict/report/changes.ts';
import { issuesOf } from '../../verdict/report/issues.ts';
import { type Report, readExpectedInvalid } from '../../verdict/report/report.ts';
import { reportResults } from '../../verdict/report/report-results.ts';
import {
  type ReportOptions,
  type RequestPart,
  reportOfPart,
  runBefore,
  runOutcomesOf,
} from '../../verdict/report/run-outcomes.ts';
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
    return rendered(call, await inSlices(reportFor(part, options), call.inTurn), reportResults, context);
  },

  listIssues: async (call) => {
    // A page polls them, and does not wait.
    const part = await readPart(call, context, { run: call.query['run'], wait: false });
    const options = optionsOf(part, context);
    const report = await inSlices(reportOfPart(part, options), call.inTurn);
    const runs = part.run === undefined ? [] : part.runs();
    const run = runs.find((each) => each.run === part.run);
    const before = run && runBefore(runs, run);
    function* changesOf(base: RequestPart): Generator<void, Changes> {
      const baseReport = yield* reportOfPart(base, withoutRules(options));
      return yield* changesBetween({ report: baseReport, exchanges: base.exchanges }, { ...part, report });
    }
    const changes = before && (await inSlices(changesOf(before), call.inTurn));
    const issues = issuesOf(report, changes);
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
  const runs = part.runs();
  if (part.run === undefined && runs.length < 2) return report;
  const shown = part.run === undefined ? runs.slice(-1) : runs.filter(({ run }) => run === part.run);
  const [outcome = null] = yield* runOutcomesOf(runs, shown, withoutRules(options));
  return { ...report, outcome };
}

/** Which rule was triggered in which run is not known. */
export const withoutRules = ({ rules: _, ...options }: ReportOptions): ReportOptions => options;
