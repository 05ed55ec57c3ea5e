/**
 * Suggests how to correct the part of a request that a finding concerns: the nearest field name, a number within bounds,
 * an allowed value, the content type. Names, bounds and examples come from the specification.
 */

import { closestValue, exampleOf, integerIn, isScalar, meantValues } from '../api/closest-value.ts';
import { type Edit, editsAsText, editText, namedEdit } from '../api/edits.ts';
import { readNewPet } from '../api/pet.ts';
import {
  inQuery,
  joined,
  memberText,
  nameOfPair,
  pathInBody,
  queryPartsOf,
  textOf,
  valueOfPair,
} from '../api/request-text.ts';
import { wantedOf } from '../api/schema-problems.ts';
import { type Field, fieldsOf, operationAt, parameterOf, queryOf, valueOfText } from '../api/specification.ts';
import { partsOfTarget, pathOfTarget } from '../core/address.ts';
import { isObject, type JsonObject, type JsonValue, parseIfJson, parseJson, writeJson } from '../core/int64.ts';
import { didYouMean, shorten } from '../core/text.ts';
import type { components } from '../generated/control-api.d.ts';
import { basePath, type OperationName, operations, petStatuses } from '../generated/facts.ts';
import { isMethod, nearestOperation, plainPath } from './closest-operation.ts';
import { encodedTarget } from './malformed.ts';
import { noJsonNumber, objectNearlyIn } from './nearly-json.ts';
import type { SentParts, Spot } from './request-parts.ts';

/** How to correct a part of a request. */
interface Correction {
  /** None if there is only advice. */
  readonly edits: readonly Edit[];
  /** What else to do, or what to choose, as a sentence without its period. */
  readonly advice?: string | undefined;
}

/** A correction in words, as `Sample` of `spec/control-api.yaml` describes it. */
export interface CorrectionText {
  readonly action: components['schemas']['Sample']['action'];
  /** The part as sent; of `add` what it is added to. */
  readonly sent?: string | undefined;
  /** The part to send; of `remove` what remains without `sent`. */
  readonly instead?: string | undefined;
  readonly advice?: string | undefined;
}

