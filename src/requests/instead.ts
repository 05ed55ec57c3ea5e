/**
 * Suggests how to correct the part of a request that a finding concerns: the nearest field name, a number within bounds,
 * an allowed value, the content type. Names, bounds and examples come from the specification.
 */

import { allowedValueOf } from '../api/schema-problems.ts';
import { type Field, fieldsOf, parameterOf, valueOfText, wantedOfField } from '../api/specification.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  NumberLiteral,
  parseIfJson,
  readDecimal,
  writeJson,
} from '../core/int64.ts';
import { didYouMean, shorten } from '../core/text.ts';
import type { components } from '../generated/control-api.d.ts';
import { basePath, type OperationName, operations } from '../generated/facts.ts';
import { isMethod, nearestOperation, plainPath } from './closest-operation.ts';
import { encodedTarget } from './malformed.ts';
import {
  joined,
  jsonBeginning,
  memberText,
  pathInBody,
  type QueryPart,
  type SentParts,
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
  /** What else to do, or what to choose, as a sentence without its period. */
  readonly advice?: string | undefined;
}

export function correctionOf(request: SentParts, spot: Spot): Correction {
  const { action, sent = request.sentAt(spot.location), instead, advice } = suggestionFor(request, spot);
  if (instead === undefined || instead === sent) return { action: 'other', sent, advice };
  return { action: action === 'replace' && sent === undefined ? 'add' : action, sent, instead, advice };
}

/** The correction as a sentence; `undefined` if it says nothing. */
export function fixOf({ action, sent, instead, advice }: components['schemas']['Sample']): string | undefined {
  const sentence = {
    replace: `Send ${instead} instead of ${sent}`,
    add: `Add ${instead}`,
    remove: `Leave out ${sent}`,
    other: undefined,
  }[action];
  return sentence && advice ? `${sentence}. ${advice}` : (sentence ?? advice);
}

/** What languages write for a value that was never set, and the placeholders of templates. */
const UNSET = /^(?:undefined|null|none|nil|nan|\[object object\]|\$?\{\{?[\w .-]*\}\}?|<[\w .-]+>|:[a-z]\w*)$/i;

const unsetAdvice = (written: string): string | undefined =>
  UNSET.test(written)
    ? `Set the variable before the request: the client wrote \`${written}\` where a value belongs`
    : undefined;

const OTHER: Correction = { action: 'other' };

function suggestionFor(request: SentParts, spot: Spot): Correction {
  if (spot.rule === 'malformed-http/target') {
    const [method = '', target = ''] = request.line.split(/ (.*)/s, 2);
    const encoded = encodedTarget(target);
    return replacing(encoded && `${method} ${encoded}`);
  }
  if (spot.rule === 'no-operation') return insteadOfLine(request);
  const name = request.operation as OperationName | undefined;
  if (name === undefined || !Object.hasOwn(operations, name)) return OTHER;
  if (spot.rule === 'rejected' && spot.location !== 'operation') return OTHER;
  const [kind, member = ''] = spot.location.split('/', 2);
  switch (kind) {
    case 'query':
      return member === '' ? OTHER : forPair(request, name, member, spot);
    case 'path':
      return namesOfKind(name, 'path').includes(member) ? forPath(request, name, member, spot) : OTHER;
    case 'body':
      return inBody(request, name, spot);
    case 'header':
      return forHeader(request, name, member);
    case 'operation':
      return spot.rule === 'deprecated' || request.status === 410 ? listWith(request, name) : OTHER;
    default:
      return OTHER;
  }
}

const replacing = (instead: string | undefined, sent?: string): Correction => ({ action: 'replace', sent, instead });

function forHeader(request: SentParts, operation: OperationName, name: string): Correction {
  if (name === 'content-encoding')
    return { action: 'other', advice: 'Leave out Content-Encoding, and send the body as it is, not compressed' };
  if (name === 'authorization') return replacing('Authorization: Bearer <API_KEY>');
  if (name !== 'content-type') return OTHER;
  const { bodyExample } = operations[operation];
  const type = request.contentType ?? '';
  const example = bodyExample === null ? 'JSON' : `JSON, such as ${JSON.stringify(bodyExample)}`;
  const form = formAsJson(request);
  const advice = /form|multipart/i.test(type)
    ? `Write the values of the form as ${form === undefined ? example : `JSON: ${form}`}`
    : /charset/i.test(type)
      ? 'Encode the body as UTF-8'
      : /xml|yaml|csv|html/i.test(type)
        ? `Write the body as ${example}`
        : undefined;
  return { ...replacing('Content-Type: application/json'), advice };
}

