/**
 * The outcome of each run of a client: its verdict, and what changed since the run before it of the same client. A run is
 * computed from the request log again, as if it had a sandbox of its own.
 */
import { type Exchange, isExpectedInvalid, isSkipped } from '../api/exchange.ts';
import { isoTime } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { Budget } from '../requests/allowance.ts';
import { lossIn, type RequestLog } from '../requests/request-log.ts';
import { clientOf, QUIET_MS } from '../requests/runs.ts';
import { MAX_FINDINGS_BYTES, Tallies } from '../requests/tallies.ts';
import type { UnmatchedSince } from '../requests/unmatched-requests.ts';
import { KINDS } from './kinds.ts';
import { type Report, type ReportInput, reportOf } from './report.ts';

/** Described in `spec/control-api.yaml`. */
export type RunOutcome = components['schemas']['RunOutcome'];

/** What the report of a run takes over from that of the sandbox. */
export type RunOptions = Pick<
  ReportInput,
  'sandbox' | 'strict' | 'gaps' | 'expectedInvalid' | 'rules' | 'now' | 'sandboxNow' | 'unattributed'
> &
  Pick<RequestLog, 'wholeFrom'>;

/** A run with its exchanges, the oldest first. */
export interface Run {
  readonly name: string;
  readonly client: string;
  readonly exchanges: readonly Exchange[];
}

/** The runs of a log, in the order in which they began. @param log oldest first */
export function runsIn(log: readonly Exchange[]): readonly Run[] {
  const runs = new Map<string, { name: string; client: string; exchanges: Exchange[] }>();
  for (const exchange of log) {
    const { run: name } = exchange;
    if (name === undefined) continue;
    const known = runs.get(name);
    if (known) known.exchanges.push(exchange);
    else runs.set(name, { name, client: clientOf(exchange), exchanges: [exchange] });
  }
  return [...runs.values()];
}

/** The run with this name; one without requests, if there is none. @param log oldest first */
export const runNamedIn = (log: readonly Exchange[], name: string): Run =>
  runsIn(log).find((run) => run.name === name) ?? { name, client: '', exchanges: [] };

/** Yields after each exchange. @param missing how many requests of the run have left the log */
export function* reportOfRun(
  run: Run,
  missing: number,
  options: RunOptions & Pick<ReportInput, 'unmatched'>,
): Generator<void, Report> {
  const tallies = new Tallies(run.exchanges[0]?.at ?? options.now, new Budget(MAX_FINDINGS_BYTES));
  for (const exchange of run.exchanges) {
    tallies.watch(exchange);
    tallies.count(exchange);
    yield;
  }
  tallies.dropped = missing;
  const report = reportOf({
    ...options,
    gaps: [...lossIn(options, run.exchanges), ...(options.gaps ?? [])],
    unmatched: during(run, options.unmatched),
    unattributed: usesShared(run) ? during(run, options.unattributed) : undefined,
    tallies,
    requestLog: { exchanges: run.exchanges.toReversed(), dropped: missing },
  });
  return { ...report, run: run.exchanges.length === 0 ? null : run.name };
}

/** Whether its client used `/v1`; nothing is known of a run without requests. */
const usesShared = ({ exchanges }: Run): boolean =>
  exchanges.length === 0 || exchanges.some(({ address }) => address === undefined);

/** Requests during the run, or so shortly before or after it that its client may have sent them. */
function during<Since extends UnmatchedSince>({ exchanges }: Run, unmatched: Since | undefined): Since | undefined {
  const [first] = exchanges;
  if (unmatched === undefined || first === undefined) return unmatched;
  const start = first.at - QUIET_MS;
  const end = exchanges.reduce((last, each) => Math.max(last, each.respondedAt), 0) + QUIET_MS;
  const requests = unmatched.requests.filter(({ at }) => Date.parse(at) >= start && Date.parse(at) <= end);
  return { ...unmatched, requests };
}

