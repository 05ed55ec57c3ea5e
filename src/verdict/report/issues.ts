/** The issues of a client: each kind of finding of its report once, and how it differs from the run before. */
import type { components } from '../../base/generated/control-api.d.ts';
import type { Changes } from './changes.ts';
import { type Finding, KINDS } from './kinds.ts';
import type { Report } from './report.ts';

type Issues = components['schemas']['Issues'];
type Issue = components['schemas']['Issue'];

/** @param changes since the run before; `undefined` without one */
export function issuesOf({ verdict, reasons, findings }: Report, changes: Changes | undefined): Issues {
  const issueOf = (finding: Finding, change: Issue['change']): Issue => {
    const label = finding.sample?.status === 410 ? 'Removed' : (KINDS[finding.kind].issue as string);
    return { ...finding, label, change };
  };
  const all = findings
    .filter(({ kind }) => KINDS[kind].issue !== undefined)
    .map((finding) => issueOf(finding, changes?.of(finding) ?? null));
  const fixed = (changes?.fixed ?? []).map((finding) => issueOf(finding, 'fixed'));
  return {
    ...{ verdict, reasons },
    issues: [...all.filter(({ level }) => level !== 'note'), ...fixed],
    notes: all.filter(({ level }) => level === 'note'),
  };
}
