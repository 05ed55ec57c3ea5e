/**
 * Faults: possible failures of a request, and the rules that cause them. The fields of a rule, their bounds and
 * permitted combinations are described once, in `spec/control-api.yaml`. `fault-turns.ts` decides which requests a rule
 * acts on.
 */
import { type FaultValue, faultText } from '../base/api/fault-text.ts';
import { type FaultField, faultFields, newFault } from '../base/generated/facts.ts';
import type { NewFault } from './store/record.ts';

/**
 * The fields that select requests and their frequency, and the end of a range of delays. All others describe the effect on a request.
 */
const OF_THE_RULE = [
  'operation',
  'petId',
  'query',
  'limit',
  'delayToMs',
  'from',
  'pattern',
  'times',
  'probability',
  'seed',
] as const;
type RuleField = (typeof OF_THE_RULE)[number];
export type EffectField = Exclude<FaultField, RuleField>;

/** The effect on one request. */
export type Fault = Pick<NewFault, EffectField> & {
  /** `before`: the operation does not run. `after`: it runs, and its response is lost, changed or replaced. */
  readonly when: 'before' | 'after';
};

/** A fault whose `when` is still open. */
export type FaultAsk = Partial<Fault>;

/** The fields of a fault, `when` last. */
export const EFFECTS: readonly EffectField[] = [
  ...faultFields.filter((field): field is EffectField => ![...OF_THE_RULE, 'when'].includes(field)),
  'when',
];

/** The name of a field in `Sandbox-Fault` and the request log: `delayMs` is `delay`. */
export const partName = (field: FaultField): string => field.replace(/Ms$/, '');

/** The upper bound for a seed that is drawn because a rule has a probability and no seed. */
export const MAX_FAULT_SEED = newFault.properties.seed.maximum;

/** Whether it changes the body of the operation's own response. */
export const changesBody = ({ vary, corrupt }: FaultAsk): boolean => vary !== undefined || corrupt !== undefined;

/** A fault that changes or truncates the operation's own response acts after the operation. */
export function whenOf(fault: FaultAsk): Fault['when'] {
  const { when, status, connection } = fault;
  const needsResponse = connection === 'truncate' || changesBody(fault);
  return when ?? (needsResponse && status === undefined ? 'after' : 'before');
}

/** Whether a rule draws numbers: for its probability, or for a delay in a range. */
export const isRandom = ({ probability, delayToMs }: NewFault): boolean => (probability ?? delayToMs) !== undefined;

/** True if the operation's response is replaced, changed or not sent. */
export const replacesResponse = (fault: Fault): boolean =>
  fault.status !== undefined || fault.connection !== undefined || changesBody(fault);

/** `operation=createPet; name=Rex; status=503`: the fields that a rule was given. */
export const faultRuleText = (rule: NewFault): string =>
  faultFields
    .filter((field) => rule[field] !== undefined && field !== 'seed' && !(field === 'when' && rule.when === 'before'))
    .map((field) => `${partName(field)}=${faultText(rule[field] as FaultValue)}`)
    .join('; ');

/** Of a rule that acted, what the request log keeps. */
export const effectOf = (fault: Fault): Fault =>
  Object.fromEntries(
    EFFECTS.filter((field) => fault[field] !== undefined).map((field) => [field, fault[field]]),
  ) as Fault;
