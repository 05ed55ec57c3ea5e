/**
 * The findings of exchanges by a specification, as the report, that of a HAR and a preview list them: `Tallies` counts the
 * exchanges with their verdicts by today's specification or by another one, and this lists what it counted.
 */
import type { Violation } from '../api/exchange.ts';
import type { components } from '../generated/control-api.d.ts';
import { type FindingGroup, lineOf, MAX_GROUP_REQUESTS } from '../requests/groups.ts';
import type { OperationTally } from '../requests/tallies.ts';
import { advised } from './rules.ts';

/** The occurrences of a finding: their number, and their requests (the first ones, and the last). */
export type Occurrences = components['schemas']['Occurrences'];

/** The violations in requests for an operation. @param isTaken which statuses */
export const violationsIn = (tally: OperationTally | undefined, isTaken?: (status: number) => boolean) =>
  found(tally?.violations, isTaken)
    .filter(isOfRequest)
    .map((each) => advised(`request/${each.rule}`, each));

export const isOfRequest = ({ side }: Pick<Violation, 'side'>): boolean => side === 'request';

/** Groups of findings as a report lists them. */
interface AnyGroups<Finding> {
  all(): readonly Readonly<FindingGroup<Finding>>[];
}

/** Findings that differ in nothing but the status of the response are one. @param isTaken which statuses */
export function found<Finding extends object>(
  groups: AnyGroups<Finding> | undefined,
  isTaken: (status: number) => boolean = () => true,
): (Finding & Occurrences)[] {
  const merged = new Map<string, Readonly<FindingGroup<Finding>>>();
  for (const group of groups?.all() ?? []) {
    if (!isTaken(group.sample.status)) continue;
    const key = JSON.stringify(group.finding);
    const before = merged.get(key);
    merged.set(key, before ? mergedGroups(before, group) : group);
  }
  return [...merged.values()].map(({ finding, sample, count, requests, ends: [first, last] }) => ({
    ...finding,
    sample,
    count,
    requests: requests.map(({ id }) => id),
    last: last.id,
    lines: (first.id === last.id ? [first] : [first, last]).map(lineOf),
  }));
}

function mergedGroups<Finding>(
  a: Readonly<FindingGroup<Finding>>,
  b: Readonly<FindingGroup<Finding>>,
): Readonly<FindingGroup<Finding>> {
  const [earlier] = a.ends[0].at <= b.ends[0].at ? [a, b] : [b, a];
  return {
    ...earlier,
    count: a.count + b.count,
    requests: [...a.requests, ...b.requests].sort((one, other) => one.at - other.at).slice(0, MAX_GROUP_REQUESTS),
    ends: [earlier.ends[0], a.ends[1].at <= b.ends[1].at ? b.ends[1] : a.ends[1]],
  };
}

/** How many there are, in words; nothing of none. */
export const some = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`];

/** Days from now until a time, both in milliseconds since 1970; a part of a day counts as one. */
export const daysUntil = (time: number, now: number): number => Math.ceil((time - now) / 86_400_000);
