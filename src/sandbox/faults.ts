/**
 * Faults: what may go wrong with a request, and the rules that make it so. The fields of a rule, their bounds and which of
 * them go together are described once, in `spec/controls.yaml`.
 */
import { createHash } from 'node:crypto';
import { type FaultField, faultFields, newFault } from '../generated/facts.ts';
import type { FaultRecord, NewFault } from '../store/record.ts';

/** The fields that say which requests a rule concerns, and how often. All others say what happens to a request. */
const OF_THE_RULE = ['operation', 'times', 'probability', 'seed'] as const;
type RuleField = (typeof OF_THE_RULE)[number];
export type EffectField = Exclude<FaultField, RuleField>;

/** What happens to one request. */
export type Fault = Omit<NewFault, RuleField> & {
  /** `before`: the operation does not happen. `after`: it happens, and its answer is lost or replaced. */
  readonly when: 'before' | 'after';
};

/** A fault without its `when` decided. */
export type FaultAsk = Partial<Fault>;

/** The fields of a fault, `when` last. */
export const EFFECTS: readonly EffectField[] = [
  ...faultFields.filter((field): field is EffectField => ![...OF_THE_RULE, 'when'].includes(field)),
  'when',
];

/** A field as `Sandbox-Fault` and the journal call it: `delayMs` is `delay`. */
export const partName = (field: FaultField): string => field.replace(/Ms$/, '');

/** Rules in a sandbox. */
export const MAX_FAULTS = 100;

/** A seed, where a rule has a probability and none is given, is drawn up to this. */
export const MAX_FAULT_SEED = newFault.properties.seed.maximum;

/** Before the operation there is no answer that could be cut off: without a status, `truncate` cuts the operation's. */
export const whenOf = ({ when, status, connection }: FaultAsk): Fault['when'] =>
  when ?? (connection === 'truncate' && status === undefined ? 'after' : 'before');

/** True when something else goes out than the operation's answer, or nothing. */
export const replacesAnswer = ({ status, connection }: Fault): boolean =>
  status !== undefined || connection !== undefined;

/** As the journal shows it, and as `Sandbox-Fault` asks for it: `status=503; when=after`. */
export function faultInWords(fault: Fault): string {
  return EFFECTS.filter((field) => fault[field] !== undefined && !(field === 'when' && fault.when === 'before'))
    .map((field) => `${partName(field)}=${fault[field]}`)
    .join('; ');
}

/** Whether a rule has anything to say about this operation, and may still act. */
export const isDue = ({ operation, times, acted }: FaultRecord, name: string): boolean =>
  (operation === undefined || operation === name) && (times === undefined || acted < times);

/** Whether a rule's turn has come, by its seeded sequence: the same seed gives the same sequence on every machine. */
export const isDrawn = ({ probability, seed = 0, drawn }: FaultRecord): boolean =>
  probability === undefined || draw(seed, drawn) < probability;

/** The n-th number of a seed's sequence, from 0 up to but not 1. No state to keep but n. */
const draw = (seed: number, n: number): number =>
  createHash('sha256').update(`${seed}:${n}`).digest().readUIntBE(0, 6) / 2 ** 48;
