/** Exchanges as text, for terminals. */
import { counted } from '../core/text.ts';
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

/** An exchange in full; with its details, what to send instead. */
export function exchangeLines(exchange: Schema<'Exchange'> | Schema<'RequestDetails'>): string[] {
  const { method, target, status, request, response, injectedFault, validationError, changes } = exchange;
  return [
    `${exchange.id}  ${exchange.at}  ${exchange.durationMs.toFixed(1)} ms  ${exchange.operation ?? 'no operation'}`,
    `  > ${method} ${target}`,
    ...bodyLines('>', request, request.unread ? 'not read' : undefined),
    `  < ${status === 0 ? `no response went out${exchange.disconnectedAt === null ? '' : ': the client had left'}` : status}`,
    ...bodyLines('<', response),
    ...findingLines(exchange),
    ...(injectedFault === null ? [] : [`  injected fault: ${injectedFault}`]),
    ...effectLines(changes),
    ...[lossIn(exchange) ?? rejectionIn(exchange) ?? []].flat().map((outcome) => `  ${outcome}`),
    ...(validationError === null ? [] : [`  not validated: ${validationError}`]),
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

/** What it did to which pets. */
const effectLines = (changes: Schema<'Exchange'>['changes']): string[] =>
  Object.entries(changes ?? {}).flatMap(([name, ids]) => (ids.length === 0 ? [] : [`  ${name}: ${ids.join(', ')}`]));

/** What a recording's exchange has as well. */
type RecordedOutcome = Omit<Schema<'ExchangeSummary'>, 'petName' | 'fromDashboard' | 'remarks'>;

/** The actual effect, if the response said something else, or was lost: the pet exists. */
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
