/**
 * Reports of several sandboxes, shards or jobs as one: whatever one of them saw was seen, whatever one of them failed by
 * fails, and whatever leaves one of them incomplete leaves it incomplete.
 */
import { SANDBOX_PREFIX } from '../core/address.ts';
import { counted } from '../core/text.ts';
import { operationNames } from '../generated/facts.ts';
import { mergedAccounts } from '../requests/account.ts';
import { MAX_GROUP_REQUESTS } from '../requests/groups.ts';
import type { Occurrences } from './findings.ts';
import { concluded, conclusionOf, type Findings, type OperationReport, type Report } from './report.ts';

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
  const findings: Findings = {
    ...unionOf(taken.map(({ report }) => report)),
    strict: strict || given.some(({ report }) => report.strict),
    merged,
  };
  const { totals, broken, gaps } = conclusionOf(findings, serverOf(sources));
  const claims = taken.map((each) => claimsOf(each));
  // Where all of them together saw nothing, that is said already.
  const seers = claims.filter(({ isActive }) => eachSees === 'all' || (eachSees === 'active' && isActive));
  const blind = grouped(
    seers.map(({ name, blind: of }) => ({ name, reasons: of.filter((each) => !gaps.includes(each)) })),
  );
  return concluded(findings, {
    totals,
    broken: [
      ...broken,
      ...grouped(claims.map(({ name, broken: of }) => ({ name, reasons: of }))),
      ...overlapping.failed,
    ],
    gaps: [
      ...gaps,
      ...blind,
      ...grouped(claims.map(({ name, gaps: of }) => ({ name, reasons: of }))),
      ...overlapping.others,
      ...unusable,
    ],
  });
}

const NOTHING_SEEN = /^no (?:request|documented response) was seen$/;

/** Only reports on HARs are about other servers. */
const serverOf = (sources: readonly MergedSource[]): string =>
  sources.every(({ sandbox }) => sandbox.startsWith(SANDBOX_PREFIX)) ? 'sandbox' : 'server';

const sourcesOf = ({ name, report }: NamedReport): readonly MergedSource[] => {
  const { sandbox, since, createdAt, verdict, merged } = report;
  return merged?.reports ?? [{ name, sandbox, since, createdAt, verdict }];
};

/** The requests of a sandbox are counted from `since` on, so a later report of it contains an earlier one. */
const keyOf = ({ sandbox, since }: MergedSource): string => `${sandbox}\n${since}`;

const SEVERITY = { pass: 0, incomplete: 1, fail: 2 } as const;

/** The reports that are to be counted, in the order in which they were given, and those that another one contains. */
function distinct(given: readonly NamedReport[]) {
  const holders = new Map<string, { readonly name: string; readonly createdAt: string }>();
  const chosen = new Set<NamedReport>();
  const duplicates: string[] = [];
  const overlapping: { readonly failed: string[]; readonly others: string[] } = { failed: [], others: [] };
  // What was merged cannot be taken apart, and of one sandbox the latest report has it all.
  const inOrder = [...given].sort(
    ({ report: a }, { report: b }) =>
      (b.merged?.reports.length ?? 1) - (a.merged?.reports.length ?? 1) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt) ||
      SEVERITY[b.verdict] - SEVERITY[a.verdict],
  );
  for (const each of inOrder) {
    const sources = sourcesOf(each);
    const known = sources.flatMap((source) => {
      const holder = holders.get(keyOf(source));
      return holder ? [{ source, holder }] : [];
    });
    const [first] = known;
    if (!first) {
      chosen.add(each);
      for (const source of sources) holders.set(keyOf(source), { name: each.name, createdAt: source.createdAt });
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

/** What a report says of itself beyond its counts: these reasons are kept, with its name. */
function claimsOf({ name, report }: NamedReport) {
  const { verdict, reasons, incompleteReasons } = report;
  const own = conclusionOf(report, serverOf(sourcesOf({ name, report })));
  const gaps = incompleteReasons.filter((reason) => !own.gaps.includes(reason));
  const broken = reasons.filter((each) => !incompleteReasons.includes(each) && !own.broken.includes(each));
  const unexplained = [`the verdict of the report is ${verdict}`];
  return {
    name,
    isActive: report.account.total > 0,
    blind: own.gaps.filter((gap) => NOTHING_SEEN.test(gap)),
    broken: verdict === 'fail' && own.broken.length + broken.length === 0 ? unexplained : broken,
    gaps: verdict === 'incomplete' && own.gaps.length + gaps.length === 0 ? unexplained : gaps,
  };
}

const MAX_NAMED = 5;

/** `a.json, b.json and 3 more` */
export function namesInShort(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}

/** `no request was seen (a.json, b.json)` */
function grouped(claims: readonly { readonly name: string; readonly reasons: readonly string[] }[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, reasons } of claims)
    for (const reason of reasons)
      names
        .set(reason, names.get(reason) ?? [])
        .get(reason)
        ?.push(name);
  return [...names].map(([reason, of]) => `${reason} (${namesInShort(of)})`);
}

/** @param reports at least one */
function unionOf(reports: readonly Report[]): Omit<Findings, 'strict' | 'merged'> {
  const [first, ...others] = reports as [Report, ...Report[]];
  const { program, specification, sandbox, label } = first;
  const all = <T>(of: (report: Report) => readonly T[]): T[] => reports.flatMap(of);
  const sum = (of: (report: Report) => number): number => reports.reduce((total, each) => total + of(each), 0);
  const count = sum(({ merged }) => merged?.reports.length ?? 1);
  return {
    ...{ program, specification, run: null, lastRun: null },
    ...(others.length === 0 ? { sandbox, label } : { sandbox: counted(count, 'report'), label: null }),
    since: reports.reduce((earliest, { since }) => (since < earliest ? since : earliest), first.since),
    createdAt: reports.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), first.createdAt),
    account: mergedAccounts(reports.map(({ account }) => account)),
    operations: operationNames.flatMap((name) =>
      mergedOperation(all(({ operations }) => operations.filter(({ operation }) => operation === name))),
    ),
    noOperationStatuses: summed(all((report) => report.noOperationStatuses)),
    noOperation: mergedOccurrences(all((report) => report.noOperation)),
    malformed: mergedOccurrences(all((report) => report.malformed)),
    unmatched: mergedOccurrences(all((report) => report.unmatched)),
    behavior: {
      exchanges: sum(({ behavior }) => behavior.exchanges),
      dropped: sum(({ behavior }) => behavior.dropped),
      found: mergedOccurrences(all(({ behavior }) => behavior.found)),
      lostCreations: mergedOccurrences(all(({ behavior }) => behavior.lostCreations)),
    },
    untriggeredFaults: all((report) => report.untriggeredFaults),
  };
}

