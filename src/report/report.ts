/**
 * The contract report of one sandbox: the operations that its client used, the violations, and a verdict. This is the
 * data; the other files of this folder render it in four formats.
 */
import { isoTime } from '../clock.ts';
import type { Exchange, Violation } from '../exchange.ts';
import type { components } from '../generated/controls.d.ts';
import { basePath, operations as described, type OperationName, operationNames } from '../generated/facts.ts';
import { isFromDashboard } from '../sandbox/intent.ts';
import type { IntendedFinding, OperationTally, Tallies } from '../sandbox/tallies.ts';
import { withDaysLeft } from './days-left.ts';
import { found } from './found.ts';
import { habitsIn } from './habits/habits.ts';
import type { IntendedStatuses } from './intended.ts';
import { lostCreationsIn } from './lost-creations.ts';
import { type UnclaimedRequest, unclaimedGaps } from './unclaimed.ts';

type Schemas = components['schemas'];

/** Described in `spec/controls.yaml`. */
export type Report = Schemas['Report'];
/** One operation of the specification with its counts and findings. */
export type OperationReport = Schemas['ReportOperation'];
/** The occurrences of a finding: their number, and their requests (the first ones, and the last). */
export type Occurrences = Schemas['Occurrences'];

export interface ReportOptions {
  readonly sandbox: { readonly id: string; readonly label: string | null };
  readonly tallies: Tallies;
  readonly strict: boolean;
  /** Responses that the client causes by violating the specification on purpose. */
  readonly intended?: IntendedStatuses;
  /** Unclaimed requests that belong to this client, because no other was active. */
  readonly unclaimed?: readonly UnclaimedRequest[];
  /** The journal's exchanges and the number of evicted ones: habits are searched in these. */
  readonly journal: { readonly exchanges: readonly Exchange[]; readonly dropped: number };
  /** Real time, and the sandbox's own, in milliseconds since 1970. */
  readonly now: number;
  readonly sandboxNow: number;
}

/** The current report. Pending exchanges must be settled first. */
export function reportOf(options: ReportOptions): Report {
  const { sandbox, tallies, strict, journal, now, sandboxNow, intended = new Map(), unclaimed = [] } = options;
  const operations = operationNames.map((name) =>
    operationReport(name, tallies.operations.get(name), sandboxNow, intended.get(name)),
  );
  const ofClient = journal.exchanges.filter((exchange) => !isFromDashboard(exchange));
  const habits = habitsIn(ofClient);
  const unmatched = [...tallies.unmatched].map(([status, count]) => ({ status, count }));
  const noOperation = found(tallies.noOperation);
  const totals = { ...totalsOf(operations, unmatched), noOperation: countIn(noOperation), habits: habits.length };
  const broken = brokenBy(totals, strict);
  const coverage = coverageOf(operations);
  const notRefereed = operations.reduce((sum, each) => sum + each.notRefereed, 0);
  const gaps = [...gapsIn(totals, coverage.seen, notRefereed), ...tallies.gaps, ...unclaimedGaps(unclaimed)];
  return {
    // Certain failures take precedence over uncertainty.
    verdict: broken.length > 0 ? 'fail' : gaps.length > 0 ? 'incomplete' : 'pass',
    reasons: [...broken, ...gaps],
    gaps,
    strict,
    sandbox: sandbox.id,
    label: sandbox.label,
    since: isoTime(tallies.since),
    createdAt: isoTime(now),
    totals,
    coverage,
    operations,
    unmatched,
    noOperation,
    habits: {
      exchanges: ofClient.length,
      dropped: journal.dropped,
      found: habits,
      lostCreations: lostCreationsIn(ofClient, habits),
    },
  };
}

function operationReport(
  operation: OperationName,
  tally: OperationTally | undefined,
  sandboxNow: number,
  meant: ReadonlySet<number> = new Set(),
): OperationReport {
  const { method, path, deprecated, responses } = described[operation];
  const isMeant = (status: number): boolean => meant.has(status);
  const isNotMeant = (status: number): boolean => !meant.has(status);
  const ofClient = ({ side }: Violation): boolean => side === 'request';
  const descriptions: Readonly<Record<string, string>> = responses;
  const statuses = Object.keys(descriptions).map(Number);
  const counts = [...(tally?.responses ?? [])];
  return {
    operation,
    method: method.toUpperCase(),
    path: `${basePath}${path}`,
    deprecated,
    responses: statuses.map((status) => {
      const { served = 0, injected = 0 } = tally?.responses.get(status) ?? {};
      return { status, description: descriptions[status] ?? '', seen: served, injected };
    }),
    otherResponses: counts
      .filter(([status]) => !statuses.includes(status))
      .map(([status, { served, injected }]) => ({ status, seen: served, injected })),
    notRefereed: tally?.notRefereed ?? 0,
    violations: found(tally?.violations, isNotMeant).filter(ofClient),
    brokenResponses: found(tally?.violations).filter((violation) => !ofClient(violation)),
    warnings: found(tally?.warnings, isNotMeant).map((warning) => withDaysLeft(warning, operation, sandboxNow)),
    intended: [
      ...found(tally?.intended),
      ...found(tally?.violations, isMeant).filter(ofClient),
      ...found(tally?.warnings, isMeant),
    ].map(asIntended),
    rounded: found(tally?.rounded),
    injected: found(tally?.injected),
    unjudged: found(tally?.unjudged),
  };
}

