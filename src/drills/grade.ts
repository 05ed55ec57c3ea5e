/** Grades a client by a drill: what each check found, and the verdict of all. A pure function of the evidence. */
import type { Schema } from '../client/routes.ts';
import { isoTime } from '../core/time.ts';
import { accountOf, kindOf } from '../requests/account.ts';
import { summaryOf } from '../requests/shown.ts';
import type { Check, Drill, Evidence } from './drill.ts';

export type DrillResult = Schema<'DrillResult'>;
export type CheckResult = Schema<'DrillCheckResult'>;

/** Requests that are shown of a drill, and of a check. */
const MAX_SHOWN = 200;
const MAX_EVIDENCE = 20;

/** @param startedAt in milliseconds since 1970 */
export function gradeDrill(
  drill: Drill,
  evidence: Evidence,
  { strict, startedAt }: { readonly strict: boolean; readonly startedAt: number },
): DrillResult {
  const { id, group, title, task } = drill;
  const { outcome, exchanges, petName, petId } = evidence;
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
    ...verdictOf(checks, { isMet: drill.isMet(evidence), hasOutcome: outcome !== undefined, strict }),
    account: accountOf(exchanges.map((each) => ({ ...kindOf(each), count: 1 }))),
    checks,
    requests: exchanges.slice(0, MAX_SHOWN).map(summaryOf),
  };
}

function checkResultOf({ grade, ...check }: Check, evidence: Evidence): CheckResult {
  const { status, words, measured = null, expected = null, exchanges = [] } = grade(evidence);
  const requests = exchanges.slice(0, MAX_EVIDENCE).map((exchange) => exchange.id);
  return { ...check, status, words, measured, expected, requests };
}

/** Nothing counts of a client that never met what goes wrong; a failed `must` then counts whatever else is missing. */
function verdictOf(
  checks: readonly CheckResult[],
  { isMet, hasOutcome, strict }: { isMet: boolean; hasOutcome: boolean; strict: boolean },
): Pick<DrillResult, 'verdict' | 'reason'> {
  if (!isMet) return { verdict: 'incomplete', reason: 'the client never met what goes wrong' };
  const failed = checks.filter(({ status, level }) => status === 'fail' && (level === 'must' || strict));
  if (failed.length > 0) return { verdict: 'fail', reason: failed.map(({ words }) => words).join('; ') };
  if (!hasOutcome) return { verdict: 'incomplete', reason: 'the outcome is not known' };
  const left = checks.filter(({ status }) => status === 'open');
  if (left.length > 0) return { verdict: 'incomplete', reason: left.map(({ words }) => words).join('; ') };
  const [main] = checks;
  if (main?.status === 'skipped') return { verdict: 'not-graded', reason: main.words };
  return { verdict: 'pass', reason: null };
}
