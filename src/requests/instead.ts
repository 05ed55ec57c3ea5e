/**
 * Suggests how to correct the part of a request that a finding concerns: the nearest field name, a number within bounds,
 * an allowed value, the content type. Names, bounds and examples come from the specification.
 */

import { sampleOf } from '../api/schema-problems.ts';
import { type Field, fieldsOf, parameterOf, wantedOfField } from '../api/specification.ts';
import { isObject, type JsonObject, type JsonValue, NumberLiteral, parseIfJson, readDecimal } from '../core/int64.ts';
import { didYouMean } from '../core/text.ts';
import type { components } from '../generated/control-api.d.ts';
import { basePath, type OperationName, operations } from '../generated/facts.ts';
import { nearestOperation } from './closest-operation.ts';
import { encodedTarget } from './malformed.ts';
import {
  jsonBeginning,
  memberText,
  nameOfPair,
  pathInBody,
  type RequestParts,
  type Spot,
  valueIn,
} from './request-parts.ts';

/** What to do with a part of a request, as `Sample` of `spec/control-api.yaml` describes it. */
export interface Correction {
  readonly action: components['schemas']['Sample']['action'];
  /** The part as sent; of `add` what it is added to. */
  readonly sent?: string | undefined;
  /** The part to send; of `remove` what remains without `sent`. */
  readonly instead?: string | undefined;
}

export function correctionOf(request: RequestParts, spot: Spot): Correction {
  const { action, sent = request.sentAt(spot.location), instead } = suggestionFor(request, spot);
  if (instead === undefined || instead === sent) return { action: 'other', sent };
  return { action: action === 'replace' && sent === undefined ? 'add' : action, sent, instead };
}

/** The correction as a sentence; `undefined` if it says nothing. */
export function fixOf({ action, sent, instead }: components['schemas']['Sample']): string | undefined {
  if (action === 'replace') return `Send ${instead} instead of ${sent}`;
  if (action === 'add') return `Add ${instead}`;
  if (action === 'remove') return `Leave out ${sent}`;
  const unset = UNSET.exec(sent ?? '')?.[1];
  return unset && `Set the variable before the request: the client wrote \`${unset}\` where a value belongs`;
}

/** What languages write for a value that was never set. */
const UNSET = /^\/.*\/(undefined|null|None|nil|NaN|\[object%20Object\]|%7B\w+%7D|\{\w+\})$/;

const OTHER: Correction = { action: 'other' };

function suggestionFor(request: RequestParts, spot: Spot): Correction {
  if (spot.rule === 'malformed-http/target') {
    const [method = '', target = ''] = request.line.split(/ (.*)/s, 2);
    const encoded = encodedTarget(target);
    return replacing(encoded && `${method} ${encoded}`);
  }
  if (spot.rule === 'no-operation') {
    return replacing(nearestOperation(...(request.line.split(' ', 2) as [string, string])));
  }
  const name = request.operation as OperationName | undefined;
  if (name === undefined || !Object.hasOwn(operations, name) || spot.rule === 'rejected') return OTHER;
  const [kind, member = ''] = spot.location.split('/', 2);
  switch (kind) {
    case 'query':
      return member === '' ? OTHER : forPair(request, name, member, spot);
    case 'path':
      return namesIn(name, 'path').includes(member) ? replacing(insteadOfPath(request, name, member, spot)) : OTHER;
    case 'body':
      return inBody(request, name, spot);
    case 'header':
      return replacing(HEADERS[member]);
    case 'operation':
      return spot.rule === 'deprecated' ? replacing(replacementOf(name)) : OTHER;
    default:
      return OTHER;
  }
}

const replacing = (instead: string | undefined, sent?: string): Correction => ({ action: 'replace', sent, instead });

const HEADERS: Readonly<Record<string, string>> = {
  authorization: 'Authorization: Bearer <API_KEY>',
  'content-type': 'Content-Type: application/json',
};

function forPair(request: RequestParts, operation: OperationName, name: string, { rule }: Spot): Correction {
  const own = (pair: string): boolean => nameOfPair(pair) === name;
  const sent = request.pairs.find(own);
  const value = sent === undefined ? '' : valueIn(sent);
  const described = namesIn(operation, 'query');
  const near = rule === 'unknown-parameter' ? didYouMean(name, described) : undefined;
  const known = near ?? (rule !== 'deprecated' && described.includes(name) ? name : undefined);
  if (known !== undefined && (value !== '' || sent === undefined)) {
    return replacing(pairOf(known, value, fieldAt(operation, `query/${known}`)));
  }
  const others = request.pairs.filter((pair) => !own(pair)).join('&');
  const rest = `${request.line.split('?')[0]}${others === '' ? '' : `?${others}`}`;
  return { action: 'remove', instead: rest };
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
  const sent = request.path.split('/')[`${basePath}${path}`.split('/').indexOf(`{${name}}`)] ?? '';
  // A number out of bounds is no id in another form: its nearest bound would be another pet.
  const exact = integerIn(sent);
  const { minimum, maximum } = fieldAt(operation, `path/${name}`);
  const isWithin = exact !== undefined && exact >= minimum && exact <= maximum;
  const value = handedOut ?? (isWithin ? String(exact) : undefined);
  return value === undefined ? undefined : `${basePath}${path.replace(`{${name}}`, value)}`;
}

