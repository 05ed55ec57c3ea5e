/**
 * Suggests how to correct the part of a request that a finding concerns. Names, bounds and examples come from the specification.
 * What is suggested can be sent as it is and means what was meant; where that is not known, it says what to choose.
 */

import { closestValue, integerIn, isScalar, meantValues } from '../base/api/closest-value.ts';
import { type Edit, editsAsText, namedEdit } from '../base/api/edits.ts';
import { readNewPet } from '../base/api/pet.ts';
import { inQuery, pathInBody, type QueryPart, queryPartsOf, textOf, valueOfPair } from '../base/api/request-text.ts';
import { wantedOf } from '../base/api/schema-problems.ts';
import { type Field, fieldsOf, parameterOf, queryOf } from '../base/api/specification.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { basePath, type OperationName, operations, petStatuses } from '../base/generated/facts.ts';
import { isInt64, isObject, type JsonValue, parseIfJson, parseJson, writeJson } from '../base/int64.ts';
import { didYouMean, queryIn, shorten } from '../base/text.ts';
import { isMethod, nearestOperation, plainPath } from './closest-operation.ts';
import type { SentParts, Spot } from './request-parts.ts';

/** How to correct a part of a request. */
interface Correction {
  /** None if there is only advice. */
  readonly edits: readonly Edit[];
  /** What else to do, or what to choose, as a sentence without its period. */
  readonly advice?: string | undefined;
}

type Sample = components['schemas']['Sample'];

/** A correction in words, as `Sample` of `spec/control-api.yaml` describes it. */
export type CorrectionText = Pick<Sample, 'action'> & {
  readonly [Part in 'sent' | 'instead' | 'advice']?: string | undefined;
};

/** The correction of a part, in words. */
export function correctionText(request: SentParts, spot: Spot): CorrectionText {
  const { edits, advice } = correctionOf(request, spot);
  const [first] = edits;
  const place = first === undefined ? spot.location : first.kind === 'line' ? 'operation' : first.place;
  const sent = request.sentAt(place);
  const instead = editsAsText(request.request, edits);
  if (first === undefined || instead === undefined || instead === sent) return { action: 'other', sent, advice };
  const isLeftOut = edits.every(({ kind }) => kind === 'remove');
  const action = isLeftOut ? 'remove' : request.has(place) ? 'replace' : 'add';
  return { action, sent, instead, advice };
}

/** The correction as a sentence; `undefined` if it says nothing. */
export function fixOf({ action, sent, instead, advice }: Sample): string | undefined {
  const sentence = {
    replace: `Send ${instead} instead of ${sent}`,
    add: `Add ${instead}`,
    remove: `Leave out ${sent}`,
    other: undefined,
  }[action];
  return sentence && advice ? `${sentence}. ${advice}` : (sentence ?? advice);
}

const advising = (advice: string): Correction => ({ edits: [], advice });
const lineOf = (value: string, advice?: string): Correction => ({ edits: [{ kind: 'line', value }], advice });
const setting = (place: string, value: JsonValue, advice?: string): Correction => ({
  edits: [{ kind: 'set', place, value }],
  advice,
});
const removing = (place: string, advice?: string): Correction => ({ edits: [{ kind: 'remove', place }], advice });
const NONE: Correction = { edits: [] };

/** What a finding concerns: an operation, and the name of one of its parts. */
interface Place extends Spot {
  readonly operation: OperationName;
  readonly name: string;
}

/** The corrections of each kind of place. The first one that there is counts. */
const CORRECTIONS: Readonly<Record<string, readonly ((sent: SentParts, place: Place) => Correction | undefined)[]>> = {
  line: [unknownMethod, nearestLine],
  operation: [listInstead],
  header: [headerInstead],
  query: [fieldInQuery, meantPair, ignoredPair, wrongPair],
  path: [wrongId],
  body: [noBody, unreadableBody, wholeBody, wrongMember, renamedMember, missingMember, unknownMember],
};

