/** What one exchange came to, in one or two sentences that never contradict its response. */
import type { Schema } from '../../../client/routes.ts';
import { lossIn, refusalIn } from '../../../client/text.ts';
import { many } from '../kit/time.ts';
import { findingOf } from './row-words.ts';

type Exchange = Schema<'Exchange'>;

export interface Sentence {
  readonly kind: 'good' | 'warn' | 'bad' | 'fault' | '';
  readonly text: string;
}

export function verdictsOn(exchange: Exchange): Sentence[] {
  const { injected, unjudged } = exchange;
  const loss = lossIn(exchange);
  return [
    ...(loss === undefined ? [] : [{ kind: 'bad' as const, text: loss }]),
    ...(injected === null ? [] : [{ kind: 'fault' as const, text: `A fault replaced the response: ${injected}.` }]),
    ...(unjudged === null ? [] : [{ kind: 'bad' as const, text: `The referee could not judge this: ${unjudged}` }]),
    ...(unjudged === null ? judged(exchange) : []),
  ];
}

function judged(exchange: Exchange): Sentence[] {
  const { violations, warnings, injected, refereed, operation, method, status } = exchange;
  if (!refereed) {
    const why = operation === null ? 'no operation of the specification matches' : `${method} is not described`;
    return [{ kind: operation === null ? 'bad' : '', text: `Not judged: ${why}.` }];
  }
  const refusal = refusalIn(exchange);
  if (refusal !== undefined) return [{ kind: 'warn', text: refusal }];
  const finding = findingOf(exchange);
  if (violations.length > 0) {
    const who = violations.every(({ side }) => side === 'response') ? 'Violation of the sandbox' : 'Violation';
    return [{ kind: 'bad', text: `${who}: ${finding}.` }];
  }
  if (injected !== null && warnings.length === 0) return [];
  if (warnings.length > 0) return [{ kind: 'warn', text: `${many(warnings.length, 'warning')}: ${finding}.` }];
  if (status === 401 || status === 404)
    return [{ kind: 'good', text: `Keeps to the specification, which describes this ${status}.` }];
  return [{ kind: 'good', text: 'Request and response keep to the specification.' }];
}
