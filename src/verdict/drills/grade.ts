/** Grades a client by a drill: what each check found, and the verdict of all. A pure function of what the client sent. */

import { pointerTo } from '../../base/address.ts';
import { operations } from '../../base/generated/facts.ts';
import { counted } from '../../base/text.ts';
import { isoTime } from '../../base/time.ts';
import type { Schema } from '../../client/routes.ts';
import type { DrillResult } from '../../client/run-drill.ts';
import { accountKindOf, accountOf } from '../../traffic/account.ts';
import { MAX_GROUP_REQUESTS, occurrenceLineOf } from '../../traffic/groups.ts';
import { exchangeSummaryOf } from '../../traffic/shown.ts';
import { advised, foundAbout, leveled } from '../report/findings.ts';
import { type Finding, verdictOf } from '../report/kinds.ts';
import type { Check, Drill, DrillRun, Grade } from './drill.ts';

export type CheckResult = Schema<'DrillCheckResult'>;

/** Requests that are shown of a drill, and of a check. */
const MAX_GRADED_REQUESTS = 200;
const MAX_EVIDENCE = 20;

interface GradedCheck {
  readonly check: Check;
  readonly grade: Grade;
}

/** @param startedAt in milliseconds since 1970 */
export function gradeDrill(
  drill: Drill,
  run: DrillRun,
  { strict, startedAt }: { readonly strict: boolean; readonly startedAt: number },
): DrillResult {
  const { id, group, title, task } = drill;
  const { outcome, exchanges, dropped, petName, petId } = run;
  const checks = drill.checks.map((check): GradedCheck => ({ check, grade: check.grade(run) }));
  const isMet = drill.isMet(run);
  const failed = checks.filter(({ grade }) => grade.status === 'fail').map((each) => findingOf(drill, each, isMet));
  // A failed `must` counts whatever else is missing.
  const open = verdictOf(leveled(failed, strict)) === 'fail' ? [] : whyOpen(checks, isMet, run);
  const incomplete = open.map((message) => advised(foundAbout('incomplete', 'incomplete', message)));
  const findings = leveled([...failed, ...incomplete], strict);
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
    ...verdictWithReason(findings, checks[0]?.grade),
    account: accountOf([
      ...exchanges.map((each) => ({ ...accountKindOf(each), count: 1 })),
      { kind: 'dropped', count: dropped, reason: 'no longer in the request log' },
    ]),
    checks: checks.map(checkResultOf),
    findings,
    requests: exchanges.slice(0, MAX_GRADED_REQUESTS).map(exchangeSummaryOf),
  };
}

const checkResultOf = ({ check: { id, level, title, source }, grade }: GradedCheck): CheckResult => {
  const { status, words, exchanges = [] } = grade;
  return { ...{ id, level, title, source, status, words }, requests: exchanges.slice(0, MAX_EVIDENCE).map(idOf) };
};

const idOf = ({ id }: { readonly id: string }): string => id;

/** A check that failed. @param isMet whether the client met what goes wrong: else nothing counts */
function findingOf({ id, task }: Drill, { check, grade }: GradedCheck, isMet: boolean): Omit<Finding, 'level'> {
  const { words, measured, expected, exchanges = [] } = grade;
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  const operation = task === 'create' ? 'createPet' : task === 'get' || task === 'all' ? 'getPet' : 'listPets';
  return {
    kind: !isMet ? 'uncountedCheck' : check.level === 'must' ? 'failedCheck' : 'failedAdvice',
    ...{ rule: `${id}/${check.id}`, operation, location: 'behavior', title: check.title.replace(/\.$/, '') },
    ...{ message: words, fix: check.fix, pointer: pointerTo(operations[operation]), sample: null },
    ...(expected !== undefined && { expected }),
    ...(measured !== undefined && { got: measured }),
    count: Math.max(1, exchanges.length),
    requests: exchanges.slice(0, MAX_GROUP_REQUESTS).map(idOf),
    last: last?.id ?? null,
    lines: (first === last ? [first] : [first, last]).flatMap((each) => (each ? occurrenceLineOf(each) : [])),
  };
}

/** What the client may have sent besides what was graded; `undefined` if nothing. */
function unknownIn({ exchanges, dropped }: DrillRun): string | undefined {
  const unread = exchanges.filter(({ malformed }) => malformed !== undefined).length;
  if (dropped > 0) return `the request log has dropped ${counted(dropped, 'request')} of the drill; send fewer`;
  return unread > 0 ? `${counted(unread, 'request')} could not be read; see the contract report` : undefined;
}

/** Why the drill isn't decided; nothing if it is. */
function whyOpen(checks: readonly GradedCheck[], isMet: boolean, run: DrillRun): string[] {
  if (!isMet) return ['the client never met what goes wrong'];
  if (run.outcome === undefined) return ['the outcome is not known'];
  const unknown = unknownIn(run);
  if (unknown !== undefined) return [unknown];
  return checks.filter(({ grade }) => grade.status === 'open').map(({ grade }) => grade.words);
}

/** @param main the grade of what the drill is about */
function verdictWithReason(
  findings: readonly Finding[],
  main: Grade | undefined,
): Pick<DrillResult, 'verdict' | 'reason'> {
  const verdict = verdictOf(findings);
  if (verdict === 'pass')
    return main?.status === 'skipped' ? { verdict: 'not-applicable', reason: main.words } : { verdict, reason: null };
  const deciding = findings.filter(({ level }) => level === (verdict === 'fail' ? 'error' : 'incomplete'));
  return { verdict, reason: deciding.map(({ message }) => message).join('; ') };
}