/** How to correct what a finding concerns. */
export function correctionOf(sent: SentParts, spot: Spot): Correction {
  const { operation } = sent;
  const { location, rule } = spot;
  const isLine = rule === 'no-operation';
  const [part = '', first = ''] = location.split('/', 2);
  if (!isLine && (operation === undefined || !Object.hasOwn(operations, operation))) return NONE;
  if (rule.startsWith('malformed') || (rule === 'rejected' && part !== 'operation')) return NONE;
  const [name = '', ...deeper] = part === 'body' ? pathInBody(sent.fields, location) : [first];
  if (deeper.length > 0) return NONE;
  const place: Place = { ...spot, operation: operation as OperationName, name };
  for (const correct of CORRECTIONS[isLine ? 'line' : part] ?? []) {
    const found = correct(sent, place);
    if (found) return found;
  }
  return NONE;
}

/** What languages write for a value that was never set, and the placeholders of templates. */
const UNSET = /^(?:undefined|null|none|nil|nan|\[object object\]|\$?\{\{?[\w .-]*\}\}?|<[\w .-]+>|:[a-z]\w*)$/i;

const unset = (written: string): Correction | undefined =>
  UNSET.test(written)
    ? advising(`Set the variable before the request: the client wrote \`${written}\` where a value belongs`)
    : undefined;

const namesIn = (operation: OperationName): readonly string[] => queryOf(operation).map(({ name }) => name);
const membersOf = (operation: OperationName): readonly Field[] =>
  operations[operation].body === null ? [] : fieldsOf(operations[operation].body as 'NewPet');
const memberNamed = (operation: OperationName, name: string): Field | undefined =>
  membersOf(operation).find((each) => each.name === name);

// Lines

function unknownMethod({ request: { method } }: SentParts): Correction | undefined {
  if (isMethod(method)) return undefined;
  const all = Object.values(operations).map((each) => `${each.method.toUpperCase()} ${basePath}${each.path}`);
  return advising(
    `Leave this request out: the API has no ${method}, so a pet can be neither changed nor deleted. It has ${all.join(', ')}`,
  );
}