/**
 * The latest runs, the newest first. @param log oldest first @param evicted by run @param most how many
 * @param against the name of the run that all others are compared with, by default the one before of the same client
 */
export function* runOutcomesOf(
  log: readonly Exchange[],
  evicted: ReadonlyMap<string, number>,
  options: RunOptions,
  most: number,
  against?: string,
): Generator<void, RunOutcome[]> {
  const runs = runsIn(log);
  const shown = runs.slice(-most);
  const base = runs.find(({ name }) => name === against);
  const baseIssues = base && issuesIn(yield* reportOfRun(base, evicted.get(base.name) ?? 0, options));
  const before = new Map<string, { readonly name: string; readonly issues: ReadonlySet<string> }>();
  const outcomes: RunOutcome[] = [];
  const wanted = new Set([...shown, ...shown.flatMap((each) => runBefore(each, runs) ?? [])]);
  for (const run of runs.filter((each) => wanted.has(each))) {
    // What is missing now came after the earlier runs of a client.
    const isLatest = runs.findLast(({ client }) => client === run.client) === run;
    const own = { ...options, gaps: isLatest ? (options.gaps ?? []) : [] };
    const report = yield* reportOfRun(run, evicted.get(run.name) ?? 0, own);
    const issues = issuesIn(report);
    const earlier = base && baseIssues ? { name: base.name, issues: baseIssues } : before.get(run.client);
    if (shown.includes(run)) outcomes.unshift(outcomeOf(run, report, issues, run === base ? undefined : earlier));
    before.set(run.client, { name: run.name, issues });
  }
  return outcomes;
}

const runBefore = (run: Run, runs: readonly Run[]): Run | undefined =>
  runs.slice(0, runs.indexOf(run)).findLast(({ client }) => client === run.client);

/** What counts as one issue: the same rule at the same place. A note is none, nor is a bug of the server. */
const issuesIn = ({ findings }: Report): ReadonlySet<string> =>
  new Set(
    findings
      .filter(({ kind, level }) => KINDS[kind].heading && level !== 'note' && kind !== 'brokenResponse')
      .map(({ rule, operation, location }) => [rule, operation ?? '', location].join('\n')),
  );

function outcomeOf(
  { name, exchanges }: Run,
  report: Report,
  issues: ReadonlySet<string>,
  earlier: { readonly name: string; readonly issues: ReadonlySet<string> } | undefined,
): RunOutcome {
  const times = exchanges.map(({ respondedAt }) => respondedAt);
  const gone = [...(earlier?.issues ?? [])].filter((issue) => !issues.has(issue));
  // A place that the run never sent is not fixed by it.
  const used = new Set(exchanges.map(({ operation }) => operation));
  const fixed = gone.filter((issue) => isTriedIn(issue, used));
  return {
    run: name,
    startedAt: isoTime((exchanges[0] as Exchange).at),
    endedAt: isoTime(times.reduce((last, each) => Math.max(last, each), 0)),
    requests: report.account.total,
    failing: exchanges.filter(isFailing).length,
    verdict: report.verdict,
    reasons: report.reasons,
    against: earlier?.name ?? null,
    fixed: fixed.length,
    new: earlier ? [...issues].filter((issue) => !earlier.issues.has(issue)).length : 0,
    still: earlier ? [...issues].filter((issue) => earlier.issues.has(issue)).length : 0,
    notTried: gone.length - fixed.length,
  };
}

/** The operation of an issue must have been called; what belongs to none is tried by any request. */
function isTriedIn(issue: string, used: ReadonlySet<string | undefined>): boolean {
  const [, operation = ''] = issue.split('\n');
  return operation === '' || used.has(operation);
}

/** Whether the client must change something because of this request. */
const isFailing = (exchange: Exchange): boolean =>
  !isSkipped(exchange) &&
  !isExpectedInvalid(exchange) &&
  (exchange.malformed !== undefined ||
    exchange.operation === undefined ||
    (exchange.verdict?.violations.some(({ side }) => side === 'request') ?? false));
