/**
 * Reports of several sandboxes, shards or jobs as one: whatever one of them saw was seen, whatever one of them failed by
 * fails, and whatever leaves one of them incomplete leaves it incomplete.
 */

import { operationNames } from '../../base/generated/facts.ts';
import { groupedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import { mergedAccounts } from '../../traffic/account.ts';
import { findingKey, MAX_GROUP_REQUESTS } from '../../traffic/groups.ts';
import { advised, foundAbout } from './findings.ts';
import type { Finding, FindingKind } from './kinds.ts';
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
          report.findings
            .filter((each) => OF_ONE.has(each.kind) && isShown(report, each))
            .map(({ kind, message }) => ({ name, message, isFailure: kind === 'notCounted' })),
        ),
      ),
      ...overlapping,
      ...unusable.map((message) => about(message, false)),
    ],
  });
}

/** What a report says of itself: it is kept with its name. */
const OF_ONE: ReadonlySet<FindingKind> = new Set(['notCounted', 'nothingSeen', 'incomplete']);

const about = (message: string, isFailure: boolean) =>
  advised(
    isFailure ? foundAbout('notCounted', 'not-counted', message) : foundAbout('incomplete', 'incomplete', message),
  );

interface Said {
  /** Of the report that says it of itself. */
  readonly name: string;
  readonly message: string;
  readonly isFailure: boolean;
}

/** `no request was seen (a.json, b.json)` */
const withNames = (said: readonly Said[]) =>
  groupedBy(said, ({ isFailure, message }) => `${isFailure} ${message}`).map((all) => {
    const [{ message, isFailure }] = all as [Said];
    return about(`${message} (${namesInShort(all.map(({ name }) => name))})`, isFailure);
  });

const sourcesOf = ({ name, report }: NamedReport): readonly MergedSource[] => {
  const { sandbox, run, since, createdAt, verdict, merged } = report;
  return merged?.reports ?? [{ name, sandbox, run, since, createdAt, verdict }];
};

/**
 * The requests of a sandbox are counted from `since` on, so a later report of it contains an earlier one, and those of its
 * runs. A run begins later where its first requests have left the log.
 */
function holds(holder: MergedSource, { sandbox, run, since, createdAt }: MergedSource): boolean {
  if (holder.sandbox !== sandbox) return false;
  if (holder.run === null) return run === null ? holder.since === since : isInOrder(holder.since, since);
  return holder.run === run && isInOrder(holder.since, createdAt) && isInOrder(since, holder.createdAt);
}

const isInOrder = (earlier: string, later: string): boolean => Date.parse(earlier) <= Date.parse(later);

/** The reports that are to be counted, in the order in which they were given, and those that another one contains. */
function distinct(given: readonly NamedReport[]) {
  const holders: MergedSource[] = [];
  const chosen = new Set<NamedReport>();
  const duplicates: string[] = [];
  const overlapping: ReturnType<typeof about>[] = [];
  // What was merged cannot be taken apart, and of one sandbox the latest report of all runs has it all.
  const inOrder = [...given].sort(
    ({ report: a }, { report: b }) =>
      (b.merged?.reports.length ?? 1) - (a.merged?.reports.length ?? 1) ||
      Number(a.run !== null) - Number(b.run !== null) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );
  for (const each of inOrder) {
    const { name, report } = each;
    const sources = sourcesOf(each);
    const isHeld = (source: MergedSource, holder: MergedSource | undefined): boolean =>
      holder !== undefined && isInOrder(source.createdAt, holder.createdAt);
    const held = sources.map((source) => holders.find((holder) => holds(holder, source)));
    const holder = held.find((found) => found !== undefined)?.name;
    if (holder === undefined) {
      chosen.add(each);
      for (const source of sources) holders.push({ ...source, name });
    } else if (sources.every((source, at) => isHeld(source, held[at]))) {
      const why = name === holder ? 'it was given more than once' : `${holder} has it too: ${sources[0]?.sandbox}`;
      duplicates.push(`${name} is counted once: ${why}`);
    } else {
      const isFailure = report.verdict === 'fail';
      const why = `only a part of it is in ${holder}; merge what each of them was made of`;
      overlapping.push(about(`${name} ${isFailure ? 'failed, and ' : ''}is not counted: ${why}`, isFailure));
    }
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
const summed = <Count extends { readonly status: number }>(counts: readonly Count[]): Count[] =>
  groupedBy(counts, ({ status }) => String(status)).map((all) => all.reduce(sumOf));

function sumOf<Count extends { readonly status: number }>(a: Count, b: Count): Count {
  const sums = Object.entries(a).map(([name, value]) =>
    name === 'status' || typeof value !== 'number' ? [name, value] : [name, value + Number(b[name as keyof Count])],
  );
  return Object.fromEntries(sums) as Count;
}

/** The occurrences of equal findings together. The days that are left differ from sandbox to sandbox, as their clocks do. */
const mergedFindings = (found: readonly Finding[]): Finding[] =>
  groupedBy(found, (each) => findingKey(each.kind === 'deprecated' ? { ...each, message: '' } : each)).map((all) =>
    all.reduce(mergedFinding),
  );

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