function inBody(request: RequestParts, operation: OperationName, spot: Spot): Correction {
  const { body, bodyExample } = operations[operation];
  // The fragments here are members of the described object; a body of another shape gets a complete example.
  if (body === null || bodyExample === null) return OTHER;
  const { fields } = request;
  const [name, ...deeper] = pathInBody(fields, spot.location);
  if (spot.rule.startsWith('rejected') || deeper.length > 0) return OTHER;
  if (name === undefined || fields === undefined) {
    const inner = wrappedObject(request);
    return replacing(inner === undefined ? JSON.stringify(bodyExample) : jsonBeginning(inner, 200));
  }
  const described = fieldsOf(body as 'NewPet');
  const field = described.find((each) => each.name === name);
  const value = fields[name];
  if (field && value !== undefined) {
    if (value === null && !field.required) return { action: 'remove', instead: knownFields(fields, described, name) };
    return replacing(memberWith(field, value, bodyExample));
  }
  const isUnknown = (each: string): boolean => !described.some((known) => known.name === each);
  const missing = described.filter((each) => fields[each.name] === undefined);
  // The whole object in a field of its own: `{"pet":{"name":"Rex","categoryId":1}}`.
  const wrapper = (field ? Object.keys(fields) : [name]).find((each) => {
    const inner = isUnknown(each) ? fields[each] : undefined;
    return isObject(inner) && missing.some(({ required, name: own }) => required && Object.hasOwn(inner, own));
  });
  if (wrapper !== undefined) {
    const inner = fields[wrapper] as JsonObject;
    const members = knownFields(inner, described).slice(1, -1);
    return replacing(members, memberText(wrapper, inner));
  }
  if (!field) {
    const near = missing.find(
      (each) =>
        each.name ===
        didYouMean(
          name,
          missing.map((other) => other.name),
        ),
    );
    if (near && value !== undefined) return replacing(memberWith(near, value, bodyExample));
    return { action: 'remove', instead: knownFields(fields, described) };
  }
  const misspelt = Object.keys(fields).find((each) => isUnknown(each) && didYouMean(each, [name]) === name);
  if (misspelt === undefined) return { action: 'add', instead: memberWith(field, undefined, bodyExample) };
  const sent = fields[misspelt] as JsonValue;
  return replacing(memberWith(field, sent, bodyExample), memberText(misspelt, sent));
}

/** The object that was meant by a body that is no object: in a list, as a text, or behind a byte order mark. */
function wrappedObject({ body, bodyText = '' }: RequestParts): JsonObject | undefined {
  if (Array.isArray(body)) return body.length === 1 && isObject(body[0]) ? body[0] : undefined;
  const inner = parseIfJson(typeof body === 'string' ? body : bodyText.replace(/^\ufeff/, ''));
  return isObject(inner) ? inner : undefined;
}

/** The object with its described fields only. @param without a field to leave out as well */
const knownFields = (fields: JsonObject, described: readonly Field[], without?: string): string =>
  jsonBeginning(
    Object.fromEntries(
      Object.entries(fields).filter(([each]) => each !== without && described.some(({ name }) => name === each)),
    ),
    200,
  );

/** `"categoryId":1`, with a value that the field allows. */
function memberWith(field: Field, value: JsonValue | undefined, example: object): string {
  const text = scalarText(value);
  const allowed = text === undefined ? undefined : closest(field, text);
  const name = JSON.stringify(field.name);
  if (allowed !== undefined) return `${name}:${field.type === 'string' ? JSON.stringify(allowed) : allowed}`;
  if (field.enum) return `${name}:${field.enum.map((each) => JSON.stringify(each)).join('|')}`;
  const sample = (example as Record<string, unknown>)[field.name] ?? sampleOf(field.schema);
  // Nothing here makes up a text for a pattern.
  if (field.check !== undefined && !field.check(sample)) return `${name}: ${wantedOfField(field)}`;
  return `${name}:${JSON.stringify(sample)}`;
}

function scalarText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || Array.isArray(value) || isObject(value)) return undefined;
  return value instanceof NumberLiteral ? value.text : String(value);
}

/** The allowed value nearest to the one sent; `undefined` if none is near. */
function closest(field: Field, sent: string): string | undefined {
  if (field.enum) return didYouMean(sent, field.enum);
  if (field.type === 'boolean') return /^(?:true|false)$/i.test(sent) ? sent.toLowerCase() : undefined;
  if (field.type === 'number') return allowedBy(field, Number(sent)) ? String(Number(sent)) : undefined;
  if (field.type === 'other') return undefined;
  if (field.type === 'string') return allowedBy(field, sent) ? sent : undefined;
  const value = integerIn(sent);
  if (value === undefined || !allowedBy(field, Number(value))) return undefined;
  if (value < field.minimum) return String(field.minimum);
  return String(value > field.maximum ? field.maximum : value);
}

const allowedBy = ({ check }: Field, value: string | number): boolean =>
  !Number.isNaN(value) && (check === undefined || check(value));

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
