/**
 * The contract report of one sandbox (design: the contract report): what its client tried, what of it broke the
 * document, and a verdict. These are the facts; the files beside this one write them down in four forms.
 */
import { isoTime } from '../clock.ts';
import type { components } from '../generated/controls.d.ts';
import { basePath, operations as described, type OperationName, operationNames } from '../generated/facts.ts';
import type { Group } from '../sandbox/groups.ts';
import type { OperationTally, Tallies } from '../sandbox/tallies.ts';

type Schemas = components['schemas'];

/** Described, member by member, in `spec/controls.yaml`. */
export type Report = Schemas['Report'];
/** One operation of the document, and what became of it. */
export type OperationReport = Schemas['ReportOperation'];
/** Where a finding was made: how often, and in which requests (the first ones, and the last). */
export type Occurrences = Schemas['Occurrences'];

export interface ReportOptions {
  readonly sandbox: { readonly id: string; readonly label: string | null };
  readonly tallies: Tallies;
  readonly strict: boolean;
  /** Real time in milliseconds since 1970. */
  readonly now: number;
}

/** The report as it stands. What is under way must be settled before. */
export function reportOf({ sandbox, tallies, strict, now }: ReportOptions): Report {
  const operations = operationNames.map((name) => operationReport(name, tallies.operations.get(name)));
  const unmatched = [...tallies.unmatched].map(([status, count]) => ({ status, count }));
  const totals = totalsOf(operations, unmatched);
  const broken = brokenBy(totals, strict);
  const gaps = [...gapsIn(totals), ...tallies.gaps];
  return {
    // What is certainly wrong comes before what is not certain.
    verdict: broken.length > 0 ? 'fail' : gaps.length > 0 ? 'incomplete' : 'pass',
    reasons: [...broken, ...gaps],
    gaps,
    strict,
    sandbox: sandbox.id,
    label: sandbox.label,
    since: isoTime(tallies.since),
    createdAt: isoTime(now),
    totals,
    coverage: coverageOf(operations),
    operations,
    unmatched,
  };
}

function operationReport(operation: OperationName, tally: OperationTally | undefined): OperationReport {
  const { method, path, deprecated, responses } = described[operation];
  const violations = found(tally?.violations);
  const descriptions: Readonly<Record<string, string>> = responses;
  const statuses = Object.keys(descriptions).map(Number);
  const counts = [...(tally?.answers ?? [])];
  return {
    operation,
    method: method.toUpperCase(),
    path: `${basePath}${path}`,
    deprecated,
    answers: statuses.map((status) => {
      const { given = 0, injected = 0 } = tally?.answers.get(status) ?? {};
      return { status, description: descriptions[status] ?? '', seen: given, injected };
    }),
    otherAnswers: counts
      .filter(([status]) => !statuses.includes(status))
      .map(([status, { given, injected }]) => ({ status, seen: given, injected })),
    notRefereed: tally?.notRefereed ?? 0,
    violations: violations.filter(({ side }) => side === 'request'),
    brokenAnswers: violations.filter(({ side }) => side === 'answer'),
    warnings: found(tally?.warnings),
    rounded: found(tally?.rounded),
    injected: found(tally?.injected),
    unjudged: found(tally?.unjudged),
  };
}

function found<Finding extends object>(
  groups: { all(): readonly Readonly<Group<Finding>>[] } | undefined,
): (Finding & Occurrences)[] {
  return (groups?.all() ?? []).map(({ finding, count, requests, last }) => ({
    ...finding,
    count,
    requests: [...requests],
    last,
  }));
}

function totalsOf(operations: readonly OperationReport[], unmatched: Report['unmatched']): Report['totals'] {
  const sum = (countOf: (operation: OperationReport) => number): number =>
    operations.reduce((all, operation) => all + countOf(operation), 0);
  const answered = (operation: OperationReport): number =>
    [...operation.answers, ...operation.otherAnswers].reduce((all, { seen, injected }) => all + seen + injected, 0);
  return {
    exchanges:
      sum((operation) => answered(operation) + operation.notRefereed) +
      unmatched.reduce((all, { count }) => all + count, 0),
    violations: sum(({ violations }) => countIn(violations)),
    brokenAnswers: sum(({ brokenAnswers }) => countIn(brokenAnswers)),
    warnings: sum(({ warnings }) => countIn(warnings.filter(({ rule }) => rule !== 'deprecated'))),
    deprecatedUses: sum(({ warnings }) => countIn(warnings.filter(({ rule }) => rule === 'deprecated'))),
    rounded: sum(({ rounded }) => countIn(rounded)),
    injected: sum(({ injected }) => countIn(injected)),
    unjudged: sum(({ unjudged }) => countIn(unjudged)),
  };
}

const countIn = (findings: readonly Occurrences[]): number => findings.reduce((all, { count }) => all + count, 0);

/** How the client broke the contract. */
function brokenBy({ violations, rounded, warnings, deprecatedUses }: Report['totals'], strict: boolean): string[] {
  return [
    ...some(violations, 'violation of the document', 'violations of the document'),
    ...some(rounded, 'large integer came back rounded', 'large integers came back rounded'),
    ...(strict ? some(warnings, 'warning', 'warnings') : []),
    ...(strict ? some(deprecatedUses, 'use of a deprecated operation', 'uses of deprecated operations') : []),
  ];
}

/** Why the totals prove less than they seem to. */
function gapsIn({ brokenAnswers, exchanges }: Report['totals']): string[] {
  return [
    // A client that never called proves nothing: its tests may not have run at all.
    ...(exchanges === 0 ? ['no request was seen'] : []),
    ...some(brokenAnswers, 'answer of the sandbox broke the document', 'answers of the sandbox broke the document'),
  ];
}

const some = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

function coverageOf(operations: readonly OperationReport[]): Report['coverage'] {
  const all = operations.flatMap(({ operation, answers }) => answers.map((answer) => ({ operation, ...answer })));
  const neverSeen = all
    .filter(({ seen }) => seen === 0)
    .map(({ operation, status }) => ({ operation, status, hint: hintFor(status) }));
  return { documented: all.length, seen: all.length - neverSeen.length, neverSeen };
}

/** How to get to see an answer. */
function hintFor(status: number): string {
  if (status === 400) return 'send a body that lacks a required field, or has an invalid value';
  // A missing or unknown key belongs to no sandbox, and so to no report.
  if (status === 401) return 'use a key of this sandbox that has expired or was revoked';
  if (status === 404) return 'ask for an id that no pet has';
  return 'call it once with a valid request';
}
