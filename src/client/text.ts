/** Exchanges in words, and what keeps words from elsewhere harmless in a terminal. */
import type { Schema } from './routes.ts';

/** Controls (C0, DEL, C1), marks of direction, Unicode's own line ends, halves of surrogate pairs, and no characters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

/**
 * Text from elsewhere, safe to show: what a terminal would obey, what turns the direction of writing, and what XML 1.0
 * cannot hold (section 2.2) becomes its code, like `\u001b`, which in JSON means the same.
 */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `1 key`, `2 keys`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Rows as lines, the columns aligned. */
export function table(rows: readonly (readonly unknown[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => printable(String(cell ?? '-'))));
  const widths: number[] = [];
  for (const row of texts) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return texts.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** One exchange as the cells of a line. */
export const summaryRow = (exchange: Schema<'ExchangeSummary'>): string[] => [
  exchange.at,
  exchange.id,
  exchange.status === 0 ? 'cut' : String(exchange.status),
  exchange.method,
  exchange.target,
  remarks(exchange),
];

/** What is to be said of an exchange, in a few words. */
function remarks({ violations, warnings, injected, unjudged }: Schema<'ExchangeSummary'>): string {
  return [
    ...(violations.length > 0 ? [counted(violations.length, 'violation')] : []),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
    ...(injected === null ? [] : [`injected: ${injected}`]),
    ...(unjudged === null ? [] : ['unjudged']),
  ].join(', ');
}

/** An exchange in full. */
export function exchangeLines(exchange: Schema<'Exchange'>): string[] {
  const { method, target, status, request, answer, violations, warnings, injected, unjudged } = exchange;
  return [
    `${exchange.id}  ${exchange.at}  ${exchange.durationMs.toFixed(1)} ms  ${exchange.operation ?? 'no operation'}`,
    `  > ${method} ${target}`,
    ...bodyLines('>', request, request.unread ? 'not read' : undefined),
    `  < ${status === 0 ? 'no answer went out' : status}`,
    ...bodyLines('<', answer),
    ...violations.map(({ side, place, message }) => `  violation (${side}) at ${place}: ${message}`),
    ...warnings.map(({ rule, place, message }) => `  warning (${rule}) at ${place}: ${message}`),
    ...(injected === null ? [] : [`  injected fault: ${injected}`]),
    ...(unjudged === null ? [] : [`  unjudged: ${unjudged}`]),
  ];
}

interface Message {
  readonly contentType: string | null;
  readonly bytes: number;
  readonly body: string | null;
  readonly cut: boolean;
}

function bodyLines(
  arrow: string,
  { contentType, bytes, body, cut }: Message,
  note = cut ? 'shown in part' : '',
): string[] {
  if (bytes === 0 && !body) return [];
  const about = `  ${arrow} ${contentType ?? 'no content type'}, ${counted(bytes, 'byte')}${note && ` (${note})`}`;
  return [about, ...(body ? [`  ${arrow} ${body}`] : [])];
}