/** The correction of a part, in words. */
export function correctionText(request: SentParts, spot: Spot): CorrectionText {
  const { edits, advice } = correctionOf(request, spot);
  const [first] = edits;
  const place =
    first === undefined || first.kind === 'set' ? spot.location : first.kind === 'line' ? 'operation' : first.place;
  const sent = request.sentAt(place);
  const instead = editsAsText(request.request, edits);
  if (first === undefined || instead === undefined || instead === sent) return { action: 'other', sent, advice };
  const isLeftOut = edits.every(({ kind }) => kind === 'remove');
  const action = isLeftOut ? 'remove' : request.has(place) ? 'replace' : 'add';
  return { action, sent, instead, advice };
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

const OTHER: Correction = { edits: [] };
const advising = (advice: string | undefined): Correction => ({ edits: [], advice });
const lineOf = (value: string | undefined, advice?: string): Correction =>
  value === undefined ? advising(advice) : { edits: [{ kind: 'line', value }], advice };
const setting = (place: string, value: JsonValue, advice?: string): Correction => ({
  edits: [{ kind: 'set', place, value }],
  advice,
});
const removing = (place: string, advice?: string): Correction => ({ edits: [{ kind: 'remove', place }], advice });

/** How to correct what a finding concerns. */
export function correctionOf(request: SentParts, spot: Spot): Correction {
  if (spot.rule === 'malformed-http/target') {
    const [method = '', target = ''] = request.line.split(/ (.*)/s, 2);
    const encoded = encodedTarget(target);
    return lineOf(encoded && `${method} ${encoded}`);
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

function forHeader(request: SentParts, operation: OperationName, name: string): Correction {
  if (name === 'content-encoding')
    return advising('Leave out Content-Encoding, and send the body as it is, not compressed');
  if (name === 'authorization') return setting('header/authorization', 'Bearer <API_KEY>');
  if (name !== 'content-type') return OTHER;
  const { bodyExample } = operations[operation];
  const type = request.contentType ?? '';
  const example = bodyExample === null ? 'JSON' : `JSON, such as ${JSON.stringify(bodyExample)}`;
  const form = /form/i.test(type) ? formIn(request.bodyText ?? '', bodyFieldsOf(operation)) : undefined;
  const advice = /form|multipart/i.test(type)
    ? `Write the values of the form as ${form === undefined ? example : `JSON: ${writeJson(form)}`}`
    : /charset/i.test(type)
      ? 'Encode the body as UTF-8'
      : /xml|yaml|csv|html/i.test(type)
        ? `Write the body as ${example}`
        : undefined;
  const { edits } = setting('header/content-type', 'application/json');
  return { edits: form === undefined ? edits : [...edits, { kind: 'set', place: 'body', value: form }], advice };
}

/** For a request that matches no operation: the address that was meant, with its query; nothing for another method. */
function insteadOfLine(request: SentParts): Correction {
  const [method = '', target = ''] = request.line.split(/ (.*)/s, 2);
  if (!isMethod(method)) return advising(noMethod(method));
  const encoded = decodedMarks(target);
  if (encoded !== undefined) return lineOf(`${method} ${encoded}`);
  if (/%(?![\da-f]{2})/i.test(target))
    return advising('Build addresses with a URL library: a percent sign itself is written `%25`');
  const near = nearestOperation(method, target);
  if (near === undefined) return OTHER;
  const { query } = partsOfTarget(target);
  const id = method === 'GET' ? /\/([+-]?\d+)\/*$/.exec(plainPath(target))?.[1] : undefined;
  const lost = plainPath(target)
    .split('/')
    .filter((part) => isValue(part) && !near.includes(part) && part !== id);
  const pairs = query ? validQuery(near, query) : '';
  if (lost.length > 0 || pairs === undefined)
    return advising(`No path of the API is like this one. The nearest is ${near}`);
  if (id !== undefined) return lineOf(`${near}?limit=${MOST}`, takeFromList(id));
  return lineOf(pairs === '' ? near : `${near}?${pairs}`);
}

/** A part of a path that selects something: an id, or a status. */
const isValue = (part: string): boolean =>
  (/\d/.test(part) && !/^v\d/i.test(part)) || petStatuses.some((status) => status === part);

/** A query whose described pairs are corrected; `undefined` if one cannot be. */
function validQuery(line: string, query: string): string | undefined {
  const [method = '', path = ''] = line.split(' ');
  const operation = operationAt(method, path.slice(basePath.length));
  const described = operation === undefined ? [] : namesOfKind(operation, 'query');
  const pairs = queryPartsOf(`?${query}`).map(({ text, name }) => {
    if (operation === undefined || !described.includes(name)) return text;
    const { edits } = correctedPair(operation, name, name, [valueOfPair(text)]);
    return edits.length === 0 ? undefined : edits.map(editText).join('&');
  });
  return pairs.includes(undefined) ? undefined : pairs.join('&');
}

const noMethod = (method: string): string => {
  const all = Object.values(operations).map((each) => `${each.method.toUpperCase()} ${basePath}${each.path}`);
  return `Leave this request out: the API has no ${method}, so a pet can be neither changed nor deleted. It has ${all.join(', ')}`;
};

/** A target whose `?`, `&` and `=` were encoded with the rest: `/v1/pets%3Flimit=5`. */
function decodedMarks(target: string): string | undefined {
  const marks = target.replace(/%3f/i, '?').replaceAll(/%26/g, '&').replaceAll(/%3d/gi, '=');
  const path = pathOfTarget(marks);
  const isKnown = Object.values(operations).some((each) => `${basePath}${each.path}` === path);
  return marks !== target && isKnown ? marks : undefined;
}

function forPair(request: SentParts, operation: OperationName, name: string, { rule }: Spot): Correction {
  const values = request.pairs.filter((pair) => pair.name === name).map(({ text }) => valueOfPair(text));
  if (rule === 'unknown-parameter') return forUnknownPair(request, operation, name, values);
  const place = `query/${name}`;
  const [value = ''] = values;
  const field = queryOf(operation).find((each) => each.name === name);
  if (field === undefined || rule === 'deprecated' || (value === '' && values.length > 0)) return removing(place);
  const unset = unsetAdvice(value);
  // Without a filter, a list has all.
  const isAny = field.enum !== undefined && /^(?:all|any|\*|%)$/i.test(value);
  return unset || isAny ? removing(place, unset) : correctedPair(operation, name, name, values);
}

function forUnknownPair(
  request: SentParts,
  operation: OperationName,
  name: string,
  values: readonly string[],
): Correction {
  const [value = ''] = values;
  const inBody = memberInQuery(request, operation, name, value);
  if (inBody !== undefined) return inBody;
  // The whole pair was encoded: `limit%3D5`.
  if (/^[?&\s]*\w+=/.test(name)) return separatePairs(operation, name, name);
  const place = `query/${name}`;
  const described = namesOfKind(operation, 'query');
  const near = meantParameter(name, described);
  if (near === undefined) return removing(place, PAGES.test(name) ? furtherPages(described) : ignored(operation));
  if (value === '' || request.pairs.some((pair) => pair.name === near)) return removing(place);
  const corrected = correctedPair(operation, near, name, values);
  return corrected.edits.length === 0 ? removing(place, ignored(operation)) : corrected;
}

/** What to do with a field of the body that is in the query. */
function memberInQuery(
  { fields, pairs }: SentParts,
  operation: OperationName,
  name: string,
  value: string,
): Correction | undefined {
  const field = bodyFieldsOf(operation).find((each) => each.name === name);
  if (field === undefined || fields?.[name] !== undefined || namesOfKind(operation, 'query').includes(name))
    return undefined;
  const body = formIn(pairs.map(({ text }) => text).join('&'), bodyFieldsOf(operation));
  const text = body === undefined ? memberText(name, valueOfText(field, value)) : writeJson(body);
  return advising(`Send it in the body: ${text}`);
}

const bodyFieldsOf = (operation: OperationName): readonly Field[] => {
  const { body } = operations[operation];
  return body === null ? [] : fieldsOf(body as 'NewPet');
};

/** The parameter that a name means; `undefined` where it may mean another thing: `status!`, `status[ne]`, `limit<`. */
function meantParameter(name: string, described: readonly string[]): string | undefined {
  if (/[!~^<>|]|^-|-$/.test(name)) return undefined;
  // HTML's `&amp;`, and a second question mark.
  const bare = name.replace(/^(?:[?&\s]|amp;)+/, '');
  const words: readonly string[] = [
    ...(bare
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []),
  ];
  const named = described.filter((each) => words.includes(each.toLowerCase()));
  if (named.length > 0)
    return words.every((word) => AROUND_NAMES.test(word) || word === named[0]?.toLowerCase()) ? named[0] : undefined;
  const near = didYouMean(bare, described);
  if (near !== undefined && near[0]?.toLowerCase() === bare[0]?.toLowerCase()) return near;
  return SIZES.test(bare) ? described.find((each) => each === 'limit') : undefined;
}

/** `filter[status]`, `where.status.eq`, `page[limit]` */
const AROUND_NAMES = /^(?:filters?|where|query|q|search|pets?|page|max|by|eq|equals|is|in|any|value|exact)$/;

/** @param described the parameters of the operation */
function furtherPages(described: readonly string[]): string {
  const names = described.filter((name) => PAGES.test(name));
  if (names.length > 0) return `Use ${names.map((name) => `\`${name}\``).join(' or ')} for further pages`;
  return `There are no further pages in this API: a list has at most ${MOST} pets`;
}
const ignored = (operation: OperationName): string | undefined =>
  operations[operation].path.includes('{') || operations[operation].method !== 'get'
    ? undefined
    : 'The service ignores it: search the list for what it was to select';
const PAGES =
  /^(?:page|page_?(?:no|number|index|token)|offset|skip|start|from|cursor|after|before|next|continuation_?token)$/i;
const SIZES = /^(?:per_?page|page_?size|size|count|max|max_?results|top|take|first)$/i;

/** @param values of all pairs that were sent under a name */
function correctedPair(operation: OperationName, name: string, sentAs: string, values: readonly string[]): Correction {
  const field = fieldAt(operation, `query/${name}`);
  const all = values.join(',');
  if (FURTHER_PAIR.test(all)) return separatePairs(operation, sentAs, `${name}=${all}`);
  const pairWith = (text: string): string => `${name}=${inQuery(text)}`;
  const meant = values.map((value) => meantValues(field, value));
  const [first, ...others] = meant.some((each) => each.length === 0) ? [] : [...new Set(meant.flat())];
  if (first !== undefined && (field.enum || others.length === 0))
    return { edits: [namedEdit(`query/${sentAs}`, name, first)], advice: oneEach(others.map(pairWith)) };
  if (field.enum) return advising(oneOf(field.enum.map(pairWith)));
  return advising(`Send \`${name}\` ${others.length > 0 ? 'once, ' : ''}as ${wantedOf(field.schema)}`);
}

/** Another parameter in the value of one: `10;status=sold`, `10?status=sold`. */
const FURTHER_PAIR = /[;?&,\s](?:amp;)?\w+=/;

/** Characters of pairs that are taken apart: looking for their ends takes time by the square. */
const MAX_PAIRS = 200;

/** Pairs that something else than `&` separates, each corrected. */
function separatePairs(operation: OperationName, sentAs: string, text: string): Correction {
  if (text.length > MAX_PAIRS) return advising(SEPARATE);
  const described = namesOfKind(operation, 'query');
  const corrected = text
    .split(/[;?&,\s]+(?:amp;)?(?=\w+=)/)
    .filter((pair) => pair !== '')
    .map((pair, at) => {
      const [name, value] = [nameOfPair(pair), pair.slice(pair.indexOf('=') + 1)];
      if (!described.includes(name) || FURTHER_PAIR.test(value)) return [];
      return correctedPair(operation, name, at === 0 ? sentAs : name, [value]).edits;
    });
  return corrected.some((edits) => edits.length === 0) ? advising(SEPARATE) : { edits: corrected.flat() };
}

const SEPARATE = 'Separate the parameters by `&`';

const oneEach = (others: readonly string[]): string | undefined =>
  others.length === 0 ? undefined : `Send one request for each value: also ${others.join(' and ')}`;

/** The values of an enumeration, where it is not known which was meant. */
const oneOf = (values: readonly string[]): string => `Send ${values.join(' or ')}: the one that is meant`;

function forPath(request: SentParts, operation: OperationName, name: string, { handedOut }: Spot): Correction {
  const { path } = operations[operation];
  const sent = request.path.split('/')[`${basePath}${path}`.split('/').indexOf(`{${name}}`)] ?? '';
  const written = decodedText(sent);
  const withValue = (value: string, advice?: string): Correction =>
    setting('path', `${basePath}${path.replace(`{${name}}`, value)}`, advice);
  if (handedOut !== undefined) return withValue(handedOut, KEEP_DIGITS);
  const unset = unsetAdvice(written);
  if (unset !== undefined) return advising(unset);
  const exact = integerIn(written);
  if (exact === undefined) {
    const query = knownPairs(request);
    const list = `GET ${basePath}${path.slice(0, path.lastIndexOf('/'))}`;
    // `/pets/findByStatus?status=sold` of another petstore.
    if (/^(?:find|search|list|filter|query|all$)/i.test(written) && query === joined(request.pairs))
      return lineOf(query === '' ? list : `${list}?${query}`);
    return advising(`${IDS}, so \`${shortValue(written)}\` is none`);
  }
  // A number out of bounds is no id in another form: its nearest bound would be another pet.
  const { minimum, maximum } = fieldAt(operation, `path/${name}`);
  const isWithin = exact >= minimum && exact <= maximum;
  // Beyond the digits of a double, it may be another id already.
  const isKept = /^[+-]?\d+$/.test(written) || (exact < FIRST_LOST && exact > -FIRST_LOST);
  return isWithin && isKept ? withValue(String(exact)) : advising(KEEP_DIGITS);
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
    return lineOf(`${list}?${status === undefined ? '' : `status=${inQuery(status)}&`}limit=${MOST}`, takeFromList(id));
  const query = knownPairs(request);
  return lineOf(query === '' ? `${list}?limit=${MOST}` : `${list}?${query}`, `${IDS}; the list has them`);
}

/** The part of a query that the list takes. */
const knownPairs = (request: SentParts): string =>
  joined(
    request.pairs.filter(({ name, text }) => {
      const value = valueOfPair(text);
      return parametersOfList.includes(name) && meantValues(fieldAt('listPets', `query/${name}`), value)[0] === value;
    }),
  );

function inBody(request: SentParts, operation: OperationName, spot: Spot): Correction {
  const { body, bodyExample } = operations[operation];
  // The fragments here are members of the described object; a body of another shape gets a complete example.
  if (body === null) return noBody(operation);
  if (bodyExample === null) return OTHER;
  const { fields } = request;
  const described = bodyFieldsOf(operation);
  const [name, ...deeper] = pathInBody(fields, spot.location);
  if (spot.rule.startsWith('rejected')) return rejectedBody(request);
  if (deeper.length > 0) return OTHER;
  if (name === undefined || fields === undefined) return wholeBody(request, described, bodyExample);
  const field = described.find((each) => each.name === name);
  const value = fields[name];
  if (field && value !== undefined) return forMember(field, value);
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
function forMember(field: Field, value: JsonValue): Correction {
  const unset = typeof value === 'string' && field.type !== 'string' ? unsetAdvice(value) : undefined;
  const isNothing = value === null || (typeof value === 'string' && field.enum && (value === '' || UNSET.test(value)));
  if (isNothing && !field.required) return removing(`body/${field.name}`);
  return unset === undefined ? memberFor(field, value) : advising(unset);
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
    const inner = Object.entries(fields[wrapper] as JsonObject).filter(([each]) => !isUnknown(each));
    const edits = inner.map(([each, own]): Edit => ({ kind: 'set', place: `body/${each}`, value: own }));
    return { edits: [{ kind: 'remove', place: `body/${wrapper}` }, ...edits] };
  }
  if (!field) {
    const names = missing.map((each) => each.name);
    const near = missing.find((each) => each.name === didYouMean(name, names));
    return near && value !== undefined ? memberFor(near, value, name) : removing(`body/${name}`);
  }
  const misspelled = Object.keys(fields).find((each) => isUnknown(each) && didYouMean(each, [name]) === name);
  return misspelled === undefined
    ? missingMember(field, example)
    : memberFor(field, fields[misspelled] as JsonValue, misspelled);
}

/** A body that an operation does not take. */
function noBody(operation: OperationName): Correction {
  const names = namesOfKind(operation, 'query');
  const where = names.length === 0 ? '' : `; ${names.map((name) => `\`${name}\``).join(' and ')} go into the query`;
  return advising(`Leave out the body and its Content-Type${where}`);
}

/** A body that is no object of JSON in UTF-8. */
function wholeBody(request: SentParts, described: readonly Field[], example: object): Correction {
  const { bodyText = '', body, pairs } = request;
  const several = Array.isArray(body) && body.length > 1 ? 'Send one request for each pet' : undefined;
  const found = bodyText.includes('\0') ? objectNearlyIn(bodyText.replaceAll('\0', '')) : wrappedObject(request);
  const pet = found && newPet(withoutNothing(found));
  if (pet !== undefined)
    return setting('body', pet, bodyText.includes('\0') ? 'Encode the body as UTF-8, not as UTF-16' : several);
  const form = formIn(bodyText === '' ? joined(pairs) : bodyText, described);
  if (form !== undefined) return setting('body', form);
  const whole = JSON.stringify(example);
  const isEmpty = bodyText === '' && !pairs.some(({ name }) => described.some((field) => field.name === name));
  if (isEmpty) return setting('body', parseJson(whole), 'These values are examples');
  const number = noJsonNumber(bodyText);
  const advice =
    number === undefined
      ? `Write the body with a JSON library, such as ${whole} with the values that are meant`
      : `Find out where \`${number}\` comes from: JSON has no such number, although some libraries write it. Send a number, or leave the field out`;
  return advising(advice);
}

