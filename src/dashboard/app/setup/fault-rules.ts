/** Fault rules: whether one is used up, and a rule in words. */
import { type FaultValue, faultText } from '../../../api/fault-text.ts';
import type { Schema } from '../../../client/routes.ts';
import { type FaultField, faultFields } from '../../../generated/facts.ts';
import { many } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';

export type Fault = Schema<'Fault'>;
export type NewFault = Schema<'NewFault'>;

/** Whether a rule was triggered as often as it may be. */
export const isUsedUp = ({ times, triggered }: Fault): boolean => times !== undefined && triggered >= times;

/** `triggered 2 times`, `triggered 2 of 3`. */
export const triggeredWords = ({ triggered, times }: Fault): string =>
  times === undefined ? `triggered ${many(triggered, 'time')}` : `triggered ${triggered} of ${times}`;

/** `delayMs` as `Delay, ms`. */
export const labelOf = (field: string): string => {
  const words = field.replace(/Ms$/, ', ms').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Phrases for fields whose name alone reads badly. */
const PHRASES: { readonly [Field in FaultField]?: (value: NonNullable<Fault[Field]>) => string } = {
  retryAfter: (seconds) => `retry after ${seconds} s`,
  delayMs: (ms) => `${ms} ms later`,
  times: (times) => many(times, 'time'),
};

/** `createPet, after it happened: status 503, retry after 2 s, 1 time`. */
export function describeRule(rule: Fault): string {
  const words = faultFields.flatMap((field) => {
    const value = rule[field];
    if (value === undefined || field === 'operation' || field === 'when') return [];
    const phrase = PHRASES[field] as ((value: unknown) => string) | undefined;
    return [phrase ? phrase(value) : `${labelOf(field).toLowerCase()} ${faultText(value as FaultValue)}`];
  });
  const { operation = 'every operation', when } = rule;
  return visible(`${operation}${when === 'after' ? ', after it happened' : ''}: ${words.join(', ')}`);
}
