/** Exchanges as text, and escaping of external text for terminals. */
import type { Schema } from './routes.ts';

/** Controls (C0, DEL, C1), directional marks, Unicode line separators, lone surrogates, and noncharacters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

/**
 * External text, safe for display: control characters, directional marks, and characters that XML 1.0 forbids (section
 * 2.2) are replaced by their escapes, like `\u001b`, which are equivalent in JSON.
 */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `1 key`, `2 keys`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `1.2 ms`, `840 ms`, `2.4 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(1))} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

/** Rows as lines with aligned columns. */
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

/** The cells of an exchange's line, with the remarks of the server. */
export const summaryRow = (exchange: Schema<'ExchangeSummary'>): string[] => [
  exchange.at,
  exchange.id,
  exchange.status === 0 ? 'cut' : String(exchange.status),
  exchange.method,
  exchange.target,
  exchange.remarks.map(({ text }) => text).join(', '),
];

/** An exchange in full. */
export function exchangeLines(exchange: Schema<'Exchange'>): string[] {
  const { method, target, status, request, response, violations, warnings, injectedFault, validationError, changes } =
    exchange;
  return [
    `${exchange.id}  ${exchange.at}  ${exchange.durationMs.toFixed(1)} ms  ${exchange.operation ?? 'no operation'}`,
    `  > ${method} ${target}`,
    ...bodyLines('>', request, request.unread ? 'not read' : undefined),
    `  < ${status === 0 ? `no response went out${exchange.disconnectedAt === null ? '' : ': the client had left'}` : status}`,
    ...bodyLines('<', response),
    ...violations.map(({ side, location, message }) => `  violation (${side}) at ${location}: ${message}`),
    ...warnings.map(({ rule, location, message }) => `  warning (${rule}) at ${location}: ${message}`),
    ...(injectedFault === null ? [] : [`  injected fault: ${injectedFault}`]),
    ...effectLines(changes),
    ...[lossIn(exchange) ?? rejectionIn(exchange) ?? []].flat().map((outcome) => `  ${outcome}`),
    ...(validationError === null ? [] : [`  not validated: ${validationError}`]),
  ];
}

/** What it did to which pets. */
const effectLines = (changes: Schema<'Exchange'>['changes']): string[] =>
  Object.entries(changes ?? {}).flatMap(([name, ids]) => (ids.length === 0 ? [] : [`  ${name}: ${ids.join(', ')}`]));

/** What a recording's exchange has as well. */
type RecordedOutcome = Omit<Schema<'ExchangeSummary'>, 'petName' | 'fromDashboard' | 'remarks'>;

/** The actual effect, if the client was told something else, or nothing: the pet exists. */
function lossIn(exchange: RecordedOutcome): string | undefined {
  const { changes, status, injectedFault, disconnectedAt } = exchange;
  const isLost = status === 0 || status >= 300 || disconnectedAt !== null || injectedFault?.includes('connection=');
  if (changes === null || !isLost) return undefined;
  const { created } = changes;
  if (created.length === 0) return 'The response was lost, but the request took effect.';
  const what = created.length === 1 ? `the pet exists: id ${created[0]}` : `the pets exist: ids ${created.join(', ')}`;
  return `The response was lost, but ${what}.`;
}

/** Why a request was rejected although the validator found no violation. */
function rejectionIn(exchange: RecordedOutcome): string | undefined {
  const { status, injectedFault, operation, violations, warnings } = exchange;
  if (injectedFault !== null || violations.length > 0 || status < 400) return undefined;
  if (status === 410)
    return `Rejected: ${operation ?? 'the operation'} is removed since the day that the specification names.`;
  const beyond = warnings.find(({ rule }) => rule === 'rejected-beyond-specification');
  return beyond && `Rejected: ${beyond.location} ${beyond.message}. The specification alone does not forbid it.`;
}

interface Message {
  readonly contentType: string | null;
  readonly bytes: number;
  readonly body: string | null;
  readonly truncated: boolean;
}

function bodyLines(
  arrow: string,
  { contentType, bytes, body, truncated }: Message,
  note = truncated ? 'shown in part' : '',
): string[] {
  if (bytes === 0 && !body) return [];
  const about = `  ${arrow} ${contentType ?? 'no content type'}, ${counted(bytes, 'byte')}${note && ` (${note})`}`;
  return [about, ...(body ? [`  ${arrow} ${body}`] : [])];
}