/** Without optional fields that have no value. */
const withoutNothing = (pet: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(pet).filter(([, value]) => value !== null));

/** Characters of a sample. */
const MAX_SAMPLE_PET = 200;

/** An object as a whole body; `undefined` if that would be rejected, or cut. */
const newPet = (pet: JsonObject): JsonObject | undefined =>
  writeJson(pet).length <= MAX_SAMPLE_PET && readNewPet(pet, 'body').ok ? pet : undefined;

/** What the service rejects in a body, and the specification does not forbid. */
const rejectedBody = ({ bodyText = '' }: SentParts): Correction =>
  advising(
    bodyText.includes('\ufffd')
      ? 'Encode the body as UTF-8, not as ISO-8859-1 or another encoding'
      : isTwice(bodyText)
        ? 'Send each field once, with the value that is meant'
        : undefined,
  );

/** Whether an object is JSON to most readers, which take the last of several fields. */
function isTwice(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object' && parseIfJson(text) === undefined;
  } catch {
    return false;
  }
}

/** `name=Rex&categoryId=1`, or its parts, as JSON with the types of the fields, if that is a pet. */
function formIn(text: string, described: readonly Field[]): JsonObject | undefined {
  const isUrlEncoded = /^[\w.-]+=[^&\s]*(?:&[\w.-]+=[^&\s]*)*$/.test(text);
  const pairs = isUrlEncoded ? [...new URLSearchParams(text)] : queryPairsIn(text);
  const values = new Map(pairs);
  if (values.size < pairs.length) return undefined;
  const members = described.flatMap((field): [string, JsonValue][] => {
    const value = values.get(field.name);
    if (value === undefined || (value === '' && !field.required)) return [];
    const [meant, ...others] = meantValues(field, value);
    return [[field.name, others.length > 0 ? value : valueOfText(field, meant ?? value)]];
  });
  return members.length === 0 ? undefined : newPet(Object.fromEntries(members));
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
  return objectNearlyIn(typeof body === 'string' ? body : bodyText.replace(/^\ufeff/, ''));
}

