/** Fault rules: whether one is used up, and a rule in words. */
import { type FaultValue, faultText } from '../../base/api/fault-text.ts';
import { type FaultField, faultFields } from '../../base/generated/facts.ts';
import { duration } from '../../base/text.ts';
import type { Schema } from '../../client/routes.ts';
import { many } from '../kit/time.ts';
import { visible } from '../kit/visible.tsx';

export type FaultRule = Schema<'Fault'>;
export type NewFaultRule = Schema<'NewFault'>;

/** Whether a rule was triggered as often as it may be. */
export const isUsedUp = ({ times, triggered }: FaultRule): boolean => times !== undefined && triggered >= times;

/** `triggered 2 times`, `triggered 2 of 3`. */
export const triggeredWords = ({ triggered, times }: FaultRule): string =>
  times === undefined ? `triggered ${many(triggered, 'time')}` : `triggered ${triggered} of ${times}`;

/** `delayMs` as `Delay, ms`. */
export const labelOf = (field: string): string => {
  const words = field.replace(/Ms$/, ', ms').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const ORDINALS = ['next', '2nd', '3rd'];

/** What happens to a request, for each field that says so: `gets 503`. */
const HAPPENS: readonly ((rule: Partial<FaultRule>) => string | undefined)[] = [
  ({ delayMs }) => (delayMs === undefined ? undefined : `takes ${duration(delayMs)} longer`),
  ({ status, retryAfter }) =>
    status === undefined ? undefined : `gets ${status}${retryAfter ? `, retry after ${retryAfter} s` : ''}`,
  ({ connection }) => connection && CONNECTIONS[connection],
];
const CONNECTIONS = {
  reset: 'breaks the connection',
  empty: 'gets no response',
  truncate: 'gets half of its response',
} as const;
const TOLD: ReadonlySet<FaultField> = new Set([
  ...(['operation', 'when', 'from', 'times', 'delayMs', 'status', 'retryAfter', 'connection'] as const),
]);

/** `The next createPet breaks the connection after it happened`. */
export function describeRule(rule: NewFaultRule & { readonly triggered?: number }): string {
  const fields = rule as Partial<FaultRule>;
  const others = faultFields.filter((field) => fields[field] !== undefined && !TOLD.has(field));
  const happens = HAPPENS.flatMap((tell) => tell(fields) ?? []);
  const details = others.map(
    (field) => `${labelOf(field).toLowerCase()} ${faultText(fields[field] as unknown as FaultValue)}`,
  );
  return visible(
    [
      subjectOf(rule, others.length > 0),
      happens.length === 0 ? 'is changed' : happens.join(' and '),
      ...(fields.when === 'after' ? ['after it happened'] : []),
      ...(details.length === 0 ? [] : [`(${details.join(', ')})`]),
    ].join(' '),
  );
}

/** @param isSelective whether only some requests match the rule */
function subjectOf(rule: Partial<FaultRule>, isSelective: boolean): string {
  const { times, from = 1, triggered = 0 } = rule;
  const operation: string = rule.operation ?? 'request';
  const left = times === undefined ? undefined : Math.max(1, times - triggered);
  const since = triggered === 0 && from > 1 ? from : 1;
  const matching = isSelective ? 'matching ' : '';
  const nth = ORDINALS[since - 1] ?? `${since}th`;
  if (left === 1) return `The ${nth} ${matching}${operation}`;
  const requests = operation === 'request' ? 'requests' : `${operation} requests`;
  const begin = since > 1 ? `, from the ${nth} on,` : '';
  return left === undefined
    ? `Every ${matching}${operation}${begin}`
    : `Each of ${since > 1 ? '' : 'the next '}${left} ${matching}${requests}${begin}`;
}
