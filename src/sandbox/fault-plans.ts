/** Changes of the fault rules of a sandbox, as pure functions: they run on the newest rules, and may run again. */
import { randomInt } from 'node:crypto';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { newFault } from '../generated/facts.ts';
import type { FaultRecord, NewFault } from '../store/record.ts';
import { type FaultedRequest, isDue, takeTurn } from './fault-turns.ts';
import { type Fault, hasDrawnDelay, MAX_FAULT_SEED, MAX_FAULTS, whenOf } from './faults.ts';

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
  const needsSeed = ask.probability !== undefined || hasDrawnDelay(ask);
  const seed = needsSeed && ask.seed === undefined ? { seed: randomInt(MAX_FAULT_SEED + 1) } : {};
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

export const needsName = (rules: Rules): boolean => rules.some(({ name }) => name !== undefined);
