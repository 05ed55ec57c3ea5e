/** Verdicts: the contract report of a sandbox, of its runs and of an HTTP Archive, and `ready`. */
import { ApiError } from '../../base/api/errors.ts';
import { inSlices } from '../../base/lane.ts';
import { MAX_CONTROL_BODY } from '../../base/limits.ts';
import { ownCommand } from '../../base/own-command.ts';
import { ControlsClient } from '../../client/client.ts';
import { ClientError } from '../../client/errors.ts';
import type { Schema } from '../../client/routes.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { HarError } from '../../verdict/documents/har-source.ts';
import { evidenceIn, readyResults } from '../../verdict/ready.ts';
import { changesBetween, issuesOf } from '../../verdict/report/changes.ts';
import { type Report, readExpectedInvalid } from '../../verdict/report/report.ts';
import { reportResults } from '../../verdict/report/report-results.ts';
import { type CommonReportOptions, reportOfPart, runBefore, runOutcomesOf } from '../../verdict/report/run-outcomes.ts';
import { credentialOf } from '../http/credential.ts';
import {
  type ControlContext,
  type Controls,
  done,
  json,
  ownBody,
  rendered,
  type Validated,
  validatedOf,
} from './control.ts';
import { type LogPart, readPart, runNamed } from './part.ts';

export const reportControls = (context: ControlContext): Controls => ({
  getReport: async (call) => {
    const { run, unmatched, strict, expectedInvalid, finish } = call.query;
    const wait = finish === true ? 'finish' : true;
    const part = await readPart(call, context, { run, wait, listsUnmatched: unmatched === true });
    const options = {
      ...{ ...optionsOf(part, context), strict: strict === true },
      expectedInvalid: readExpectedInvalid(String(expectedInvalid ?? '')),
    };
    const report = await inSlices(reportFor(part, options), call.inTurn);
    return call.inTurn(() => rendered(call, report, reportResults, context));
  },

  listIssues: async (call) => {
    // A page polls them, and does not wait.
    const part = await readPart(call, context, { run: call.query['run'], wait: false });
    const issues = await inSlices(issuesIn(part, optionsOf(part, context)), call.inTurn);
    return call.inTurn(() => ({ status: 200, body: redactedJson(issues, context.redact) }));
  },

  listRuns: async (call) => {
    const part = await readPart(call, context, { wait: false });
    const against = runNamed(call.query['against'], part.requestLog);
    const options = withoutRules(optionsOf(part, context));
    const runs = await inSlices(latestOf(part, options, against), call.inTurn);
    return { status: 200, body: redactedJson({ runs }, context.redact) };
  },

  startRun: async (call) => {
    const { requestLog } = await validatedOf(call, context);
    requestLog.beginRun((call.body as Schema<'NewRun'>).name);
    return done;
  },

  reportHar: async (call) => {
    const { id } = call.sandbox();
    const given = call.query['base'] === undefined ? [] : String(call.query['base']).split(',');
    if (!given.every((each) => URL.canParse(each)))
      throw new ApiError('invalid_request', 'query/base is an address, like https://api.example.com/v1');
    const larger = `for a larger HAR, run: ${ownCommand('report --har FILE')}`;
    const limits = { maxBytes: MAX_CONTROL_BODY, mediaTypes: TYPES, larger };
    const har = await ownBody(call.req, limits, 'an HTTP Archive (HAR)');
    const bases = given.map((each) => new URL(each).href);
    const job = { har, bases, source: id, strict: call.query['strict'] === true };
    const results = await context.documents.report(job).catch((error: unknown) => {
      // Not a rejection that the validator could agree with: it is not shown the HAR.
      throw error instanceof HarError ? new ApiError('invalid_request', `body: ${error.message}`) : error;
    });
    return call.inTurn(() => rendered(call, results, (same) => same, context));
  },

  getReady: async ({ req, query, send, sandbox: here }) => {
    here();
    const credential = credentialOf(req);
    const client = new ControlsClient({
      url: '',
      fetch: send,
      sandbox: query['sandbox'] as string | undefined,
      ...(credential.kind === 'token' && { credential: credential.token }),
    });
    try {
      return json(200, readyResults(await evidenceIn(client)).data);
    } catch (error) {
      // Such as a request log that is too large to be read at the moment.
      if (error instanceof ClientError && error.body !== undefined) return json(error.status, error.body);
      throw error;
    }
  },
});

/** Programs name a type by the end of the file's name; its first bytes decide. */
const TYPES = ['application/json', 'application/gzip', 'application/zip', 'application/octet-stream'];

/** What all reports of a sandbox have in common. */
function optionsOf({ sandbox, requestLog }: Validated, { clock }: ControlContext): CommonReportOptions {
  const { id, record } = sandbox;
  return {
    ...{ sandbox: { id, label: record.label }, since: requestLog.since.at, strict: false },
    // A drill checks its own fault rules.
    rules: record.faults.filter(({ id: rule }) => !record.drill?.faults.includes(rule)),
    ...{ now: clock.now(), sandboxNow: sandbox.now() },
  };
}

/** The report of a sandbox, or of one run; it may contain secrets until it is redacted. */
function* reportFor(part: LogPart, options: CommonReportOptions): Generator<void, Report> {
  const report = yield* reportOfPart(part, { ...options, unmatched: part.unmatched });
  const runs = yield* part.runs();
  if (part.run === undefined && runs.length < 2) return report;
  const shown = part.run === undefined ? runs.slice(-1) : runs.filter(({ run }) => run === part.run);
  const [outcome = null] = yield* runOutcomesOf(runs, shown, withoutRules(options));
  return { ...report, outcome };
}

/** The issues, with what became of those of the run before. */
function* issuesIn(part: LogPart, options: CommonReportOptions): Generator<void, ReturnType<typeof issuesOf>> {
  const report = yield* reportOfPart(part, options);
  const runs = part.run === undefined ? [] : yield* part.runs();
  const run = runs.find((each) => each.run === part.run);
  const before = run && runBefore(runs, run);
  if (!before) return issuesOf(report, undefined);
  const { exchanges } = before;
  const earlier = { report: yield* reportOfPart(before, withoutRules(options)), exchanges };
  return issuesOf(report, yield* changesBetween(earlier, { ...part, report }));
}

/** Which rule was triggered in which run is not known. */
const withoutRules = ({ rules: _, ...options }: CommonReportOptions): CommonReportOptions => options;

/** Of the list. */
const MAX_LISTED_RUNS = 20;

function* latestOf(part: LogPart, options: CommonReportOptions, against: string | undefined) {
  const all = yield* part.runs();
  return yield* runOutcomesOf(all, all.slice(-MAX_LISTED_RUNS).toReversed(), options, against);
}
