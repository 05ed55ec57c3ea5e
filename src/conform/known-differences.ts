/** Accepted differences: rules to ignore, and a list of known differences that must still occur. */

import { notKnown, quoted } from '../core/text.ts';
import { SettingsError } from '../settings/settings.ts';
import type { ConformDifference } from './inspection.ts';
import { basisOf, type ConformRule, RULES, ruleNames } from './rules.ts';

/** One line of the list. */
export interface KnownDifference {
  readonly rule: ConformRule;
  /** The name of the check that finds it; any check if omitted. */
  readonly check?: string;
}

/** Differences that are not failures. */
export interface Acceptance {
  /** Only the specification counts: the sandbox's decisions are ignored. */
  readonly specificationOnly: boolean;
  readonly ignored: ReadonlySet<ConformRule>;
  readonly known: readonly KnownDifference[];
}

/** How one difference was accepted. */
export type Accepted = 'ignored' | 'known';

/** @returns `undefined` if the difference is a failure, `'left out'` if it does not count at all */
export function acceptanceOf(
  { rule }: Pick<ConformDifference, 'rule'>,
  check: string,
  { specificationOnly, ignored, known }: Acceptance,
): Accepted | 'left out' | undefined {
  if (specificationOnly && basisOf(rule) === 'sandbox') return 'left out';
  if (ignored.has(rule)) return 'ignored';
  return known.some((each) => concerns(each, rule, check)) ? 'known' : undefined;
}

const concerns = (known: KnownDifference, rule: ConformRule, check: string): boolean =>
  known.rule === rule && (known.check === undefined || known.check === check);

/** The outcome of one check, used to find stale lines. */
interface CheckedRules {
  readonly name: string;
  readonly rule: ConformRule;
  readonly wasSkipped: boolean;
  readonly differences: readonly Pick<ConformDifference, 'rule'>[];
}

/** The known differences that no longer occur. A line whose check was skipped is not stale: its state is unknown. */
export function staleAmong(known: readonly KnownDifference[], outcomes: readonly CheckedRules[]): KnownDifference[] {
  return known.filter((each) => {
    const found = outcomes.some(({ name, differences }) => differences.some(({ rule }) => concerns(each, rule, name)));
    return !found && checkedPlaces(each, outcomes).every(({ wasSkipped }) => !wasSkipped);
  });
}

function checkedPlaces({ rule, check }: KnownDifference, outcomes: readonly CheckedRules[]): readonly CheckedRules[] {
  if (check !== undefined) return outcomes.filter(({ name }) => name === check);
  const own = outcomes.filter((outcome) => outcome.rule === rule);
  return own.length > 0 ? own : outcomes;
}

/** `rule: check`, as printed by the text format. */
export const differenceLine = ({ rule, check }: KnownDifference): string =>
  check === undefined ? rule : `${rule}: ${check}`;

/**
 * The known differences of a list: `rule: check` or `rule`.
 * @param checks the names of all checks
 * @throws {SettingsError} naming the line
 */
export function readKnownDifferences(
  lines: readonly { readonly text: string; readonly at: string }[],
  checks: readonly string[],
): KnownDifference[] {
  return lines.map(({ text, at }) => {
    const [, name = '', check] = /^([^:]+)(?:: (.+))?$/.exec(text) ?? [];
    if (!isRule(name)) throw new SettingsError(`${at}: the rule ${quoted(name)} ${notKnown(name, ruleNames)}`);
    if (check !== undefined && !checks.includes(check))
      throw new SettingsError(`${at}: there is no check named ${quoted(check, 100)}`);
    return { rule: name, ...(check !== undefined && { check }) };
  });
}

/** @throws {SettingsError} for an unknown rule */
export function readIgnored(names: readonly string[]): ReadonlySet<ConformRule> {
  return new Set(
    names.map((name) => {
      if (isRule(name)) return name;
      throw new SettingsError(`--ignore: the rule ${quoted(name)} ${notKnown(name, ruleNames)}`);
    }),
  );
}

const isRule = (name: string): name is ConformRule => Object.hasOwn(RULES, name);