/** The address that was meant, with its query. */
function nearestLine({ request }: SentParts): Correction | undefined {
  const { method } = request;
  const target = withQuery(request.target);
  const near = nearestOperation(method, target);
  if (near === undefined) return undefined;
  const path = plainPath(target);
  const id = method === 'GET' ? /\/([+-]?\d+)\/*$/.exec(path)?.[1] : undefined;
  const isValue = (part: string): boolean =>
    (/\d/.test(part) && !/^v\d/i.test(part)) || (petStatuses as readonly string[]).includes(part);
  const isLost = path.split('/').some((part) => isValue(part) && !near.includes(part) && part !== id);
  if (isLost || (near === LIST && !queryPartsOf(target).every(isValidPair)))
    return advising(`No path of the API is like this one. The nearest is ${near}`);
  return id === undefined ? lineOf(near + queryIn(target)) : lineOf(WHOLE_LIST, takeFromList(id));
}

/** A target whose `?`, `&` and `=` were encoded with the rest: `/v1/pets%3Flimit=5`. */
const withQuery = (target: string): string =>
  target.includes('?') ? target : target.replace(/%3f/i, '?').replaceAll('%26', '&').replaceAll(/%3d/gi, '=');

const LIST = `GET ${basePath}${operations.listPets.path}`;
/** The most items that a list has. */
const MOST = parameterOf('listPets', 'query/limit').maximum;
const WHOLE_LIST = `${LIST}?limit=${MOST}`;

/** Whether a list takes a pair of a query, or ignores it. */
const isValidPair = ({ name, text }: QueryPart): boolean =>
  !namesIn('listPets').includes(name) ||
  meantValues(parameterOf('listPets', `query/${name}`), valueOfPair(text))[0] === valueOfPair(text);

/** For an operation on one item: the list in which it is, and what to do with that. */
function listInstead({ path, status }: SentParts, { operation, rule }: Place): Correction | undefined {
  if (!operations[operation].deprecated || !(rule === 'deprecated' || status === 410)) return undefined;
  const id = /\/([+-]?\d+)$/.exec(path)?.[1];
  return lineOf(WHOLE_LIST, id === undefined ? `${IDS}; the list has them` : takeFromList(id, status));
}

const IDS = 'Send the `id` of a pet from a response: the API assigns ids, which are integers';
const KEEP_DIGITS =
  'The digits are lost where the client reads or writes the id: keep it in a 64-bit integer type, not in a double or float, and write all its digits (%d, not %v)';
/** From here on, a double may stand for several integers. */
const FIRST_LOST = 2n ** 53n;

/** What to do with the list: an id that was not found may be a rounded one. */
function takeFromList(id: string, status?: number): string {
  const isExact = status === 200 || BigInt(id.replace('+', '')) < FIRST_LOST;
  if (status === 404) return `${isExact ? IDS : KEEP_DIGITS}; there is no pet with the id ${id}`;
  return isExact ? `Take the pet with the id ${id} from the list` : `Take the pet from the list. ${KEEP_DIGITS}`;
}

// Headers and parameters

function headerInstead({ body }: SentParts, { operation, name }: Place): Correction {
  if (name === 'content-encoding')
    return advising('Leave out Content-Encoding, and send the body as it is, not compressed');
  if (name === 'authorization') return setting('header/authorization', 'Bearer <API_KEY>');
  const { bodyExample } = operations[operation];
  const example = bodyExample === null ? '' : `, such as ${JSON.stringify(bodyExample)}`;
  return setting(
    'header/content-type',
    'application/json',
    body === undefined ? `Write the body as JSON${example}` : undefined,
  );
}

function wrongId(sent: SentParts, { operation, name, handedOut }: Place): Correction | undefined {
  const { path } = operations[operation];
  const at = `${basePath}${path}`.split('/').indexOf(`{${name}}`);
  if (at < 0) return undefined;
  const written = valueOfPair(`=${(sent.path.split('/')[at] ?? '').replaceAll('+', '%2B')}`);
  const withId = (id: string, advice?: string): Correction =>
    setting('path', `${basePath}${path.replace(`{${name}}`, id)}`, advice);
  if (handedOut !== undefined) return withId(handedOut, KEEP_DIGITS);
  // `/pets/findByStatus?status=sold` of another petstore.
  if (/^(?:find|search|list|all$)/i.test(written) && sent.pairs.every(isValidPair))
    return lineOf(LIST + queryIn(sent.request.target));
  const exact = integerIn(written);
  if (exact === undefined) return unset(written) ?? advising(`${IDS}, so \`${shorten(written, 50)}\` is none`);
  // A number out of bounds is no id in another form. Beyond the digits of a double, it may be another id already.
  const { minimum, maximum } = parameterOf(operation, `path/${name}`);
  const isKept = /^[+-]?\d+$/.test(written) || (exact < FIRST_LOST && exact > -FIRST_LOST);
  return exact >= minimum && exact <= maximum && isKept ? withId(String(exact)) : advising(KEEP_DIGITS);
}

const valuesOf = (pairs: readonly QueryPart[], name: string): readonly string[] =>
  pairs.flatMap((pair) => (pair.name === name ? valueOfPair(pair.text) : []));

function wrongPair({ pairs }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const field = queryOf(operation).find((each) => each.name === name);
  const values = valuesOf(pairs, name);
  const [value] = values;
  if (field === undefined || rule === 'deprecated') return undefined;
  // Without a filter, a list has all.
  if (value === '' || (field.enum && /^(?:all|any|\*|%)$/i.test(value ?? ''))) return removing(`query/${name}`);
  return unset(value ?? '') ?? pairFor(field, name, values);
}

/** A parameter under another name: `pageSize`, `filter[status]`, `status[]`. */
function meantPair({ pairs }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  if (rule !== 'unknown-parameter') return undefined;
  const meant = meantParameter(name, namesIn(operation));
  const values = valuesOf(pairs, name);
  if (meant === undefined || values.includes('') || pairs.some((pair) => pair.name === meant)) return undefined;
  const found = pairFor(parameterOf(operation, `query/${meant}`), name, values);
  return found.edits.length > 0 || values.length > 1 ? found : undefined;
}

/** @param sentAs the name that the values were sent under */
function pairFor(field: Field, sentAs: string, values: readonly string[]): Correction {
  const { name } = field;
  const meant = values.map((value) => meantValues(field, value));
  const [first, ...others] = meant.some((each) => each.length === 0) ? [] : [...new Set(meant.flat())];
  const asPair = (text: string): string => `${name}=${inQuery(text)}`;
  if (first !== undefined && (field.enum || others.length === 0)) {
    const each = `Send one request for each value: also ${others.map(asPair).join(' and ')}`;
    return { edits: [namedEdit(`query/${sentAs}`, name, first)], advice: others.length === 0 ? undefined : each };
  }
  if (field.enum) return advising(oneOf(field.enum.map(asPair)));
  return advising(`Send \`${name}\` ${values.length > 1 ? 'once, ' : ''}as ${wantedOf(field.schema)}`);
}

/** The values of an enumeration, where it is not known which was meant. */
const oneOf = (values: readonly string[]): string => `Send ${values.join(' or ')}: the one that is meant`;

/** The parameter that a name means; `undefined` where it may mean another thing: `status!`, `status[ne]`, `limit<`. */
function meantParameter(name: string, described: readonly string[]): string | undefined {
  if (/[!~^<>|]|^-|-$/.test(name)) return undefined;
  // HTML's `&amp;`, and a second question mark.
  const bare = name.replace(/^(?:[?&\s]|amp;)+/, '');
  const words: readonly string[] =
    bare
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const named = described.find((each) => words.includes(each.toLowerCase()));
  if (named !== undefined)
    return words.every((word) => AROUND_NAMES.test(word) || word === named.toLowerCase()) ? named : undefined;
  const near = didYouMean(bare, described);
  if (near !== undefined && near[0]?.toLowerCase() === bare[0]?.toLowerCase()) return near;
  return SIZES.test(bare) ? described.find((each) => each === 'limit') : undefined;
}

/** `filter[status]`, `where.status.eq`, `page[limit]` */
const AROUND_NAMES = /^(?:filters?|where|query|q|search|pets?|page|max|by|eq|equals|is|in|any|value|exact)$/;
const SIZES = /^(?:per_?page|page_?size|size|count|max|max_?results|top|take|first)$/i;

/** What the service ignores, so that nothing changes without it. */
function ignoredPair(_: SentParts, { operation, name, rule }: Place): Correction | undefined {
  if (rule !== 'unknown-parameter') return undefined;
  const instead = 'The service ignores it: there are no further pages, so search the list for what it was to select';
  return removing(`query/${name}`, operation === 'listPets' ? instead : undefined);
}

/** A field of the body in the query. */
function fieldInQuery({ fields }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const isField = memberNamed(operation, name) !== undefined && fields?.[name] === undefined;
  return isField && rule === 'unknown-parameter' && !namesIn(operation).includes(name)
    ? advising(`Send \`${name}\` in the body, as JSON`)
    : undefined;
}

// Bodies

/** A body that an operation does not take. */
function noBody(_: SentParts, { operation }: Place): Correction | undefined {
  if (operations[operation].body !== null) return operations[operation].bodyExample === null ? NONE : undefined;
  const names = namesIn(operation).map((name) => `\`${name}\``);
  const where = names.length === 0 ? '' : `; ${names.join(' and ')} go into the query`;
  return advising(`Leave out the body and its Content-Type${where}`);
}

/** A body that was decoded with loss, or that the service rejects although the specification does not forbid it. */
function unreadableBody({ bodyText = '', fields }: SentParts, { rule }: Place): Correction | undefined {
  const isRejected = rule.startsWith('rejected');
  if ((isRejected || fields === undefined) && /[\0\ufffd]/.test(bodyText))
    return advising('Encode the body as UTF-8, not as UTF-16, ISO-8859-1 or another encoding');
  if (!isRejected) return undefined;
  const isTwice = parseIfJson(bodyText) === undefined && /^\s*\{.*\}\s*$/s.test(bodyText);
  return isTwice ? advising('Send each field once, with the value that is meant') : NONE;
}

/** Characters of a sample. */
const MAX_SAMPLE_PET = 200;

/** A body that is no pet itself: a list of pets, JSON in JSON, a pet in a field of its own, nothing. */
function wholeBody({ bodyText = '', body, fields }: SentParts, { operation, name }: Place): Correction | undefined {
  const example = JSON.stringify(operations[operation].bodyExample);
  const inner = typeof body === 'string' ? [parseIfJson(body)] : fields ? Object.values(fields) : [body].flat();
  const [found] = fields && inner.length > 1 ? [] : inner;
  if (isObject(found) && writeJson(found).length <= MAX_SAMPLE_PET && readNewPet(found, 'body').ok)
    return setting('body', found, inner.length > 1 ? 'Send one request for each pet' : undefined);
  if (name !== '' && fields !== undefined) return undefined;
  if (bodyText === '') return setting('body', parseJson(example), 'Example values; use your own');
  return advising(`Write the body with a JSON library, such as ${example} with the values that are meant`);
}

/** A described field with a wrong value. */
function wrongMember({ fields = {} }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const field = memberNamed(operation, name);
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  // Another correction may have taken it out.
  if (field === undefined || value === undefined) return field !== undefined && rule !== 'required' ? NONE : undefined;
  if ((value === null || (value === '' && field.enum)) && !field.required) return removing(`body/${name}`);
  const unsetText = typeof value === 'string' && (field.type !== 'string' || field.enum) ? unset(value) : undefined;
  return unsetText ?? memberFor(field, value);
}

/** A field that is missing, and one that is not described: often they are one. */
function renamedMember({ fields = {} }: SentParts, { operation, name }: Place): Correction | undefined {
  const missing = membersOf(operation).filter((each) => !Object.hasOwn(fields, each.name));
  const others = Object.keys(fields).filter((each) => memberNamed(operation, each) === undefined);
  const wanted = didYouMean(
    name,
    missing.map((each) => each.name),
  );
  const field = missing.find((each) => each.name === wanted);
  const sentAs = wanted === name ? others.find((each) => didYouMean(each, [name]) === name) : name;
  return field && sentAs !== undefined ? memberFor(field, fields[sentAs] as JsonValue, sentAs) : undefined;
}

/** A field that is missing: its example, if there is one. */
function missingMember(_: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const field = memberNamed(operation, name);
  if (field === undefined || rule !== 'required') return undefined;
  const sample = (operations[operation].bodyExample as Record<string, unknown> | null)?.[name];
  return sample === undefined
    ? advising(`Add ${JSON.stringify(name)}: ${wantedOf(field.schema)}`)
    : setting(`body/${name}`, parseJson(JSON.stringify(sample)), 'Example value; use your own');
}

function unknownMember(_: SentParts, { name, rule }: Place): Correction | undefined {
  return /^unknown-field$|Properties$/.test(rule) ? removing(`body/${name}`) : undefined;
}

/** The value that was sent as the field allows it. @param sentAs the name that it was sent under */
function memberFor(field: Field, value: JsonValue, sentAs = field.name): Correction {
  const name = JSON.stringify(field.name);
  // The id in an object instead of a reference to it: `"category":{"id":7}`.
  const scalar = isObject(value) && field.type === 'integer' ? value['id'] : value;
  const closest = isScalar(scalar) ? closestValue(field, scalar) : undefined;
  if (closest !== undefined) return { edits: [namedEdit(`body/${sentAs}`, field.name, closest)] };
  if (field.enum) return advising(oneOf(field.enum.map((each) => `${name}:${JSON.stringify(each)}`)));
  // A number beyond 64 bits has lost its digits; one that's smaller is only out of bounds.
  const integer = field.type === 'integer' && isScalar(scalar) ? integerIn(textOf(scalar)) : undefined;
  return advising(
    integer !== undefined && !isInt64(integer) ? KEEP_DIGITS : `Send ${name} as ${wantedOf(field.schema)}`,
  );
}
