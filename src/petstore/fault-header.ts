/** The fault that a request asks for: `Sandbox-Fault: status=503; delay=200`, or `Prefer: code=503`. */

import { ApiError } from '../api/errors.ts';
import type { FaultValue } from '../api/fault-text.ts';
import { wantedOf } from '../api/schema-problems.ts';
import { isAndSent, quoted } from '../core/text.ts';
import { newFault } from '../generated/facts.ts';
import type { Request } from '../http/open-exchange.ts';
import { EFFECTS, type EffectField, type Fault, type FaultAsk, partName, whenOf } from '../sandbox/faults.ts';

/**
 * The form of a part of `Sandbox-Fault`: a number within the bounds of the rules' field, one of its words, or several.
 */
type HeaderPart = { readonly field: EffectField } & (
  | { readonly minimum: number; readonly maximum: number }
  | { readonly enum: readonly string[] }
  | { readonly items: { readonly enum: readonly string[] } }
);

/** By part name in lower case: parameter names are case-insensitive. */
const PARTS: Readonly<Record<string, HeaderPart>> = Object.fromEntries(
  EFFECTS.map((field) => [partName(field).toLowerCase(), { field, ...newFault.properties[field] }]),
);
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

function readFault(header: string): Fault {
  const problems: string[] = [];
  const request: Record<string, FaultValue> = {};
  for (const text of header.split(';')) {
    if (text.trim() === '') continue;
    if (problems.length >= MAX_HEADER_PROBLEMS) break;
    const [name, value] = sidesOf(text);
    const part = Object.hasOwn(PARTS, name.toLowerCase()) ? PARTS[name.toLowerCase()] : undefined;
    if (!part) problems.push(`${quoted(name)} is unknown; the parts are ${namesOfParts()}`);
    else if (request[part.field] !== undefined) problems.push(`${name} is given twice; give it once`);
    else request[part.field] = readPartValue(name, value, part, problems);
  }
  const fault = request as FaultAsk;
  if (problems.length === 0) problems.push(...contradictionsIn(fault));
  if (problems.length === 0) return { ...fault, when: whenOf(fault) };
  throw new ApiError(
    'invalid_request',
    `header/sandbox-fault: ${problems.join('; ')}; send for example \`Sandbox-Fault: status=503; when=after\``,
  );
}

function readPartValue(name: string, value: string, part: HeaderPart, problems: string[]): FaultValue {
  if ('items' in part) {
    const words = value.split(',').map((word) => word.trim());
    if (new Set(words).size < words.length || !words.every((word) => part.items.enum.includes(word))) {
      problems.push(`${name} ${isAndSent(`some of ${part.items.enum.join(',')}`, quoted(value))}`);
    }
    return words;
  }
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  const isAllowed = 'enum' in part ? part.enum.includes(value) : number >= part.minimum && number <= part.maximum;
  if (!isAllowed) problems.push(`${name} ${isAndSent(wantedOf(part), quoted(value))}`);
  return 'enum' in part ? value : number;
}

/** Contradictory fields of a rule, according to the same schema. */
function contradictionsIn(fault: FaultAsk): string[] {
  const has = (field: string): boolean => fault[field as EffectField] !== undefined;
  const nameOf = (field: string): string => partName(field as EffectField);
  const { anyOf, dependentRequired, allOf } = newFault;
  const problems: string[] = [];
  const oneOf = anyOf.flatMap(({ required }): readonly string[] => required).filter(isPart);
  if (!oneOf.some(has)) problems.push(`needs at least one of ${oneOf.map(nameOf).join(', ')}`);
  for (const [field, needed] of Object.entries<readonly string[]>(dependentRequired)) {
    const missing = has(field) ? needed.filter((each) => !has(each)) : [];
    problems.push(...missing.map((each) => `${nameOf(each)} is required together with ${nameOf(field)}`));
  }
  for (const { not } of allOf) {
    const unwanted: [string, { readonly enum?: readonly unknown[] }][] = Object.entries(not.properties);
    const isUnwanted = unwanted.every(
      ([field, { enum: values }]) => !values || values.includes(fault[field as EffectField]),
    );
    if (not.required.every(has) && isUnwanted) problems.push(not.description);
  }
  return problems;
}

const isPart = (field: string): boolean => (EFFECTS as readonly string[]).includes(field);

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