/** For a request that matches no operation: the address that was meant, with its query; nothing for another method. */
function insteadOfLine(request: SentParts): Correction {
  const [method = '', target = ''] = request.line.split(/ (.*)/s, 2);
  if (!isMethod(method)) return { action: 'other', advice: noMethod(method) };
  const encoded = decodedMarks(target);
  if (encoded !== undefined) return replacing(`${method} ${encoded}`);
  if (/%(?![\da-f]{2})/i.test(target))
    return { action: 'other', advice: 'Build addresses with a URL library: a percent sign itself is written `%25`' };
  const near = nearestOperation(method, target);
  if (near === undefined) return OTHER;
  const [, query] = target.split(/\?(.*)/s, 2);
  const id = method === 'GET' ? /\/([+-]?\d+)\/*$/.exec(plainPath(target))?.[1] : undefined;
  if (id !== undefined) return { ...replacing(`${near}?limit=${MOST}`), advice: takeFromList(id) };
  return replacing(query ? `${near}?${query}` : near);
}

const noMethod = (method: string): string => {
  const all = Object.values(operations).map((each) => `${each.method.toUpperCase()} ${basePath}${each.path}`);
  return `Leave this request out: the API has no ${method}, so a pet can be neither changed nor deleted. It has ${all.join(', ')}`;
};

/** A target whose `?`, `&` and `=` were encoded with the rest: `/v1/pets%3Flimit=5`. */
function decodedMarks(target: string): string | undefined {
  const marks = target.replace(/%3f/i, '?').replaceAll(/%26/g, '&').replaceAll(/%3d/gi, '=');
  const [path = ''] = marks.split('?', 1);
  const isKnown = Object.values(operations).some((each) => `${basePath}${each.path}` === path);
  return marks !== target && isKnown ? marks : undefined;
}

function forPair(request: SentParts, operation: OperationName, name: string, { rule }: Spot): Correction {
  const own = (pair: QueryPart): boolean => pair.name === name;
  const sent = request.pairs.find(own)?.text;
  const value = sent === undefined ? '' : valueIn(sent);
  const described = namesOfKind(operation, 'query');
  const others = joined(request.pairs.filter((pair) => !own(pair)));
  const rest = `${request.line.split('?')[0]}${others === '' ? '' : `?${others}`}`;
  const without = (advice?: string): Correction => ({ action: 'remove', instead: rest, advice });
  if (rule === 'unknown-parameter') {
    // The whole pair was encoded: `limit%3D5`.
    if (!sent?.includes('=') && described.includes(name.split('=', 1)[0] as string)) return replacing(name);
    const near =
      didYouMean(name, described) ?? (SIZES.test(name) ? described.find((each) => each === 'limit') : undefined);
    if (near === undefined) return without(PAGES.test(name) ? furtherPages(described) : UNKNOWN_FILTER);
    return value === '' ? without() : correctedPair(near, value, fieldAt(operation, `query/${near}`));
  }
  const isKnown = rule !== 'deprecated' && described.includes(name) && (value !== '' || sent === undefined);
  const unset = unsetAdvice(value);
  return isKnown && !unset ? correctedPair(name, value, fieldAt(operation, `query/${name}`)) : without(unset);
}

/** @param described the parameters of the operation */
function furtherPages(described: readonly string[]): string {
  const names = described.filter((name) => PAGES.test(name));
  if (names.length > 0) return `Use ${names.map((name) => `\`${name}\``).join(' or ')} for further pages`;
  return `There are no further pages in this API: a list has at most ${MOST} pets`;
}
const UNKNOWN_FILTER = 'The service ignores it: search the list for what it was to select';
const PAGES =
  /^(?:page|page_?(?:no|number|index|token)|offset|skip|start|from|cursor|after|before|next|continuation_?token)$/i;
const SIZES = /^(?:per_?page|page_?size|size|count|max|max_?results|top|take|first)$/i;

function correctedPair(name: string, sent: string, field: Field): Correction {
  const value = closestValue(field, sent);
  const pairWith = (text: string): string => `${name}=${inQuery(text)}`;
  if (value !== undefined) return replacing(pairWith(value));
  const [first] = field.enum ?? [];
  if (first === undefined) {
    const usual = field.default === undefined ? undefined : String(field.default);
    return usual === undefined
      ? { action: 'other', advice: `Send ${wantedOfField(field)}` }
      : replacing(pairWith(usual));
  }
  // A list of values.
  const [listed] = sent.split(/[,;|\s]+/).filter((each) => field.enum?.includes(each));
  if (listed !== undefined) return { ...replacing(pairWith(listed)), advice: ONE_EACH };
  return { ...replacing(pairWith(first)), advice: oneOf(field.enum) };
}

/** A text as the value of a parameter: what needs no percent-encoding stays readable. */
const inQuery = (text: string): string => text.replaceAll(/[^\w.~:,/@!*'()-]+/gu, encodeURIComponent);

const ONE_EACH = 'Send one request for each value';

/** The other values of an enumeration, where it is not known which was meant. */
function oneOf(values: readonly string[] = []): string | undefined {
  const [, ...others] = values;
  return others.length === 0 ? undefined : `Or send ${others.join(' or ')}: one value, the one that is meant`;
}

function forPath(request: SentParts, operation: OperationName, name: string, { handedOut }: Spot): Correction {
  const { path } = operations[operation];
  const sent = request.path.split('/')[`${basePath}${path}`.split('/').indexOf(`{${name}}`)] ?? '';
  const written = decodedText(sent);
  const withValue = (value: string): Correction => replacing(`${basePath}${path.replace(`{${name}}`, value)}`);
  if (handedOut !== undefined) return { ...withValue(handedOut), advice: KEEP_DIGITS };
  const unset = unsetAdvice(written);
  if (unset !== undefined) return { action: 'other', advice: unset };
  const exact = integerIn(written);
  if (exact === undefined) {
    const query = knownPairs(request);
    const list = `GET ${basePath}${path.slice(0, path.lastIndexOf('/'))}`;
    // `/pets/findByStatus?status=sold` of another petstore.
    if (/^(?:find|search|list|filter|query|all$)/i.test(written))
      return replacing(query === '' ? list : `${list}?${query}`, request.line);
    return { action: 'other', advice: `${IDS}, so \`${shortValue(written)}\` is none` };
  }
  // A number out of bounds is no id in another form: its nearest bound would be another pet.
  const { minimum, maximum } = fieldAt(operation, `path/${name}`);
  const isWithin = exact >= minimum && exact <= maximum;
  // Beyond the digits of a double, it may be another id already.
  const isKept = /^[+-]?\d+$/.test(written) || (exact < FIRST_LOST && exact > -FIRST_LOST);
  return isWithin && isKept ? withValue(String(exact)) : { action: 'other', advice: KEEP_DIGITS };
}

