/** What was found, in the form in which it is listed. */
import { operationNames } from '../../base/generated/facts.ts';
import type { Found } from '../../traffic/groups.ts';
import { fixOf } from '../../traffic/instead.ts';
import { type Finding, type FindingKind, findingKinds, levelOf } from './kinds.ts';
import { ruleOf } from './rules.ts';

/** A finding that no request shows. */
export const foundAbout = (kind: FindingKind, rule: string, message: string): Found => ({
  ...{ kind, rule, operation: null, location: 'report', message, pointer: '#/paths' },
  ...{ sample: null, count: 1, requests: [], last: null, lines: [] },
});

/** Findings by kind, then by operation, each with its level. */
export const leveled = (found: readonly Omit<Finding, 'level'>[], strict: boolean): Finding[] =>
  findingKinds.flatMap((kind) => {
    const ofKind = found.filter((each) => each.kind === kind);
    return [...operationNames, null].flatMap((name) =>
      ofKind.filter(({ operation }) => operation === name).map((each) => ({ ...each, level: levelOf(kind, strict) })),
    );
  });

/** A finding with its title and what to do. Its level depends on the report that it is in. */
export function advised({ fix, ...found }: Found): Omit<Finding, 'level'> {
  const { title, help } = ruleOf(found.rule);
  return { ...found, title, fix: fix ?? (found.sample && fixOf(found.sample)) ?? help };
}

/** How many there are, in words; nothing of none. */
export const some = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`];

/** Days from now until a time, both in milliseconds since 1970; a part of a day counts as one. */
export const daysUntil = (time: number, now: number): number => Math.ceil((time - now) / 86_400_000);
