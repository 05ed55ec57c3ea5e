/** The fault that a request asks for: `Sandbox-Fault: status=503; delay=200`, or `Prefer: code=503`. */

import { ApiError } from '../../base/api/errors.ts';
import type { FaultValue } from '../../base/api/fault-text.ts';
import { problemOf } from '../../base/api/schema-problems.ts';
import { checks } from '../../base/generated/control-checks.js';
import { newFault } from '../../base/generated/facts.ts';
import { quoted } from '../../base/text.ts';
import { EFFECTS, type EffectField, type Fault, type FaultAsk, partName, whenOf } from '../../sandbox/faults.ts';
import type { Request } from '../http/open-exchange.ts';

/** Problems reported for one header: it has room for thousands. */
const MAX_HEADER_PROBLEMS = 5;
const namesOfParts = (): string => new Intl.ListFormat('en-GB').format(EFFECTS.map(partName));

/** Whether a request has a header that may ask for a fault. */
export const mayAskForFault = ({ headers }: Request): boolean =>
  headers['prefer'] !== undefined || headers['sandbox-fault'] !== undefined;

/** `undefined` if the request asks for none. @throws {ApiError} `invalid_request` naming the part */
export function faultAskedFor({ headers }: Request): Fault | undefined {
  const { prefer, 'sandbox-fault': own } = headers;
  if (own === undefined) return prefer === undefined ? undefined : preferred(String(prefer));
  return readFault(String(own));
}

/** A header asks for what a rule of the control API may do, by the same schema. Names are case-insensitive. */
function readFault(header: string): Fault {
  const problems: string[] = [];
  const asked: Record<string, FaultValue> = {};
  for (const text of header.split(';')) {
    if (text.trim() === '') continue;
    if (problems.length >= MAX_HEADER_PROBLEMS) break;
    const [name, value] = sidesOf(text);
    const field = EFFECTS.find((each) => partName(each).toLowerCase() === name.toLowerCase());
    if (!field) problems.push(`${quoted(name)} is unknown; the parts are ${namesOfParts()}`);
    else if (asked[field] !== undefined) problems.push(`${name} is given twice; give it once`);
    else asked[field] = valueAs(field, value);
  }
  const isToBeWorded = problems.length === 0 && !checks.fault(asked);
  const errors = isToBeWorded ? (checks.fault.errors ?? []) : [];
  const found = errors.flatMap((error) => problemOf(error, '') ?? []);
  for (const { location, message } of found.slice(0, MAX_HEADER_PROBLEMS)) {
    // The header has no part for a limit, and delays without their unit.
    const words = message.replaceAll('Ms`', '`').replace(' `limit`,', '');
    problems.push(`${partName(location.slice(1) as EffectField)} ${words}`.trim());
  }
  if (problems.length === 0) return { ...(asked as FaultAsk), when: whenOf(asked) };
  throw new ApiError(
    'invalid_request',
    `header/sandbox-fault: ${problems.join('; ')}; send for example \`Sandbox-Fault: status=503; when=after\``,
  );
}

/** As the schema has it, if it is of its type. */
function valueAs(field: EffectField, value: string): FaultValue {
  const { type } = newFault.properties[field];
  if (type === 'array') return value.split(',').map((word) => word.trim());
  return type === 'integer' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/**
 * `code` of `Prefer`, as in Prism. A preference that cannot be met is ignored; if there are several, the first counts
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

/** Splits `name=value`, with optional whitespace around both sides. */
function sidesOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
