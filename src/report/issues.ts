/** The issues of a client: each kind of finding of its report once, and whether it is fixed. */
import { type Exchange, isSkipped } from '../api/exchange.ts';
import type { components } from '../generated/control-api.d.ts';
import { inOrder } from '../requests/attempts.ts';
import { QUIET_MS } from '../requests/runs.ts';
import { type Finding, KINDS } from './kinds.ts';
import type { Report } from './report.ts';

type Issues = components['schemas']['Issues'];
type Issue = components['schemas']['Issue'];

/** @param exchanges of the report @param now real time, in milliseconds since 1970 */
export function issuesOf({ verdict, reasons, findings }: Report, exchanges: readonly Exchange[], now: number): Issues {
  const log = inOrder(exchanges.filter((each) => !isSkipped(each)));
  const places = new Map(log.map(({ id }, place) => [id, place]));
  const all = findings
    .filter(({ kind }) => KINDS[kind].issue !== undefined)
    .map((finding): Issue => {
      const { kind, last, sample } = finding;
      const label = sample?.status === 410 ? 'Removed' : (KINDS[kind].issue as string);
      return { ...finding, label, state: stateOf(finding, log, places.get(last ?? '') ?? log.length, now) };
    });
  const issues = all.filter(({ level }) => level !== 'note');
  return {
    ...{ verdict, reasons },
    issues: [...issues.filter(({ state }) => state !== 'fixed'), ...issues.filter(({ state }) => state === 'fixed')],
    notes: all.filter(({ level }) => level === 'note'),
  };
}

/**
 * Fixed only by a whole later run: a test suite makes the same mistake in every run.
 * @param log the oldest first @param place of its last request there
 */
function stateOf({ operation }: Finding, log: readonly Exchange[], place: number, now: number): Issue['state'] {
  const newest = log.at(-1) as Exchange;
  let state: Issue['state'] = 'open';
  for (let at = log.length - 1; at > place && state !== 'fixed'; at -= 1) {
    const { operation: called, run } = log[at] as Exchange;
    if (called !== operation) continue;
    const isOver = run !== newest.run || now - newest.respondedAt >= QUIET_MS;
    state = isOver && run !== log[place]?.run ? 'fixed' : 'not-seen';
  }
  return state;
}
