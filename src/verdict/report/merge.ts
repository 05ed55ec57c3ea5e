/**
 * Reports of several sandboxes, shards or jobs as one: whatever one of them saw was seen, whatever one of them failed by
 * fails, and whatever leaves one of them incomplete leaves it incomplete.
 */

import { operationNames } from '../../base/generated/facts.ts';
import { counted } from '../../base/text.ts';
import { mergedAccounts } from '../../traffic/account.ts';
import { findingKey, MAX_GROUP_REQUESTS } from '../../traffic/groups.ts';
import { advised, foundAbout } from './findings.ts';
import { type Finding, type FindingKind, verdictOf } from './kinds.ts';
import { concluded, nothingSeenIn, type OperationReport, type Report, type Unconcluded } from './report.ts';

export interface NamedReport {
  /** Its file, or the label of its sandbox. */
  readonly name: string;
  readonly report: Report;
}

export interface MergeOptions {
  /** Whether warnings fail it, even if they fail none of the reports. */
  readonly strict?: boolean;
  /** Reports that could not be read, each with its cause: they leave the verdict incomplete. */
  readonly unusable?: readonly string[];
  /** Whether each must have seen a request, as a shard must, and not only all of them together, or at least each that has any. */
  readonly eachSees?: 'all' | 'active';
}

type MergedSource = NonNullable<Report['merged']>['reports'][number];

/** @param given at least one */
export function mergedReport(
  given: readonly NamedReport[],
  { strict = false, unusable = [], eachSees }: MergeOptions = {},
): Report {
  const { taken, duplicates, overlapping } = distinct(given);
  const sources = taken.flatMap(sourcesOf);
  const merged = {
    reports: sources,
    duplicates: [...taken.flatMap(({ report }) => report.merged?.duplicates ?? []), ...duplicates],
  };
  const union = unionOf(taken.map(({ report }) => report));
  // If all of them together saw nothing, that is reported already.
  const nothing = nothingSeenIn(union);
  const isShown = ({ account }: Report, { kind, message }: Finding): boolean =>
    kind !== 'nothingSeen' ||
    (message !== nothing && (eachSees === 'all' || (eachSees === 'active' && account.total > 0)));
  return concluded({
    ...{ ...union, strict: strict || given.some(({ report }) => report.strict), merged },
    findings: [
      ...mergedFindings(
        taken.flatMap(({ report }) => report.findings.filter(({ kind }) => !OF_ONE.has(kind) && kind !== 'unsearched')),
      ),
      ...withNames(
        taken.flatMap(({ name, report }) =>
          [...report.findings.filter((each) => isShown(report, each)), ...unexplainedIn(report)]
            .filter(({ kind }) => OF_ONE.has(kind))
            .map(({ kind, message }) => ({ name, message, kind: kind === 'notCounted' ? kind : 'incomplete' })),
        ),
      ),
      ...overlapping.failed.map((message) => about('notCounted', message)),
      ...[...overlapping.others, ...unusable].map((message) => about('incomplete', message)),
    ],
  });
}

/** What a report says of itself: it is kept with its name. */
const OF_ONE: ReadonlySet<FindingKind> = new Set(['notCounted', 'nothingSeen', 'incomplete']);

type OfOne = 'notCounted' | 'incomplete';

const about = (kind: OfOne, message: string) =>
  advised(foundAbout(kind, kind === 'notCounted' ? 'not-counted' : kind, message));

/** `no request was seen (a.json, b.json)` */
function withNames(said: readonly { readonly name: string; readonly message: string; readonly kind: OfOne }[]) {
  const names = new Map<string, { readonly kind: OfOne; readonly message: string; readonly of: string[] }>();
  for (const { name, kind, message } of said) {
    const key = `${kind} ${message}`;
    const group = names.get(key) ?? { kind, message, of: [] };
    group.of.push(name);
    names.set(key, group);
  }
  return [...names.values()].map(({ kind, message, of }) => about(kind, `${message} (${namesInShort(of)})`));
}

/** A verdict that is worse than what was found, as in a file that somebody wrote. */
function unexplainedIn({ verdict, findings }: Report): Pick<Finding, 'kind' | 'message'>[] {
  if (verdict === 'pass' || SEVERITY[verdictOf(findings)] >= SEVERITY[verdict]) return [];
  return [
    { kind: verdict === 'fail' ? 'notCounted' : 'incomplete', message: `the verdict of the report is ${verdict}` },
  ];
}

const sourcesOf = ({ name, report }: NamedReport): readonly MergedSource[] => {
  const { sandbox, run, since, createdAt, verdict, merged } = report;
  return merged?.reports ?? [{ name, sandbox, run, since, createdAt, verdict }];
};

/** The requests of a sandbox are counted from `since` on, so a later report of it contains an earlier one, and those of its runs. */
const holds = (holder: MergedSource, { sandbox, run, since }: MergedSource): boolean =>
  holder.sandbox === sandbox &&
  (holder.run === run ? holder.since === since : holder.run === null && Date.parse(holder.since) <= Date.parse(since));

const SEVERITY = { pass: 0, incomplete: 1, fail: 2 } as const;

