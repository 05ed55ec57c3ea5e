/** Groups of findings as a report lists them. */
import type { components } from '../generated/controls.d.ts';
import { type Group, MAX_REQUESTS } from '../sandbox/groups.ts';

type Occurrences = components['schemas']['Occurrences'];

interface AnyGroups<Finding> {
  all(): readonly Readonly<Group<Finding>>[];
}

/** Findings that differ in nothing but the status of the response are one. @param isTaken which statuses */
export function found<Finding extends object>(
  groups: AnyGroups<Finding> | undefined,
  isTaken: (status: number) => boolean = () => true,
): (Finding & Occurrences)[] {
  const merged = new Map<string, Finding & Occurrences>();
  for (const { finding, sample, count, requests, last } of groups?.all() ?? []) {
    if (!isTaken(sample.status)) continue;
    const key = JSON.stringify(finding);
    const before = merged.get(key);
    merged.set(key, {
      ...finding,
      sample: before?.sample ?? sample,
      count: (before?.count ?? 0) + count,
      requests: [...(before?.requests ?? []), ...requests].slice(0, MAX_REQUESTS),
      last,
    });
  }
  return [...merged.values()];
}
