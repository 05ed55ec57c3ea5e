/** The fault that a request asks for itself: `Sandbox-Fault: status=503; delay=200`, or `Prefer: code=503`. */
import type { Request } from 'express';
import { ApiError } from '../errors.ts';
import { FAULT_FIELDS, type Fault, type FaultAsk, whenOf } from '../sandbox/faults.ts';
import { quoted } from '../wording.ts';

/** What a part of `Sandbox-Fault` may be: an integer in the bounds of the rules' field, or one of its words. */
type Part = { readonly field: keyof FaultAsk } & (
  | { readonly minimum: number; readonly maximum: number }
  | { readonly enum: readonly string[] }
);

/** By the name of the part, in small letters: names of parameters are case-insensitive. */
const PARTS: Readonly<Record<string, Part>> = {
  status: { field: 'status', ...FAULT_FIELDS.status },
  retryafter: { field: 'retryAfter', ...FAULT_FIELDS.retryAfter },
  delay: { field: 'delayMs', ...FAULT_FIELDS.delayMs },
  connection: { field: 'connection', ...FAULT_FIELDS.connection },
  when: { field: 'when', ...FAULT_FIELDS.when },
};
/** Problems of one header that are named: it has room for thousands. */
const MAX_PROBLEMS = 5;
const NAMES = 'status, retryAfter, delay, connection and when';

/** `undefined` when the request asks for none. @throws {ApiError} `invalid_request` naming the part */
export function faultAskedFor({ headers }: Request): Fault | undefined {
  const { prefer, 'sandbox-fault': own } = headers;
  if (own === undefined) return prefer === undefined ? undefined : preferred(String(prefer));
  return readFault(String(own));
}

function readFault(header: string): Fault {
  const problems: string[] = [];
  const ask: Record<string, string | number> = {};
  for (const text of header.split(';')) {
    if (text.trim() === '') continue;
    if (problems.length >= MAX_PROBLEMS) break;
    const [name, value] = sidesOf(text);
    const part = Object.hasOwn(PARTS, name.toLowerCase()) ? PARTS[name.toLowerCase()] : undefined;
    if (!part) problems.push(`${quoted(name)} is unknown; the parts are ${NAMES}`);
    else if (ask[part.field] !== undefined) problems.push(`${name} is given twice; give it once`);
    else ask[part.field] = readValue(name, value, part, problems);
  }
  const fault = ask as FaultAsk;
  if (problems.length === 0) problems.push(...contradictionsIn(fault));
  if (problems.length === 0) return { ...fault, when: whenOf(fault) };
  throw new ApiError(
    'invalid_request',
    `header/sandbox-fault: ${problems.join('; ')}; send for example \`Sandbox-Fault: status=503; when=after\``,
  );
}

function readValue(name: string, value: string, part: Part, problems: string[]): string | number {
  if ('enum' in part) {
    if (!part.enum.includes(value))
      problems.push(`${name} must be one of ${part.enum.join(', ')}; got ${quoted(value)}`);
    return value;
  }
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= part.minimum && number <= part.maximum)) {
    problems.push(`${name} must be an integer from ${part.minimum} to ${part.maximum}; got ${quoted(value)}`);
  }
  return number;
}

/** The same that the document says of a rule. */
function contradictionsIn({ status, retryAfter, delayMs, connection }: FaultAsk): string[] {
  const problems: string[] = [];
  if (status === undefined && delayMs === undefined && connection === undefined)
    problems.push('must have at least one of status, delay, connection');
  if (retryAfter !== undefined && status === undefined) problems.push('status is required beside retryAfter');
  if (status !== undefined && (connection === 'reset' || connection === 'empty'))
    problems.push(`status cannot be seen with connection=${connection}; leave one of them out`);
  return problems;
}

/**
 * `code` of `Prefer`, as Prism has it. A preference that cannot be met is ignored, and of several the first counts
 * (RFC 7240, section 2).
 */
function preferred(header: string): Fault | undefined {
  for (const preference of header.split(',')) {
    const [name, value] = sidesOf(preference.split(';')[0] as string);
    if (name.toLowerCase() !== 'code') continue;
    const status = /^"?([45]\d\d)"?$/.exec(value)?.[1];
    return status === undefined ? undefined : { when: 'before', status: Number(status) };
  }
  return undefined;
}

/** `name=value`, with white space around either. */
function sidesOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