/** The reports that are to be counted, in the order in which they were given, and those that another one contains. */
function distinct(given: readonly NamedReport[]) {
  const holders: MergedSource[] = [];
  const chosen = new Set<NamedReport>();
  const duplicates: string[] = [];
  const overlapping: { readonly failed: string[]; readonly others: string[] } = { failed: [], others: [] };
  // What was merged cannot be taken apart, and of one sandbox the latest report of all runs has it all.
  const inOrder = [...given].sort(
    ({ report: a }, { report: b }) =>
      (b.merged?.reports.length ?? 1) - (a.merged?.reports.length ?? 1) ||
      Number(a.run !== null) - Number(b.run !== null) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
      SEVERITY[b.verdict] - SEVERITY[a.verdict],
  );
  for (const each of inOrder) {
    const sources = sourcesOf(each);
    const known = sources.flatMap((source) => {
      const holder = holders.find((each) => holds(each, source));
      return holder ? [{ source, holder }] : [];
    });
    const [first] = known;
    if (!first) {
      chosen.add(each);
      for (const source of sources) holders.push({ ...source, name: each.name });
      continue;
    }
    const { source, holder } = first;
    const later = known.find((one) => Date.parse(one.source.createdAt) > Date.parse(one.holder.createdAt));
    if (known.length === sources.length && !later) {
      const why =
        each.name === holder.name ? 'it was given more than once' : `${holder.name} has it too: ${source.sandbox}`;
      duplicates.push(`${each.name} is counted once: ${why}`);
      continue;
    }
    const why = later
      ? `it is a later report of ${later.source.sandbox} than that in ${later.holder.name}, which holds others too; merge it with those`
      : `${known.length} of its ${counted(sources.length, 'report')} are in ${holder.name} too; merge what each of them was made of`;
    const { verdict } = each.report;
    if (verdict === 'fail') overlapping.failed.push(`${each.name} failed, and is not counted: ${why}`);
    else overlapping.others.push(`${each.name} is not counted: ${why}`);
  }
  return { taken: given.filter((each) => chosen.has(each)), duplicates, overlapping };
}

const MAX_NAMED_REPORTS = 5;

/** `a.json, b.json and 3 more` */
export function namesInShort(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED_REPORTS).join(', ');
  return names.length > MAX_NAMED_REPORTS ? `${shown} and ${names.length - MAX_NAMED_REPORTS} more` : shown;
}

/** @param reports at least one */
function unionOf(reports: readonly Report[]): Omit<Unconcluded, 'strict' | 'merged' | 'findings'> {
  const [first, ...others] = reports as [Report, ...Report[]];
  const { program, specification, sandbox, label } = first;
  const sum = (of: (report: Report) => number): number => reports.reduce((total, each) => total + of(each), 0);
  const count = sum(({ merged }) => merged?.reports.length ?? 1);
  return {
    ...{ program, specification, run: null, outcome: null },
    ...(others.length === 0 ? { sandbox, label } : { sandbox: counted(count, 'report'), label: null }),
    since: reports.reduce((earliest, { since }) => (since < earliest ? since : earliest), first.since),
    createdAt: reports.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), first.createdAt),
    account: mergedAccounts(reports.map(({ account }) => account)),
    exchanges: sum(({ counts }) => counts.exchanges),
    operations: operationNames.flatMap((name) =>
      mergedOperation(reports.flatMap(({ operations }) => operations.filter(({ operation }) => operation === name))),
    ),
    behavior: {
      exchanges: sum(({ behavior }) => behavior.exchanges),
      dropped: sum(({ behavior }) => behavior.dropped),
    },
  };
}

/** @returns none of none */
function mergedOperation(reports: readonly OperationReport[]): OperationReport[] {
  const [first] = reports;
  if (!first) return [];
  return [
    {
      ...first,
      responses: summed(reports.flatMap(({ responses }) => responses)),
      otherResponses: summed(reports.flatMap(({ otherResponses }) => otherResponses)),
    },
  ];
}

/** The counts of each status together. */
function summed<Count extends { readonly status: number }>(counts: readonly Count[]): Count[] {
  const byStatus = new Map<number, Count>();
  for (const each of counts) {
    const before = byStatus.get(each.status);
    const added = ([name, value]: [string, unknown]): [string, unknown] =>
      name === 'status' || typeof value !== 'number' ? [name, value] : [name, value + numberIn(before, name)];
    byStatus.set(each.status, before ? (Object.fromEntries(Object.entries(each).map(added)) as Count) : each);
  }
  return [...byStatus.values()];
}

const numberIn = (counts: object | undefined, name: string): number =>
  Number((counts as Record<string, unknown> | undefined)?.[name] ?? 0);

/** The occurrences of equal findings together. */
function mergedFindings(found: readonly Finding[]): Finding[] {
  const byKind = new Map<string, Finding>();
  for (const each of found) {
    // The days that are left differ from sandbox to sandbox, as their clocks do.
    const key = findingKey(each.kind === 'deprecated' ? { ...each, message: '' } : each);
    const before = byKind.get(key);
    byKind.set(key, before ? mergedFinding(before, each) : each);
  }
  return [...byKind.values()];
}

function mergedFinding(a: Finding, b: Finding): Finding {
  const [earlier, later] = firstTimeOf(a) <= firstTimeOf(b) ? [a, b] : [b, a];
  const last = lastTimeOf(earlier) <= lastTimeOf(later) ? later : earlier;
  return {
    ...earlier,
    count: a.count + b.count,
    requests: [...earlier.requests, ...later.requests].slice(0, MAX_GROUP_REQUESTS),
    last: last.last,
    lines: [...earlier.lines.slice(0, 1), ...last.lines.slice(-1)],
  };
}

const firstTimeOf = ({ lines: [first] }: Finding): string => first?.at ?? '';
const lastTimeOf = ({ lines }: Finding): string => lines.at(-1)?.at ?? '';
