/**
 * Suggests what a client could send instead of the part that a finding concerns: the nearest field name, a number
 * within bounds, an allowed value, the content type. Names, bounds and examples come from the specification.
 */

import { isObject, type JsonValue, NumberLiteral, readDecimal } from '../core/int64.ts';
import { type Field, fieldsOf, parameterOf } from '../core/specification.ts';
import { didYouMean } from '../core/text.ts';
import { basePath, type OperationName, operations } from '../generated/facts.ts';
import { nearestOperation } from './closest-operation.ts';
import {
  jsonBeginning,
  memberText,
  nameOf,
  pathInBody,
  type RequestParts,
  type Spot,
  valueIn,
} from './request-parts.ts';

/** The fragment to send; `undefined` if none can be derived. */
export function insteadOf(request: RequestParts, spot: Spot): string | undefined {
  if (spot.rule === 'no-operation') return nearestOperation(...(request.line.split(' ', 2) as [string, string]));
  const name = request.operation as OperationName | undefined;
  if (name === undefined || !Object.hasOwn(operations, name)) return undefined;
  const [kind, member = ''] = spot.location.split('/', 2);
  switch (kind) {
    case 'query':
      return member === '' ? undefined : insteadOfPair(request, name, member, spot);
    case 'path':
      return namesIn(name, 'path').includes(member) ? insteadOfPath(request, name, member, spot) : undefined;
    case 'body':
      return insteadInBody(request, name, spot);
    case 'header':
      return HEADERS[member];
    case 'operation':
      return replacementOf(name);
    default:
      return undefined;
  }
}

const HEADERS: Readonly<Record<string, string>> = {
  authorization: 'Authorization: Bearer <API_KEY>',
  'content-type': 'Content-Type: application/json',
};

function insteadOfPair(request: RequestParts, operation: OperationName, name: string, { rule }: Spot): string {
  const own = (pair: string): boolean => nameOf(pair) === name;
  const sent = request.pairs.find(own);
  const described = namesIn(operation, 'query');
  if (!described.includes(name)) {
    const near = rule === 'unknown-parameter' ? didYouMean(name, described) : undefined;
    if (near !== undefined && sent !== undefined)
      return pairOf(near, valueIn(sent), fieldAt(operation, `query/${near}`));
  } else if (sent !== undefined && rule !== 'deprecated') {
    return pairOf(name, valueIn(sent), fieldAt(operation, `query/${name}`));
  }
  const others = request.pairs.filter((pair) => !own(pair)).join('&');
  return `${request.line.split('?')[0]}${others === '' ? '' : `?${others}`}`;
}

function pairOf(name: string, sent: string, field: Field): string {
  const value = closest(field, sent) ?? field.default ?? field.enum?.join('|') ?? sent;
  return `${name}=${String(value)}`;
}

function insteadOfPath(
  request: RequestParts,
  operation: OperationName,
  name: string,
  { handedOut }: Spot,
): string | undefined {
  const { path } = operations[operation];
  const sent = request.path.split('/')[`${basePath}${path}`.split('/').indexOf(`{${name}}`)];
  const value = handedOut ?? (sent === undefined ? undefined : closest(fieldAt(operation, `path/${name}`), sent));
  return value === undefined ? undefined : `${basePath}${path.replace(`{${name}}`, value)}`;
}

function insteadInBody(request: RequestParts, operation: OperationName, spot: Spot): string | undefined {
  const { body, bodyExample } = operations[operation];
  // The fragments here are members of the described object; a body of another shape gets a complete example.
  if (body === null || bodyExample === null) return undefined;
  const { fields } = request;
  const [name, ...deeper] = pathInBody(fields, spot.location);
  if (name === undefined || fields === undefined || deeper.length > 0) {
    return spot.rule.startsWith('rejected') || deeper.length > 0 ? undefined : JSON.stringify(bodyExample);
  }
  const described = fieldsOf(body as 'NewPet');
  if (spot.handedOut !== undefined) return `${JSON.stringify(name)}:${spot.handedOut}`;
  const field = described.find((each) => each.name === name);
  if (!field) return withKnownName(fields, name, described);
  const unknown = Object.keys(fields).filter((each) => !described.some((known) => known.name === each));
  const misspelt = fields[name] === undefined ? unknown.find((each) => didYouMean(each, [name]) === name) : undefined;
  const value = fields[misspelt ?? name];
  return `${JSON.stringify(name)}:${jsonFor(field, value, bodyExample)}`;
}

/** The member with its corrected name, or the object without it. */
function withKnownName(fields: { [name: string]: JsonValue }, name: string, described: readonly Field[]): string {
  const free = described.map((field) => field.name).filter((each) => fields[each] === undefined);
  const near = didYouMean(name, free);
  const value = fields[name];
  if (near !== undefined && value !== undefined) return memberText(near, value);
  const known = Object.entries(fields).filter(([each]) => described.some((field) => field.name === each));
  return jsonBeginning(Object.fromEntries(known), 200);
}

/** The JSON of a value that the field allows. */
function jsonFor(field: Field, value: JsonValue | undefined, example: object): string {
  const text = scalarText(value);
  const allowed = text === undefined ? undefined : closest(field, text);
  if (allowed !== undefined) return field.type === 'integer' ? allowed : JSON.stringify(allowed);
  if (field.enum) return field.enum.map((each) => JSON.stringify(each)).join('|');
  return JSON.stringify((example as Record<string, unknown>)[field.name]);
}

function scalarText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || Array.isArray(value) || isObject(value)) return undefined;
  return value instanceof NumberLiteral ? value.text : String(value);
}

/** The allowed value nearest to the one sent; `undefined` if none is near. */
function closest(field: Field, sent: string): string | undefined {
  if (field.enum) return didYouMean(sent, field.enum);
  if (field.type === 'string') return sent;
  const value = integerIn(sent);
  if (value === undefined) return undefined;
  if (value < field.minimum) return String(field.minimum);
  return String(value > field.maximum ? field.maximum : value);
}

/** `+5`, `05` and `5.0` give 5, and 1.5 gives 1; `undefined` for a text that is not a number. */
function integerIn(text: string): bigint | undefined {
  const exact = readDecimal(text);
  if (exact !== undefined) return exact;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
}

function namesIn(operation: OperationName, kind: string): readonly string[] {
  const places = Object.keys(operations[operation].parameters);
  return places
    .filter((location) => location.startsWith(`${kind}/`))
    .map((location) => location.slice(kind.length + 1));
}

const fieldAt = (operation: OperationName, location: string): Field => parameterOf(operation, location);

/** For a deprecated operation on one item: the list that contains it, filtered by the first value of an enumeration. */
function replacementOf(operation: OperationName): string | undefined {
  const { path, deprecated } = operations[operation];
  const parent = path.slice(0, path.lastIndexOf('/'));
  if (!deprecated) return undefined;
  for (const other of Object.values(operations)) {
    if (other.deprecated || other.method !== 'get' || other.path !== parent) continue;
    const filter = Object.entries<{ readonly example: unknown; readonly schema: object }>(other.parameters).find(
      ([, { schema }]) => 'enum' in schema,
    );
    const query = filter ? `?${filter[0].slice('query/'.length)}=${filter[1].example}` : '';
    return `${other.method.toUpperCase()} ${basePath}${other.path}${query}`;
  }
  return undefined;
}
