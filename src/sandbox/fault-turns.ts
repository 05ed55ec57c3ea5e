/**
 * The fault rules of a sandbox: which requests each acts on, and what changes them. Pure functions: they run on the newest
 * rules, and may run again.
 */

import { createHash, randomInt } from 'node:crypto';
import { ApiError } from '../base/api/errors.ts';
import { newFault } from '../base/generated/facts.ts';
import { newId } from '../base/ids.ts';
import { MAX_FAULTS } from '../base/limits.ts';
import { type Fault, isRandom, MAX_FAULT_SEED, whenOf } from './faults.ts';
import type { FaultRecord, NewFault } from './store/record.ts';

/** The parts of a request that rules read. */
export interface FaultedRequest {
  readonly operation: string;
  /** The id in the path, as plain digits. */
  readonly petId?: string | undefined;
  /** Names and values of the query, decoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** The outcome of a rule for a matching request. */
interface RuleOutcome {
  readonly acts: boolean;
  /** For a range of delays that acts: the delay of this request. */
  readonly delayMs?: number;
  /** For a rate limiter that acts: whole seconds until its window ends. */
  readonly retryAfter?: number;
  /** The rule after counting this request. */
  readonly rule: FaultRecord;
}

/** Whether a rule matches this request and is not exhausted. */
function isDue({ times, triggered, operation, petId, query }: FaultRecord, request: FaultedRequest): boolean {
  if (times !== undefined && triggered >= times) return false;
  if (operation !== undefined && operation !== request.operation) return false;
  if (petId !== undefined && petId !== request.petId) return false;
  return query === undefined || hasParameters(request.query, query);
}

/** @param now real time in milliseconds since 1970 */
export function takeTurn(rule: FaultRecord, now: number): RuleOutcome {
  const turn = decided(rule, now);
  const { delayMs: from = 0, delayToMs: to } = rule;
  if (!turn.acts || to === undefined) return turn;
  const { seed = 0, drawn } = turn.rule;
  const delayMs = Math.round(from + (to - from) * draw(seed, drawn));
  return { ...turn, delayMs, rule: { ...turn.rule, drawn: oneMore(drawn) } };
}

function decided(rule: FaultRecord, now: number): RuleOutcome {
  const { from = 1, pattern, probability, limit } = rule;
  if (from === 1 && pattern === undefined) return limit ? limited(rule, limit, now) : drawn(rule, probability);
  const seen = oneMore(rule.seen ?? 0);
  const counted = { ...rule, seen };
  if (seen < from) return { acts: false, rule: counted };
  if (limit) return limited(counted, limit, now);
  if (pattern === undefined) return drawn(counted, probability);
  return acting(pattern[(seen - from) % pattern.length] === 'x', counted);
}

/** Counts end where integers are no longer exact: the journal takes no larger ones, and a recording may bring any. */
const oneMore = (count: number): number => Math.min(count + 1, Number.MAX_SAFE_INTEGER);

const acting = (acts: boolean, rule: FaultRecord): RuleOutcome => ({
  acts,
  rule: acts ? { ...rule, triggered: oneMore(rule.triggered) } : rule,
});

/** By its seeded sequence: the same seed gives the same sequence on every machine. */
function drawn(rule: FaultRecord, probability: number | undefined): RuleOutcome {
  if (probability === undefined) return acting(true, rule);
  return acting(draw(rule.seed ?? 0, rule.drawn) < probability, { ...rule, drawn: oneMore(rule.drawn) });
}

/** The n-th number of a seed's sequence, in [0, 1). `n` is the only state. */
const draw = (seed: number, n: number): number =>
  createHash('sha256').update(`${seed}:${n}`).digest().readUIntBE(0, 6) / 2 ** 48;

/** Lets a number of requests pass in each window. A window starts with the first request after the previous window. */
function limited(
  rule: FaultRecord,
  { requests, seconds }: NonNullable<FaultRecord['limit']>,
  now: number,
): RuleOutcome {
  const { window } = rule;
  const length = seconds * 1000;
  // If the clock was set back, the window would otherwise last too long.
  const isOver = window === undefined || now >= window.startedAt + length || now < window.startedAt;
  if (isOver) return { acts: false, rule: { ...rule, window: { startedAt: now, passed: 1 } } };
  if (window.passed < requests) {
    return { acts: false, rule: { ...rule, window: { ...window, passed: oneMore(window.passed) } } };
  }
  return { ...acting(true, rule), retryAfter: Math.ceil((window.startedAt + length - now) / 1000) };
}

/** Whether a query contains each of the `wanted` parameters, given as `status=sold&limit=5`. */
const hasParameters = (query: FaultedRequest['query'], wanted: string): boolean =>
  [...new URLSearchParams(wanted)].every(([name, value]) =>
    query.some((pair) => pair[0] === name && pair[1] === value),
  );

export type Rules = readonly FaultRecord[];

/**
 * The first rule that matches a request and is due acts on it.
 * @returns its fault, and the rules after counting the request
 */
export function takeNext(
  rules: Rules,
  request: FaultedRequest,
  now: number,
): { readonly fault: Fault | undefined; readonly rules: Rules } {
  let counted = rules;
  for (const rule of rules) {
    if (!isDue(rule, request)) continue;
    const turn = takeTurn(rule, now);
    counted = counted.map((each) => (each === rule ? turn.rule : each));
    if (!turn.acts) continue;
    const { retryAfter, delayMs } = turn;
    const limited = retryAfter === undefined ? {} : { status: rule.status ?? 429, retryAfter };
    const delayed = delayMs === undefined ? {} : { delayMs };
    return { fault: { ...rule, when: whenOf(rule), ...limited, ...delayed }, rules: counted };
  }
  return { fault: undefined, rules: counted };
}

/** A new rule with its id, and a seed if it needs one. Unknown fields of the request are dropped. */
export function newRule(ask: NewFault): FaultRecord {
  const seed = isRandom(ask) && ask.seed === undefined ? { seed: randomInt(MAX_FAULT_SEED + 1) } : {};
  const known = Object.fromEntries(
    Object.entries(ask).filter(([name]) => Object.hasOwn(newFault.properties, name)),
  ) as NewFault;
  return { id: newId('flt'), ...known, ...seed, when: whenOf(ask), triggered: 0, drawn: 0 };
}

/** @throws {ApiError} `limit_reached` */
export function withRule(rules: Rules, rule: FaultRecord): Rules {
  if (rules.length < MAX_FAULTS) return [...rules, rule];
  throw new ApiError('limit_reached', `a sandbox has ${MAX_FAULTS} faults at most; delete one first`);
}

/** @throws {ApiError} `not_found` */
export function withoutRule(rules: Rules, id: string): Rules {
  if (rules.some((rule) => rule.id === id)) return rules.filter((rule) => rule.id !== id);
  throw new ApiError('not_found', `this sandbox has no fault ${id}; GET /_sandbox/faults lists them`);
}