/** Without what only a violation has. */
const asIntended = ({ place, rule, message, sample, count, requests, last }: IntendedFinding & Occurrences) => ({
  place,
  rule,
  message,
  sample,
  count,
  requests,
  last,
});

function totalsOf(
  operations: readonly OperationReport[],
  unmatched: Report['unmatched'],
): Omit<Report['totals'], 'noOperation' | 'habits'> {
  const sum = (countOf: (operation: OperationReport) => number): number =>
    operations.reduce((all, operation) => all + countOf(operation), 0);
  const responsesOf = (operation: OperationReport): number =>
    [...operation.responses, ...operation.otherResponses].reduce((all, { seen, injected }) => all + seen + injected, 0);
  return {
    exchanges:
      sum((operation) => responsesOf(operation) + operation.notRefereed) +
      unmatched.reduce((all, { count }) => all + count, 0),
    violations: sum(({ violations }) => countIn(violations)),
    brokenResponses: sum(({ brokenResponses }) => countIn(brokenResponses)),
    warnings: sum(({ warnings }) => countIn(warnings.filter(({ rule }) => rule !== 'deprecated'))),
    deprecatedUses: sum(({ warnings }) => countIn(warnings.filter(({ rule }) => rule === 'deprecated'))),
    intended: sum(({ intended }) => countIn(intended)),
    rounded: sum(({ rounded }) => countIn(rounded)),
    injected: sum(({ injected }) => countIn(injected)),
    unjudged: sum(({ unjudged }) => countIn(unjudged)),
  };
}

const countIn = (findings: readonly Occurrences[]): number => findings.reduce((all, { count }) => all + count, 0);

/** How the client broke the contract. */
function brokenBy(
  { violations, noOperation, rounded, warnings, deprecatedUses, habits }: Report['totals'],
  strict: boolean,
): string[] {
  return [
    ...some(violations, 'violation of the specification', 'violations of the specification'),
    ...some(noOperation, 'request matches no operation', 'requests match no operation'),
    ...some(rounded, 'large integer came back rounded', 'large integers came back rounded'),
    ...(strict ? some(warnings, 'warning', 'warnings') : []),
    ...(strict ? some(deprecatedUses, 'use of a deprecated operation', 'uses of deprecated operations') : []),
    ...(strict ? some(habits, 'bad habit', 'bad habits') : []),
  ];
}

/** Why the totals are inconclusive. */
function gapsIn({ brokenResponses, exchanges }: Report['totals'], seen: number, notRefereed: number): string[] {
  return [
    // A client that sent no requests proves nothing: its tests may not have run at all.
    ...(exchanges === 0 ? ['no request was seen'] : []),
    ...(exchanges > 0 && seen === 0 ? ['no documented response was seen'] : []),
    ...some(notRefereed, 'HEAD request was not judged', 'HEAD requests were not judged'),
    ...some(
      brokenResponses,
      'response of the sandbox broke the specification',
      'responses of the sandbox broke the specification',
    ),
  ];
}

const some = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

function coverageOf(operations: readonly OperationReport[]): Report['coverage'] {
  const all = operations.flatMap(({ operation, responses }) =>
    responses.map((response) => ({ operation, ...response })),
  );
  const neverSeen = all
    .filter(({ seen }) => seen === 0)
    .map(({ operation, status }) => ({ operation, status, hint: hintFor(status) }));
  return { documented: all.length, seen: all.length - neverSeen.length, neverSeen };
}

/** How to provoke a response. */
function hintFor(status: number): string {
  if (status === 400) return 'send a body that lacks a required field, or has an invalid value';
  // A missing or unknown key belongs to no sandbox, and therefore to no report.
  if (status === 401) {
    return 'use a key of this sandbox that has expired or was revoked: SANDBOX_REVOKED_KEY in exec, revokedKey() in a test';
  }
  if (status === 404) return 'ask for an id that no pet has';
  return 'call it once with a valid request';
}
