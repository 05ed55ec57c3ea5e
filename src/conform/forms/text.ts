/** The outcome as lines for people, differences first. Escape them before printing. */
import type { ClassifiedDifference, Conformance, ConformCheckResult } from '../conform.ts';
import { lineOf } from '../known-differences.ts';
import { type Basis, RULES, type Rule } from '../rules.ts';

export interface TextOptions {
  /** Include each check that is ok, accepted or skipped, and all differences in full. */
  readonly verbose: boolean;
}

/** A mistake in every response is shown in full this many times, then by name only. */
const SHOWN_IN_FULL = 5;

const HEADINGS: Readonly<Record<Basis, string>> = {
  specification: 'Differs from the specification:',
  sandbox: 'Differs from a sandbox decision (the specification is silent):',
};

/** All lines. */
export const textLines = (conformance: Conformance, options: TextOptions): readonly string[] => [
  ...basisLines('specification', conformance, options),
  ...basisLines('sandbox', conformance, options),
  ...staleLines(conformance),
  ...(options.verbose ? checkLines(conformance) : []),
  ...skippedLines(conformance),
  ...createdLines(conformance),
  summaryLine(conformance),
];

interface Found {
  readonly check: string;
  readonly difference: ClassifiedDifference;
}

/** The differences that are failures, by rule. */
function basisLines(basis: Basis, { results }: Conformance, options: TextOptions): string[] {
  const byRule = new Map<Rule, Found[]>();
  for (const { name, differences } of results) {
    for (const difference of differences) {
      if (difference.accepted !== undefined || difference.basis !== basis) continue;
      byRule.set(difference.rule, [...(byRule.get(difference.rule) ?? []), { check: name, difference }]);
    }
  }
  const rules = [...byRule].flatMap(([rule, found]) => ruleLines(rule, found, options));
  return rules.length === 0 ? [] : [HEADINGS[basis], '', ...rules];
}

/** The first line of each difference can be used as a line for `--expect`. */
function ruleLines(rule: Rule, found: readonly Found[], { verbose }: TextOptions): string[] {
  const checks = new Set(found.map(({ check }) => check)).size;
  return [
    `${rule}, in ${checks} check${checks === 1 ? '' : 's'}: ${RULES[rule].says}`,
    ...found.flatMap(({ check, difference: { sent, expected, got } }, at) => [
      `  ${lineOf({ rule, check })}`,
      ...(verbose || at < SHOWN_IN_FULL
        ? [`      sent      ${sent}`, `      expected  ${expected}`, `      got       ${got}`]
        : []),
    ]),
    '',
  ];
}

function staleLines({ stale }: Conformance): string[] {
  if (stale.length === 0) return [];
  return [
    'Known differences that are gone; take them off the list:',
    ...stale.map((known) => `  ${lineOf(known)}`),
    '',
  ];
}

/** Checks that are not failures, one per line. */
const checkLines = ({ results }: Conformance): string[] => [
  ...results.flatMap((result) => (result.outcome === 'differs' ? [] : [checkLine(result)])),
  '',
];

function checkLine({ name, section, outcome, reason, differences }: ConformCheckResult): string {
  const why = reason ?? [...new Set(differences.map(({ rule, accepted }) => `${rule} is ${accepted}`))].join(', ');
  return `${outcome.padEnd(8)}  ${section}: ${name}${why === '' ? '' : ` (${why})`}`;
}

/** The number of skipped checks by reason. */
function skippedLines({ results }: Conformance): string[] {
  const counts = new Map<string, number>();
  for (const { reason } of results) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (counts.size === 0) return [];
  return ['Skipped:', ...[...counts].map(([reason, count]) => `  ${String(count).padStart(4)}  ${reason}`)];
}

function createdLines({ created }: Conformance): string[] {
  const ids = created.flatMap(({ id }) => (id === null ? [] : [id]));
  const unknown = created.length - ids.length;
  return [
    ...(ids.length > 0 ? [`Pets created: ${ids.join(', ')}`] : []),
    ...(unknown > 0 ? [`Pets perhaps created, whose ids are not known: ${unknown}`] : []),
  ];
}

const VERDICTS = {
  conforms: 'conforms',
  differs: 'differs',
  stale: 'conforms, but known differences are gone',
  incomplete: 'was not checked to the end; nothing differs so far',
} as const;

/** The verdict and the figures, in one self-contained line. */
export function summaryLine({ url, verdict, counts, results, requests, stale }: Conformance): string {
  const failed = (basis: Basis): number =>
    results.filter(({ differences }) => differences.some((each) => each.basis === basis && each.accepted === undefined))
      .length;
  const gone = stale.length === 0 ? [] : [`${stale.length} stale`];
  const accepted = counts.accepted === 0 ? [] : [`${counts.accepted} accepted`];
  const figures = [
    `${results.length} checks`,
    `${counts.ok} ok`,
    `${failed('specification')} differ from the specification`,
    `${failed('sandbox')} from sandbox decisions`,
    ...accepted,
    ...gone,
    `${counts.skipped} skipped`,
  ];
  return `${url} ${VERDICTS[verdict]}: ${figures.join(', ')} (${requests} requests)`;
}
