/** Which requests the list shows, and which of them a client must change something for. */
import type { Summary } from './live.ts';

const hasViolation = ({ violations, operation }: Summary): boolean => violations.length > 0 || operation === null;

/** Rejected without breaking a rule of the specification: no such pet, a removed operation. */
const isRejectedRow = ({ status, injectedFault }: Summary): boolean => status >= 400 && injectedFault === null;

/** What this page sent is no mistake of the client, nor is what a test provokes on purpose. */
export const isFailingRow = (entry: Summary): boolean =>
  !entry.fromDashboard &&
  entry.kind !== 'expectedInvalid' &&
  (hasViolation(entry) || isRejectedRow(entry) || entry.kind === 'malformed');

/**
 * The requests of a run, newest first. What this page sent stands with the run that was going on. @param run `undefined`:
 * all of them
 */
export function inRun(entries: readonly Summary[], run: string | undefined): readonly Summary[] {
  if (run === undefined) return entries;
  let going: string | null = null;
  return entries
    .toReversed()
    .filter((entry) => {
      going = entry.run ?? going;
      return entry.run === null ? going === null || going === run : entry.run === run;
    })
    .reverse();
}

/** The next older failure; after the last one, the newest. @param entries newest first @param open the id of a request */
export function failureAfter(entries: readonly Summary[], open: string | undefined): Summary | undefined {
  const at = entries.findIndex(({ id }) => id === open);
  return entries.slice(at + 1).find(isFailingRow) ?? entries.find(isFailingRow);
}