/** A field that is missing: its example, if there is one. */
function missingMember(field: Field, example: object): Correction {
  const sample = (example as Record<string, unknown>)[field.name] ?? exampleOf(field.schema);
  // Nothing here makes up a text for a pattern.
  return sample === undefined || field.check?.(sample) === false
    ? advising(`Add ${JSON.stringify(field.name)}: ${wantedOf(field.schema)}`)
    : setting(`body/${field.name}`, parseJson(JSON.stringify(sample)), 'Example value; use your own');
}

/** The value that was sent as the field allows it. @param sentAs the name that it was sent under */
function memberFor(field: Field, value: JsonValue, sentAs = field.name): Correction {
  const name = JSON.stringify(field.name);
  const scalar = isScalar(value) ? value : idIn(value, field);
  const sent = isScalar(scalar) ? scalar : field.enum ? writeJson(value) : undefined;
  const closest = sent === undefined ? undefined : closestValue(field, sent);
  if (closest !== undefined) return { edits: [namedEdit(`body/${sentAs}`, field.name, closest)] };
  if (field.enum) return advising(oneOf(field.enum.map((each) => `${name}:${JSON.stringify(each)}`)));
  // A number that is too large is none in another form.
  const integer = field.type === 'integer' && sent !== undefined ? integerIn(textOf(sent)) : undefined;
  if (integer !== undefined && (integer < field.minimum || integer > field.maximum)) return advising(KEEP_DIGITS);
  return advising(`Send ${name} as ${wantedOf(field.schema)}`);
}

/** The id in an object instead of a reference to it, `"category":{"id":7}`, or the only item of a list. */
function idIn(value: JsonValue, { name, type }: Field): JsonValue | undefined {
  if (Array.isArray(value)) return value.length === 1 ? value[0] : undefined;
  if (!isObject(value)) return undefined;
  const id = type === 'integer' ? value['id'] : undefined;
  return value[name] ?? id ?? (Object.keys(value).length === 1 ? Object.values(value)[0] : undefined);
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