/** @returns none of none */
function mergedOperation(reports: readonly OperationReport[]): OperationReport[] {
  const [first] = reports;
  if (!first) return [];
  const all = <T>(of: (report: OperationReport) => readonly T[]): T[] => reports.flatMap(of);
  return [
    {
      ...first,
      responses: summed(all(({ responses }) => responses)),
      otherResponses: summed(all(({ otherResponses }) => otherResponses)),
      skipped: reports.reduce((sum, { skipped }) => sum + skipped, 0),
      violations: mergedOccurrences(all(({ violations }) => violations)),
      rejected: mergedOccurrences(all(({ rejected }) => rejected)),
      brokenResponses: mergedOccurrences(all(({ brokenResponses }) => brokenResponses)),
      warnings: mergedOccurrences(all(({ warnings }) => warnings)),
      expectedInvalid: mergedOccurrences(all(({ expectedInvalid }) => expectedInvalid)),
      rounded: mergedOccurrences(all(({ rounded }) => rounded)),
      injectedFaults: mergedOccurrences(all(({ injectedFaults }) => injectedFaults)),
      validationFailures: mergedOccurrences(all(({ validationFailures }) => validationFailures)),
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
function mergedOccurrences<Found extends Occurrences>(found: readonly Found[]): Found[] {
  const byKind = new Map<string, Found>();
  for (const each of found) {
    const kind = mergeKeyOf(each);
    const before = byKind.get(kind);
    byKind.set(kind, before ? mergedFound(before, each) : each);
  }
  return [...byKind.values()];
}

/** The days that are left differ from sandbox to sandbox, as their clocks do. */
const DAYS_LEFT = /; [\d,]+ days? (?:is|are) left by the sandbox's clock$/;

/** Equal for findings that differ only in their requests. */
function mergeKeyOf(found: Occurrences): string {
  const { sample, count, requests, last, lines, ...finding } = found;
  const { title, fix, message, ...rest } = finding as { title?: string; fix?: string; message?: string };
  return JSON.stringify([message?.replace(DAYS_LEFT, ''), Object.entries(rest).sort()]);
}

function mergedFound<Found extends Occurrences>(a: Found, b: Found): Found {
  const [earlier, later] = firstTimeOf(a) <= firstTimeOf(b) ? [a, b] : [b, a];
  const last = lastLineOf(earlier).at <= lastLineOf(later).at ? later : earlier;
  return {
    ...earlier,
    count: a.count + b.count,
    requests: [...earlier.requests, ...later.requests].slice(0, MAX_GROUP_REQUESTS),
    last: last.last,
    lines: [...earlier.lines.slice(0, 1), lastLineOf(last)],
  };
}

const firstTimeOf = ({ lines: [first] }: Occurrences): string => first?.at ?? '';
const lastLineOf = ({ lines }: Occurrences): Occurrences['lines'][number] =>
  lines.at(-1) as Occurrences['lines'][number];
