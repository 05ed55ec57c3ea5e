/** What a row says about its exchange: the finding first, then faults and effects. */
import { duration, many } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import type { Summary } from './kept.ts';

export interface Remark {
  readonly kind: 'bad' | 'warn' | 'fault' | 'quiet';
  readonly text: string;
}

type Violation = Summary['violations'][number];
type Warning = Summary['warnings'][number];

/** The most important first; the name of the operation where there is nothing to remark. */
export function remarksOn(exchange: Summary): Remark[] {
  const remarks = noteworthyIn(exchange);
  return remarks.length > 0 ? remarks : [{ kind: 'quiet', text: exchange.operation ?? 'no such operation' }];
}

function noteworthyIn(exchange: Summary): Remark[] {
  const { violations, warnings, injectedFault, validationError, changes, delayMs, disconnectedAt } = exchange;
  const finding = findingOf(exchange);
  const created = changes?.created ?? [];
  return [
    ...(validationError === null ? [] : [{ kind: 'bad' as const, text: 'not validated' }]),
    ...(finding === undefined
      ? []
      : [{ kind: violations.length > 0 ? ('bad' as const) : ('warn' as const), text: finding }]),
    ...(injectedFault === null ? [] : [{ kind: 'fault' as const, text: `fault: ${injectedFault}` }]),
    ...(delayMs > 0 ? [{ kind: 'fault' as const, text: `delayed ${duration(delayMs)}` }] : []),
    ...(disconnectedAt === null ? [] : [{ kind: 'bad' as const, text: 'the client left' }]),
    ...(created.length === 0 ? [] : [{ kind: 'quiet' as const, text: effectOf(exchange) }]),
    ...(exchange.operation === null && violations.length + warnings.length === 0
      ? [{ kind: 'bad' as const, text: 'no such operation' }]
      : []),
  ];
}

/** `created pet 16`, and where the client was not told so, that it exists. */
function effectOf({ changes, status, disconnectedAt }: Summary): string {
  const created = changes?.created ?? [];
  const pets = created.length === 1 ? `pet ${created[0]}` : many(created.length, 'pet');
  return status === 201 && disconnectedAt === null ? `created ${pets}` : `${pets} exists all the same`;
}

/** The findings as one phrase: `categoryId missing; sent catgoryId?`. */
export function findingOf({ violations, warnings }: Pick<Summary, 'violations' | 'warnings'>): string | undefined {
  const [first, ...more] = violations;
  if (!first) {
    const [warning, ...others] = warnings;
    return warning && `${warningWords(warning)}${plus(others.length)}`;
  }
  const slip = first.rule === 'required' ? misspeltFor(last(first.location), warnings) : undefined;
  return `${violationWords(first)}${slip === undefined ? '' : `; sent ${slip}?`}${plus(more.length)}`;
}

const plus = (count: number): string => (count === 0 ? '' : ` and ${count} more`);

const last = (location: string): string => location.split('/').at(-1) as string;

/** `limit must be <= 100`, `categoryId missing`. */
export function violationWords({ side, location, rule, message }: Violation): string {
  const name = visible(last(location));
  const who = side === 'response' ? 'response: ' : '';
  if (rule === 'required' || rule === 'security') return `${who}${name} missing`;
  const must = message.indexOf(' must ');
  return must < 0 ? `${who}${visible(message)}` : `${who}${name}${visible(message.slice(must))}`;
}

export const warningWords = ({ message }: Warning): string => visible(message.replaceAll('`', ''));

/** The name that was sent in place of the one that is missing. */
const misspeltFor = (name: string, warnings: readonly Warning[]): string | undefined => {
  const slip = warnings.find(({ message }) => message.includes(`did you mean \`${name}\``));
  return slip && visible(last(slip.location));
};
