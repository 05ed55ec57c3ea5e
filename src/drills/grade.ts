/** Grades a client by a drill: what each check found, and the verdict of all. A pure function of the evidence. */
import type { Schema } from '../client/routes.ts';
import type { DrillResult } from '../client/run-drill.ts';
import { counted } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import { accountKindOf, accountOf } from '../requests/account.ts';
import { exchangeSummaryOf } from '../requests/shown.ts';
import type { Check, Drill, Evidence } from './drill.ts';

export type CheckResult = Schema<'DrillCheckResult'>;

/** Requests that are shown of a drill, and of a check. */
const MAX_GRADED_REQUESTS = 200;
const MAX_EVIDENCE = 20;

/** @param startedAt in milliseconds since 1970 */
export function gradeDrill(
  drill: Drill,
  evidence: Evidence,
  { strict, startedAt }: { readonly strict: boolean; readonly startedAt: number },
): DrillResult {
  const { id, group, title, task } = drill;
  const { outcome, exchanges, dropped, petName, petId } = evidence;
  const checks = drill.checks.map((check) => checkResultOf(check, evidence));
  return {
    drill: id,
    group,
    title,
    task,
    petName: petName || null,
    petId: petId?.toString() ?? null,
    strict,
    startedAt: isoTime(startedAt),
    outcome: outcome === undefined ? null : { ...outcome, at: isoTime(outcome.at) },
    ...verdictOf(checks, {
      isMet: drill.isMet(evidence),
      hasOutcome: outcome !== undefined,
      unknown: unknownIn(evidence),
      strict,
    }),
    account: accountOf([
      ...exchanges.map((each) => ({ ...accountKindOf(each), count: 1 })),
      { kind: 'dropped', count: dropped, reason: 'no longer in the request log' },
    ]),
    checks,
    requests: exchanges.slice(0, MAX_GRADED_REQUESTS).map(exchangeSummaryOf),
  };
}

function checkResultOf({ grade, ...check }: Check, evidence: Evidence): CheckResult {
  const { status, words, measured = null, expected = null, exchanges = [] } = grade(evidence);
  const requests = exchanges.slice(0, MAX_EVIDENCE).map((exchange) => exchange.id);
  return { ...check, status, words, measured, expected, requests };
}

/** What the client may have sent besides what was graded; `undefined` if nothing. */
function unknownIn({ exchanges, dropped }: Evidence): string | undefined {
  const unread = exchanges.filter(({ malformed }) => malformed !== undefined).length;
  if (dropped > 0) return `the request log has dropped ${counted(dropped, 'request')} of the drill; send fewer`;
  return unread > 0 ? `${counted(unread, 'request')} could not be read; see the contract report` : undefined;
}

/** Nothing counts of a client that never met what goes wrong; a failed `must` then counts whatever else is missing. */
function verdictOf(
  checks: readonly CheckResult[],
  {
    isMet,
    hasOutcome,
    unknown,
    strict,
  }: { isMet: boolean; hasOutcome: boolean; unknown: string | undefined; strict: boolean },
): Pick<DrillResult, 'verdict' | 'reason'> {
  if (!isMet) return { verdict: 'incomplete', reason: 'the client never met what goes wrong' };
  const failed = checks.filter(({ status, level }) => status === 'fail' && (level === 'must' || strict));
  if (failed.length > 0) return { verdict: 'fail', reason: failed.map(({ words }) => words).join('; ') };
  if (!hasOutcome) return { verdict: 'incomplete', reason: 'the outcome is not known' };
  if (unknown !== undefined) return { verdict: 'incomplete', reason: unknown };
  const left = checks.filter(({ status }) => status === 'open');
  if (left.length > 0) return { verdict: 'incomplete', reason: left.map(({ words }) => words).join('; ') };
  const [main] = checks;
  if (main?.status === 'skipped') return { verdict: 'not-applicable', reason: main.words };
  return { verdict: 'pass', reason: null };
}