const IDS = 'Send the `id` of a pet from a response: the API assigns ids, which are integers';
const KEEP_DIGITS =
  'Keep ids in a 64-bit integer type and write all their digits: %d, not %v of a float64, and no double or float';
/** From here on, a double may stand for several integers. */
const FIRST_LOST = 2n ** 53n;

const parametersOfList = Object.values(operations)
  .filter(({ method, path }) => method === 'get' && !path.includes('{'))
  .flatMap(({ parameters }) => Object.keys(parameters).map((location) => location.replace(/^query\//, '')));

/** The most items that a list has. */
const MOST = parameterOf('listPets', 'query/limit').maximum;

const takeFromList = (id: string): string => `Take the pet with the id ${id} from the list`;

const shortValue = (text: string): string => shorten(text, 50);

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** For an operation on one item: the list in which it is, and what to do with that. */
function listWith(request: SentParts, operation: OperationName): Correction {
  const list = listOf(operation);
  if (list === undefined) return OTHER;
  const id = /\/([+-]?\d+)$/.exec(request.path)?.[1];
  const status = request.foundStatus;
  if (id !== undefined)
    return {
      ...replacing(`${list}?${status === undefined ? '' : `status=${inQuery(status)}&`}limit=${MOST}`),
      advice: takeFromList(id),
    };
  const query = knownPairs(request);
  return {
    ...replacing(query === '' ? `${list}?limit=${MOST}` : `${list}?${query}`),
    advice: `${IDS}; the list has them`,
  };
}

/** The part of a query that the list takes. */
const knownPairs = (request: SentParts): string =>
  joined(request.pairs.filter(({ name }) => parametersOfList.includes(name)));

function inBody(request: SentParts, operation: OperationName, spot: Spot): Correction {
  const { body, bodyExample } = operations[operation];
  // The fragments here are members of the described object; a body of another shape gets a complete example.
  if (body === null) return noBody(operation);
  if (bodyExample === null) return OTHER;
  const { fields } = request;
  const described = fieldsOf(body as 'NewPet');
  const [name, ...deeper] = pathInBody(fields, spot.location);
  if (spot.rule.startsWith('rejected')) return rejectedBody(request);
  if (deeper.length > 0) return OTHER;
  if (name === undefined || fields === undefined) return wholeBody(request, described, bodyExample);
  const field = described.find((each) => each.name === name);
  const value = fields[name];
  if (field && value !== undefined) return forMember(field, value, { fields, described, example: bodyExample });
  // Another correction has taken it out.
  if (field && spot.rule !== 'required') return OTHER;
  return missingOrUnknown(name, field, { fields, described, example: bodyExample });
}

interface BodyParts {
  readonly fields: JsonObject;
  readonly described: readonly Field[];
  readonly example: object;
}

/** For a described field with a wrong value. */
function forMember(field: Field, value: JsonValue, { fields, described, example }: BodyParts): Correction {
  const unset = typeof value === 'string' && field.type !== 'string' ? unsetAdvice(value) : undefined;
  const isNothing = value === null || (typeof value === 'string' && field.enum && (value === '' || UNSET.test(value)));
  if (isNothing && !field.required) return { action: 'remove', instead: knownFields(fields, described, field.name) };
  return unset === undefined ? memberFor(field, value, example) : { action: 'other', advice: unset };
}

/** For a described field that is missing, or one that is not described: often they are one. */
function missingOrUnknown(
  name: string,
  field: Field | undefined,
  { fields, described, example }: BodyParts,
): Correction {
  const value = fields[name];
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
    const names = missing.map((each) => each.name);
    const near = missing.find((each) => each.name === didYouMean(name, names));
    if (near && value !== undefined) return memberFor(near, value, example);
    return { action: 'remove', instead: knownFields(fields, described) };
  }
  const misspelled = Object.keys(fields).find((each) => isUnknown(each) && didYouMean(each, [name]) === name);
  if (misspelled === undefined) return { ...memberFor(field, undefined, example), action: 'add' };
  const sent = fields[misspelled] as JsonValue;
  return { ...memberFor(field, sent, example), sent: memberText(misspelled, sent) };
}

/** A body that an operation does not take. */
function noBody(operation: OperationName): Correction {
  const names = namesOfKind(operation, 'query');
  const where = names.length === 0 ? '' : `; ${names.map((name) => `\`${name}\``).join(' and ')} go into the query`;
  return { action: 'other', advice: `Leave out the body and its Content-Type${where}` };
}

/** A body that is no object of JSON in UTF-8. */
function wholeBody(request: SentParts, described: readonly Field[], example: object): Correction {
  const { bodyText = '', body } = request;
  const several = Array.isArray(body) && body.length > 1 ? 'Send one request for each pet' : undefined;
  const found = bodyText.includes('\0') ? repaired(bodyText.replaceAll('\0', '')) : wrappedObject(request);
  if (found !== undefined) {
    const advice = bodyText.includes('\0') ? 'Encode the body as UTF-8, not as UTF-16' : several;
    return { ...replacing(jsonBeginning(found, 200)), advice };
  }
  const form = formIn(bodyText, described);
  if (form !== undefined) return replacing(form);
  const whole = JSON.stringify(example);
  if (bodyText === '') return { ...replacing(whole), advice: 'These values are examples' };
  return {
    action: 'other',
    advice: `Write the body with a JSON library, such as ${whole} with the values that are meant`,
  };
}

/** What the service rejects in a body, and the specification does not forbid. */
function rejectedBody({ bodyText = '' }: SentParts): Correction {
  if (bodyText.includes('\ufffd'))
    return { action: 'other', advice: 'Encode the body as UTF-8, not as ISO-8859-1 or another encoding' };
  const last = lastOfEach(bodyText);
  if (last === undefined) return OTHER;
  return { ...replacing(last), advice: 'Send each field once, with the value that is meant' };
}

/** An object that names a field several times, with the last value of each, as most readers take it. */
function lastOfEach(text: string): string | undefined {
  if (/\d{16}/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const shown = JSON.stringify(value);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && shown.length <= 200
      ? shown
      : undefined;
  } catch {
    return undefined;
  }
}

/** The values of a form that was sent as one, as JSON; `undefined` if they are not known, or not all that are needed. */
export function formAsJson({ operation, bodyText = '', contentType = '' }: SentParts): string | undefined {
  const described = operations[operation as OperationName]?.body;
  if (typeof described !== 'string' || !/form/i.test(contentType)) return undefined;
  return formIn(bodyText, fieldsOf(described as 'NewPet'));
}

/** `name=Rex&categoryId=1`, or its parts, as JSON with the types of the fields. */
function formIn(text: string, described: readonly Field[]): string | undefined {
  const isUrlEncoded = /^[\w.-]+=[^&\s]*(?:&[\w.-]+=[^&\s]*)*$/.test(text);
  const values = new Map(isUrlEncoded ? new URLSearchParams(text) : queryPairsIn(text));
  const members = described.flatMap((field): (string | undefined)[] => {
    const { name, type, required } = field;
    const value = values.get(name);
    if (value === undefined) return required ? [undefined] : [];
    const written = type === 'integer' ? integerIn(value)?.toString() : writeJson(valueOfText(field, value));
    return [written && `${JSON.stringify(name)}:${written}`];
  });
  return members.length === 0 || members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}

/** Names and values of `multipart/form-data`. */
function queryPairsIn(text: string): (readonly [string, string])[] {
  const boundary = text.slice(0, Math.max(0, text.indexOf('\r\n')));
  if (!boundary.startsWith('--')) return [];
  return `\r\n${text}`.split(`\r\n${boundary}`).flatMap((part) => {
    const end = part.indexOf('\r\n\r\n');
    const [, name] = /\bname="([^"\r\n]*)"/i.exec(part.slice(0, Math.max(0, end))) ?? [];
    return name === undefined ? [] : [[name, part.slice(end + 4)] as const];
  });
}

/** The object that was meant by a body that is no object: in a list, as a text, behind a byte order mark, or nearly JSON. */
function wrappedObject({ body, bodyText = '' }: SentParts): JsonObject | undefined {
  if (Array.isArray(body)) return isObject(body[0]) ? body[0] : undefined;
  return repaired(typeof body === 'string' ? body : bodyText.replace(/^\ufeff/, ''));
}

/** Reads an object as JavaScript or Python writes it: other quotes, no quotes, a last comma, `None`. */
function repaired(text: string): JsonObject | undefined {
  const known = parseIfJson(text);
  if (isObject(known)) return known;
  if (known !== undefined || !/^\s*\{/.test(text) || text.length > MAX_REPAIRED) return undefined;
  const quotes = text.includes('"') ? text : text.replaceAll("'", '"');
  const found = parseIfJson(
    quotes
      .replaceAll(/([{,]\s{0,9})([A-Za-z_]\w{0,99})\s{0,9}:/g, '$1"$2":')
      .replaceAll(/,\s{0,9}([}\]])/g, '$1')
      .replaceAll(/:\s{0,9}None\b/g, ':null')
      .replaceAll(/:\s{0,9}True\b/g, ':true')
      .replaceAll(/:\s{0,9}False\b/g, ':false'),
  );
  return isObject(found) ? found : undefined;
}

const MAX_REPAIRED = 2_000;

/** The object with its described fields only. @param without a field to leave out as well */
const knownFields = (fields: JsonObject, described: readonly Field[], without?: string): string =>
  jsonBeginning(
    Object.fromEntries(
      Object.entries(fields).filter(([each]) => each !== without && described.some(({ name }) => name === each)),
    ),
    200,
  );

/** `"categoryId":1`, with a value that the field allows. */
function memberFor(field: Field, value: JsonValue | undefined, example: object): Correction {
  const text = scalarText(value) ?? scalarText(idIn(value, field));
  const allowed = text === undefined ? undefined : closestValue(field, text);
  const name = JSON.stringify(field.name);
  if (allowed !== undefined) return replacing(`${name}:${field.type === 'string' ? JSON.stringify(allowed) : allowed}`);
  const [first] = field.enum ?? [];
  if (first !== undefined) return { ...replacing(`${name}:${JSON.stringify(first)}`), advice: oneOf(field.enum) };
  // A number that is too large is none in another form.
  const integer = field.type === 'integer' && text !== undefined ? integerIn(text) : undefined;
  if (integer !== undefined && (integer < field.minimum || integer > field.maximum))
    return { action: 'other', advice: KEEP_DIGITS };
  const sample = (example as Record<string, unknown>)[field.name] ?? allowedValueOf(field.schema);
  // Nothing here makes up a text for a pattern.
  if (field.check !== undefined && !field.check(sample)) return replacing(`${name}: ${wantedOfField(field)}`);
  return {
    ...replacing(`${name}:${JSON.stringify(sample)}`),
    advice: 'This value is an example: send the one that is meant',
  };
}

/** The id in an object instead of a reference to it: `"category":{"id":7}`. */
function idIn(value: JsonValue | undefined, { name }: Field): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  return value[name] ?? value['id'] ?? (Object.keys(value).length === 1 ? Object.values(value)[0] : undefined);
}

function scalarText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || Array.isArray(value) || isObject(value)) return undefined;
  return value instanceof NumberLiteral ? value.text : String(value);
}

const LEAST_INT64 = -(2n ** 63n);

/** The allowed value nearest to the one sent; `undefined` if none is near. */
function closestValue(field: Field, sent: string): string | undefined {
  if (field.enum) return didYouMean(sent, field.enum);
  if (field.type === 'boolean') return /^(?:true|false)$/i.test(sent) ? sent.toLowerCase() : undefined;
  if (field.type === 'number') return allowedBy(field, Number(sent)) ? String(Number(sent)) : undefined;
  if (field.type === 'other') return undefined;
  if (field.type === 'string') return allowedBy(field, sent) ? sent : undefined;
  const value = integerIn(sent);
  if (value === undefined || !allowedBy(field, Number(value))) return undefined;
  // The bound of a type is no value that anybody means.
  if (value < field.minimum) return field.minimum === LEAST_INT64 ? undefined : bound(field, field.minimum);
  if (value > field.maximum) return field.maximum === -LEAST_INT64 - 1n ? undefined : bound(field, field.maximum);
  return String(value);
}

/** A bound of a field, unless something else forbids it. */
const bound = (field: Field, value: bigint): string | undefined =>
  allowedBy(field, Number(value)) ? String(value) : undefined;

const allowedBy = ({ check }: Field, value: string | number): boolean =>
  !Number.isNaN(value) && (check === undefined || check(value));

/** `+5`, `05` and `5.0` give 5, and 1.5 gives 1; `undefined` for a text that is not a number. */
function integerIn(text: string): bigint | undefined {
  const exact = readDecimal(text);
  if (exact !== undefined) return exact;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
}

function namesOfKind(operation: OperationName, kind: string): readonly string[] {
  const places = Object.keys(operations[operation].parameters);
  return places
    .filter((location) => location.startsWith(`${kind}/`))
    .map((location) => location.slice(kind.length + 1));
}

const fieldAt = (operation: OperationName, location: string): Field => parameterOf(operation, location);

/** The list of the items of which an operation gets one: `GET /v1/pets`. */
function listOf(operation: OperationName): string | undefined {
  const { path, deprecated } = operations[operation];
  const parent = path.slice(0, path.lastIndexOf('/'));
  const list = Object.values(operations).find(
    (each) => !each.deprecated && each.method === 'get' && each.path === parent,
  );
  return deprecated && list ? `${list.method.toUpperCase()} ${basePath}${list.path}` : undefined;
}
