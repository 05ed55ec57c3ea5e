/** Exchanges as text, for terminals. */
import { counted } from '../base/text.ts';
import type { Schema } from './routes.ts';

/** The cells of an exchange's line, with the remarks of the server. */
export const summaryRow = (exchange: Schema<'ExchangeSummary'>): string[] => [
  exchange.at,
  exchange.id,
  exchange.status === 0 ? 'cut' : String(exchange.status),
  exchange.method,
  exchange.target,
  exchange.remarks.map(({ text }) => text).join(', '),
];

/** A whole exchange and, with its details, the outcome and what to send instead. */
export function exchangeLines(exchange: Schema<'Exchange'> | Schema<'RequestDetails'>): string[] {
  const { method, target, status, request, response, changes } = exchange;
  return [
    `${exchange.id}  ${exchange.at}  ${exchange.durationMs.toFixed(1)} ms  ${exchange.operation ?? 'no operation'}`,
    `  > ${method} ${target}`,
    ...bodyLines('>', request, request.unread ? 'not read' : undefined),
    `  < ${status === 0 ? 'no response went out' : status}`,
    ...bodyLines('<', response),
    ...findingLines(exchange),
    ...effectLines(changes),
    ...('outcome' in exchange ? exchange.outcome.map(({ text }) => `  ${text}`) : []),
  ];
}

function findingLines(exchange: Schema<'Exchange'> | Schema<'RequestDetails'>): string[] {
  if ('findings' in exchange)
    return exchange.findings.flatMap(({ kind, side, location, message, sent, instead }) => [
      `  ${kind} (${side}) at ${location}: ${message}`,
      ...(sent === null ? [] : [`    - ${sent}`]),
      ...(instead === null ? [] : [`    + ${instead}`]),
    ]);
  return [
    ...exchange.violations.map(({ side, location, message }) => `  violation (${side}) at ${location}: ${message}`),
    ...exchange.warnings.map(({ location, message }) => `  warning (request) at ${location}: ${message}`),
  ];
}

/** Which pets it created. */
const effectLines = (changes: Schema<'Exchange'>['changes']): string[] =>
  Object.entries(changes ?? {}).flatMap(([name, ids]) => (ids.length === 0 ? [] : [`  ${name}: ${ids.join(', ')}`]));

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
