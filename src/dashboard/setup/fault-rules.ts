/** Fault rules: whether one is used up, and a rule in words. */
import { type FaultValue, faultText } from '../../base/api/fault-text.ts';
import { type FaultField, faultFields } from '../../base/generated/facts.ts';
import { duration } from '../../base/text.ts';
import type { Schema } from '../../client/routes.ts';
import { many } from '../kit/time.ts';
import { sentence, visible } from '../kit/visible.tsx';
import type { Session } from '../session.ts';

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

/** `next`, `2nd`. */
export const nth = (place: number): string => ['next', '2nd', '3rd'][place - 1] ?? `${place}th`;

const CONNECTIONS = {
  reset: 'breaks the connection',
  empty: 'gets no response',
  truncate: 'gets half of its response',
} as const;
const TOLD: ReadonlySet<FaultField> = new Set([
  ...(['operation', 'when', 'from', 'times', 'delayMs', 'status', 'retryAfter', 'connection'] as const),
]);

/** What happens to a request: `gets 503`. */
export function happeningOf({ delayMs, status, retryAfter, connection, when }: Partial<FaultRule>): string {
  const all = [
    delayMs !== undefined && `takes ${duration(delayMs)} longer`,
    status !== undefined && `gets ${status}${retryAfter ? `, retry after ${retryAfter} s` : ''}`,
    connection && CONNECTIONS[connection],
  ].filter(Boolean);
  return `${all.join(' and ') || 'is changed'}${when === 'after' ? ' after it happened' : ''}`;
}

/** Adds a rule. @returns what to announce @throws {ClientError} for fields that do not go together */
export async function placeFault({ client }: Session, rule: NewFaultRule): Promise<string> {
  await client.request('POST /faults', { body: rule });
  return sentence(describeRule(rule));
}

/** `The next createPet breaks the connection after it happened`. */
export function describeRule(rule: NewFaultRule & { readonly triggered?: number }): string {
  const fields = rule as Partial<FaultRule>;
  const details = faultFields
    .filter((field) => fields[field] !== undefined && !TOLD.has(field))
    .map((field) => `${labelOf(field).toLowerCase()} ${faultText(fields[field] as unknown as FaultValue)}`);
  const words = `${subjectOf(rule, details.length > 0)} ${happeningOf(fields)}`;
  return visible(details.length === 0 ? words : `${words} (${details.join(', ')})`);
}

/** @param isSelective whether only some requests match the rule */
function subjectOf(rule: Partial<FaultRule>, isSelective: boolean): string {
  const { times, from = 1, triggered = 0 } = rule;
  const operation: string = rule.operation ?? 'request';
  const left = times === undefined ? undefined : Math.max(1, times - triggered);
  const since = triggered === 0 && from > 1 ? from : 1;
  const matching = isSelective ? 'matching ' : '';
  if (left === 1) return `The ${nth(since)} ${matching}${operation}`;
  const requests = operation === 'request' ? 'requests' : `${operation} requests`;
  const begin = since > 1 ? `, from the ${nth(since)} on,` : '';
  return left === undefined
    ? `Every ${matching}${operation}${begin}`
    : `Each of ${since > 1 ? '' : 'the next '}${left} ${matching}${requests}${begin}`;
}
