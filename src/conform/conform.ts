/** Runs the suite against a server, check by check, and reports differences. */
import { type Clock, realClock } from '../core/clock.ts';
import { isoTime } from '../core/time.ts';
import type { Account } from '../requests/account.ts';
import type { ApiSection } from './cases.ts';
import type { ConformCheck } from './check.ts';
import { HttpProbe, type HttpProbeOptions, RateLimited, Stopped } from './http-probe.ts';
import {
  type ConformDifference,
  type CreatedPet,
  Inspection,
  type InspectionOptions,
  OF_SANDBOX,
  Skipped,
} from './inspection.ts';
import { type Acceptance, type Accepted, acceptanceOf, type KnownDifference, staleAmong } from './known-differences.ts';
import { recognizePetstore } from './recognize.ts';
import { ResponseValidator } from './response-validator.ts';
import { type Basis, basisOf, type ConformRule } from './rules.ts';
import { suite } from './suite.ts';

export interface ConformOptions extends HttpProbeOptions, Acceptance {
  /** Whether to send requests that add pets, or might do so on a wrong server. */
  readonly allowCreate: boolean;
  readonly clock?: Clock;
  /** Called before each check. */
  readonly onCheck?: ((name: string, number: number, total: number) => void) | undefined;
}

/** A difference; `accepted` states how, if it is not a failure. */
export interface ClassifiedDifference extends ConformDifference {
  readonly accepted?: Accepted;
}

/** The result of one check. */
export interface ConformCheckResult {
  readonly name: string;
  /** The heading of the petstore API's description. */
  readonly section: ApiSection;
  readonly rule: ConformRule;
  readonly basis: Basis;
  /** `accepted`: it differs, but all differences are ignored or known. */
  readonly outcome: 'ok' | 'differs' | 'accepted' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly differences: readonly ClassifiedDifference[];
}

/**
 * `stale`: no unaccepted differences, but a known difference no longer occurs. `incomplete`: no unaccepted differences,
 * but the run was cut short, or the server prevented some checks.
 */
export type ConformVerdict = 'conforms' | 'differs' | 'stale' | 'incomplete';

export interface Conformance {
  readonly url: string;
  /** ISO 8601, in UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly verdict: ConformVerdict;
  /** Checks by outcome. */
  readonly counts: Readonly<Record<ConformCheckResult['outcome'], number>>;
  /** What became of the requests that were sent. */
  readonly account: Account;
  /** Known differences that no longer occur. */
  readonly stale: readonly KnownDifference[];
  readonly results: readonly ConformCheckResult[];
  readonly created: readonly CreatedPet[];
}

interface ConformRun {
  readonly result: ConformCheckResult;
  readonly check: ConformCheck;
  /** Whether the server or the caller cut the check short. */
  readonly cutShort: boolean;
}

/**
 * Runs the suite against a server, or some checks of it.
 * @throws {NoPetstore | KeyRejected}
 */
export async function conform(
  { clock = realClock, ...options }: ConformOptions,
  checks: readonly ConformCheck[] = suite(options.key),
): Promise<Conformance> {
  const startedAt = isoTime(clock.now());
  const probe = new HttpProbe(options);
  const created: CreatedPet[] = [];
  try {
    await recognizePetstore(probe, options.url);
    const { specificationOnly } = options;
    const inspections = { probe, validator: await ResponseValidator.load(), specificationOnly, created };
    const runs: ConformRun[] = [];
    for (const check of checks) {
      options.onCheck?.(check.name, runs.length + 1, checks.length);
      runs.push(await run(check, inspections, options));
    }
    const results = runs.map(({ result }) => result);
    const stale = staleAmong(options.known, runs.filter(canShowDifferences).map(outcomeOf));
    const counts = { ok: 0, differs: 0, accepted: 0, skipped: 0 };
    for (const { outcome } of results) counts[outcome]++;
    const isComplete = runs.every(({ cutShort }) => !cutShort);
    const undisturbed = stale.length > 0 ? 'stale' : isComplete ? 'conforms' : 'incomplete';
    const verdict = counts.differs > 0 ? 'differs' : undisturbed;
    const endedAt = isoTime(clock.now());
    return { url: options.url, startedAt, endedAt, verdict, counts, account: probe.account, stale, results, created };
  } finally {
    probe.close();
  }
}

/** A check that never runs cannot show a known difference, so it does not prevent stale ones. */
const canShowDifferences = ({ check }: ConformRun): boolean => check.risk !== 'destroys';

const outcomeOf = ({ result: { name, rule, outcome, differences }, cutShort }: ConformRun) => ({
  name,
  rule,
  differences,
  wasSkipped: outcome === 'skipped' || cutShort,
});

/** Runs one check, unless it must not run. */
async function run(check: ConformCheck, inspections: InspectionOptions, options: ConformOptions): Promise<ConformRun> {
  const inspection = new Inspection(inspections);
  let cutShort = false;
  let reason = riskOf(check, options);
  try {
    if (reason === undefined) await check.run(inspection);
    // The response to such a request is validated, but not compared with the decision.
    if (options.specificationOnly && basisOf(check.rule) === 'sandbox') reason = OF_SANDBOX;
  } catch (error) {
    cutShort = error instanceof Stopped || error instanceof RateLimited;
    if (!(cutShort || error instanceof Skipped)) throw error;
    reason = (error as Error).message;
  }
  const differences = inspection.differences.flatMap((difference): ClassifiedDifference[] => {
    const accepted = acceptanceOf(difference, check.name, options);
    if (accepted === 'left out') return [];
    return [accepted === undefined ? difference : { ...difference, accepted }];
  });
  return { check, result: caseResultOf(check, differences, reason), cutShort };
}

/** Why a check must not run. */
function riskOf({ risk }: ConformCheck, { allowCreate }: ConformOptions): string | undefined {
  if (risk === 'destroys') return 'a wrong server might change or drop pets';
  if (risk === 'creates' && !allowCreate) return 'it may add a pet: needs --allow-create';
  return undefined;
}

/** @param reason why the check was skipped, if it found nothing before */
function caseResultOf(
  { name, section, rule }: ConformCheck,
  differences: readonly ClassifiedDifference[],
  reason: string | undefined,
): ConformCheckResult {
  const about = { name, section, rule, basis: basisOf(rule), differences };
  if (differences.some(({ accepted }) => accepted === undefined)) return { ...about, outcome: 'differs' };
  if (differences.length > 0) return { ...about, outcome: 'accepted' };
  return reason === undefined ? { ...about, outcome: 'ok' } : { ...about, outcome: 'skipped', reason };
}
