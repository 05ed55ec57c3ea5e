/**
 * Faults (design: faults): what may go wrong with a request, and the rules that make it so. What a rule may say is read
 * from `spec/controls.yaml`.
 */
import { createHash } from 'node:crypto';
import document from '../generated/controls.json' with { type: 'json' };
import type { FaultRecord } from '../store/record.ts';

/** What happens to one request. At least one of `status`, `delayMs` and `connection` is set. */
export interface Fault {
  /** `before`: the operation does not happen. `after`: it happens, and its answer is lost or replaced. */
  readonly when: 'before' | 'after';
  /** 400–599: the answer is an Error body with this status. */
  readonly status?: number;
  /** Seconds, for the `Retry-After` of that answer. */
  readonly retryAfter?: number;
  readonly delayMs?: number;
  readonly connection?: 'reset' | 'empty' | 'truncate';
}

/** A fault without its `when` decided. */
export type FaultAsk = Partial<Fault>;

/** A rule as it is asked for. */
export type NewFault = Omit<FaultRecord, 'id' | 'acted' | 'drawn'>;

/** The schema of a rule's fields: the one place where their bounds stand. */
export const FAULT_FIELDS = document.components.schemas.NewFault.properties;

/** Rules in a sandbox. */
export const MAX_FAULTS = 100;

/** A seed, where a rule has a probability and none is given, is drawn up to this. */
export const MAX_FAULT_SEED = FAULT_FIELDS.seed.maximum;

/** Before the operation there is no answer that could be cut off: without a status, `truncate` cuts the operation's. */
export const whenOf = ({ when, status, connection }: FaultAsk): Fault['when'] =>
  when ?? (connection === 'truncate' && status === undefined ? 'after' : 'before');

/** True when something else goes out than the operation's answer, or nothing. */
export const replacesAnswer = ({ status, connection }: Fault): boolean =>
  status !== undefined || connection !== undefined;

/** As the journal shows it, and as `Sandbox-Fault` asks for it: `status=503; when=after`. */
export function faultInWords({ status, retryAfter, delayMs, connection, when }: Fault): string {
  const parts = { status, retryAfter, delay: delayMs, connection, when: when === 'after' ? when : undefined };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
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
