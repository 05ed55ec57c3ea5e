/**
 * Suggests how to correct the part of a request that a finding concerns. Names, bounds and examples come from the specification.
 * What is suggested can be sent as it is and means what was meant; where that is not known, it says what to choose.
 */

import { partsOfTarget, pathOfTarget } from '../base/address.ts';
import { closestValue, integerIn, isScalar, meantValues } from '../base/api/closest-value.ts';
import { type Edit, editsAsText, namedEdit } from '../base/api/edits.ts';
import { readNewPet } from '../base/api/pet.ts';
import { inQuery, joined, pathInBody, type QueryPart, textOf, valueOfPair } from '../base/api/request-text.ts';
import { wantedOf } from '../base/api/schema-problems.ts';
import { type Field, fieldsOf, parameterOf, queryOf } from '../base/api/specification.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { basePath, type OperationName, operations, petStatuses } from '../base/generated/facts.ts';
import {
  isInt64,
  isObject,
  type JsonObject,
  type JsonValue,
  parseIfJson,
  parseJson,
  writeJson,
} from '../base/int64.ts';
import { didYouMean, shorten } from '../base/text.ts';
import { isMethod, nearestOperation, plainPath } from './closest-operation.ts';
import { encodedTarget } from './malformed.ts';
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

/** A row: of which places and rules, and their correction, if it has one. The first that has one counts. */
type CorrectionRow = readonly [
  place: RegExp,
  rule: RegExp,
  correct: (sent: SentParts, place: Place) => Correction | undefined,
];

/** Of requests that match no operation. */
const LINES: readonly CorrectionRow[] = [
  [/^/, /^malformed-http\/target$/, encodedLine],
  [/^/, /^no-operation$/, unknownMethod],
  [/^/, /^no-operation$/, decodedLine],
  [/^/, /^no-operation$/, nearestLine],
];

const ROWS: readonly CorrectionRow[] = [
  [/^operation$/, /^/, listInstead],
  [/^/, /^rejected$/, () => NONE],
  [/^body/, /^rejected/, rejectedBody],
  [
    /^header\/content-encoding$/,
    /^/,
    () => advising('Leave out Content-Encoding, and send the body as it is, not compressed'),
  ],
  [/^header\/authorization$/, /^/, () => setting('header/authorization', 'Bearer <API_KEY>')],
  [/^header\/content-type$/, /^/, jsonInstead],
  [/^query\/./, /^unknown-parameter$/, fieldInQuery],
  [/^query\/./, /^unknown-parameter$/, meantPair],
  [/^query\/./, /^unknown-parameter$/, ignoredPair],
  [/^query\/./, /^/, wrongPair],
  [/^path\/./, /^/, wrongId],
  [/^body/, /^/, noBody],
  [/^body/, /^/, wholeBody],
  [/^body/, /^/, wrongMember],
  [/^body/, /^/, unwrapped],
  [/^body/, /^/, renamedMember],
  [/^body/, /^required$/, missingMember],
  [/^body/, /^unknown-field$|Properties$/, (_, { name }) => removing(`body/${name}`)],
];

/** How to correct what a finding concerns. */
export function correctionOf(sent: SentParts, spot: Spot): Correction {
  const { operation } = sent;
  const isKnown = operation !== undefined && Object.hasOwn(operations, operation);
  const rows = spot.rule === 'no-operation' || spot.rule.startsWith('malformed') ? LINES : isKnown ? ROWS : [];
  const [kind = '', first = ''] = spot.location.split('/', 2);
  const [name = '', ...deeper] = kind === 'body' ? pathInBody(sent.fields, spot.location) : [first];
  const place: Place = { ...spot, operation: operation as OperationName, name };
  if (deeper.length > 0) return NONE;
  for (const [at, rule, correct] of rows) {
    const found = at.test(spot.location) && rule.test(spot.rule) ? correct(sent, place) : undefined;
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

// Lines

const partsOfLine = ({ line }: SentParts): readonly string[] => line.split(/ (.*)/s, 2);

function encodedLine(sent: SentParts): Correction | undefined {
  const [method, target = ''] = partsOfLine(sent);
  const encoded = encodedTarget(target);
  return encoded === undefined ? undefined : lineOf(`${method} ${encoded}`);
}

function unknownMethod(sent: SentParts): Correction | undefined {
  const [method = ''] = partsOfLine(sent);
  if (isMethod(method)) return undefined;
  const all = Object.values(operations).map((each) => `${each.method.toUpperCase()} ${basePath}${each.path}`);
  return advising(
    `Leave this request out: the API has no ${method}, so a pet can be neither changed nor deleted. It has ${all.join(', ')}`,
  );
}

/** A target whose `?`, `&` and `=` were encoded with the rest: `/v1/pets%3Flimit=5`. */
function decodedLine(sent: SentParts): Correction | undefined {
  const [method, target = ''] = partsOfLine(sent);
  const marks = target.replace(/%3f/i, '?').replaceAll(/%26/g, '&').replaceAll(/%3d/gi, '=');
  const isKnown = Object.values(operations).some(({ path }) => `${basePath}${path}` === pathOfTarget(marks));
  if (marks !== target && isKnown) return lineOf(`${method} ${marks}`);
  return /%(?![\da-f]{2})/i.test(target)
    ? advising('Build addresses with a URL library: a percent sign itself is written `%25`')
    : undefined;
}

/** The address that was meant, with its query. */
function nearestLine(sent: SentParts): Correction | undefined {
  const [method = '', target = ''] = partsOfLine(sent);
  const near = nearestOperation(method, target);
  if (near === undefined) return undefined;
  const path = plainPath(target);
  const id = method === 'GET' ? /\/([+-]?\d+)\/*$/.exec(path)?.[1] : undefined;
  const isValue = (part: string): boolean =>
    (/\d/.test(part) && !/^v\d/i.test(part)) || (petStatuses as readonly string[]).includes(part);
  const isLost = path.split('/').some((part) => isValue(part) && !near.includes(part) && part !== id);
  if (isLost || (near === LIST && !sent.pairs.every(isValidPair)))
    return advising(`No path of the API is like this one. The nearest is ${near}`);
  if (id !== undefined) return lineOf(`${near}?limit=${MOST}`, takeFromList(id));
  const { query = '' } = partsOfTarget(target);
  return lineOf(query === '' ? near : `${near}?${query}`);
}

const LIST = `GET ${basePath}${operations.listPets.path}`;
/** The most items that a list has. */
const MOST = parameterOf('listPets', 'query/limit').maximum;

/** Whether a list takes a pair of a query, or ignores it. */
const isValidPair = ({ name, text }: QueryPart): boolean =>
  !namesIn('listPets').includes(name) ||
  meantValues(parameterOf('listPets', `query/${name}`), valueOfPair(text))[0] === valueOfPair(text);

/** For an operation on one item: the list in which it is, and what to do with that. */
function listInstead(sent: SentParts, { operation, rule }: Place): Correction | undefined {
  const { deprecated, path } = operations[operation];
  if (
    !(deprecated && path.startsWith(`${operations.listPets.path}/`)) ||
    !(rule === 'deprecated' || sent.status === 410)
  )
    return undefined;
  const id = /\/([+-]?\d+)$/.exec(sent.path)?.[1];
  if (id === undefined) return lineOf(listOf(sent.pairs), `${IDS}; the list has them`);
  const status = sent.foundStatus === undefined ? '' : `status=${inQuery(sent.foundStatus)}&`;
  return lineOf(`${LIST}?${status}limit=${MOST}`, takeFromList(id, sent.status));
}

/** The list with what it takes of a query. */
function listOf(pairs: readonly QueryPart[]): string {
  const query = joined(pairs.filter((each) => namesIn('listPets').includes(each.name) && isValidPair(each)));
  return query === '' ? `${LIST}?limit=${MOST}` : `${LIST}?${query}`;
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

// Parameters

function wrongId(sent: SentParts, { operation, name, handedOut }: Place): Correction | undefined {
  const { path } = operations[operation];
  const at = `${basePath}${path}`.split('/').indexOf(`{${name}}`);
  if (at < 0) return undefined;
  const written = valueOfPair(`=${(sent.path.split('/')[at] ?? '').replaceAll('+', '%2B')}`);
  const withId = (id: string, advice?: string): Correction =>
    setting('path', `${basePath}${path.replace(`{${name}}`, id)}`, advice);
  if (handedOut !== undefined) return withId(handedOut, KEEP_DIGITS);
  const exact = integerIn(written);
  // `/pets/findByStatus?status=sold` of another petstore.
  if (/^(?:find|search|list|all$)/i.test(written) && sent.pairs.every(isValidPair))
    return lineOf(listOf(sent.pairs).replace(/\?limit=100$/, ''));
  if (exact === undefined) return unset(written) ?? advising(`${IDS}, so \`${shorten(written, 50)}\` is none`);
  // A number out of bounds is no id in another form. Beyond the digits of a double, it may be another id already.
  const { minimum, maximum } = parameterOf(operation, `path/${name}`);
  const isKept = /^[+-]?\d+$/.test(written) || (exact < FIRST_LOST && exact > -FIRST_LOST);
  return exact >= minimum && exact <= maximum && isKept ? withId(String(exact)) : advising(KEEP_DIGITS);
}

const valuesOf = (pairs: readonly QueryPart[]): readonly string[] => pairs.map(({ text }) => valueOfPair(text));

function wrongPair({ pairs }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const field = queryOf(operation).find((each) => each.name === name);
  const values = valuesOf(pairs.filter((pair) => pair.name === name));
  const [value = ''] = values;
  if (field === undefined || rule === 'deprecated') return undefined;
  // Without a filter, a list has all.
  if ((value === '' && values.length > 0) || (field.enum && /^(?:all|any|\*|%)$/i.test(value)))
    return removing(`query/${name}`);
  return unset(value) ?? pairFor(field, [name], values);
}

/** A parameter under other names: `pageSize`, `filter[status]`, `status[0]` and `status[1]`. */
function meantPair({ pairs }: SentParts, { operation, name }: Place): Correction | undefined {
  const described = namesIn(operation);
  if (/[?&]?\w+=/.test(name)) return advising(SEPARATE);
  const meant = meantParameter(name, described);
  const same = pairs.filter((pair) => !described.includes(pair.name) && meantParameter(pair.name, described) === meant);
  const values = valuesOf(same);
  if (meant === undefined || values.includes('') || pairs.some((pair) => pair.name === meant)) return undefined;
  const field = parameterOf(operation, `query/${meant}`);
  const found = pairFor(field, [...new Set(same.map((pair) => pair.name))], values);
  return found.edits.length > 0 || values.length > 1 ? found : undefined;
}

/** @param sentAs the names that the values were sent under */
function pairFor(field: Field, sentAs: readonly string[], values: readonly string[]): Correction {
  const { name } = field;
  if (FURTHER_PAIR.test(values.join(','))) return advising(SEPARATE);
  const meant = values.map((value) => meantValues(field, value));
  const [first, ...others] = meant.some((each) => each.length === 0) ? [] : [...new Set(meant.flat())];
  const asPair = (text: string): string => `${name}=${inQuery(text)}`;
  if (first !== undefined && (field.enum || others.length === 0)) {
    const [one = name, ...further] = sentAs;
    const edits = [
      namedEdit(`query/${one}`, name, first),
      ...further.map((each): Edit => ({ kind: 'remove', place: `query/${each}` })),
    ];
    const each = `Send one request for each value: also ${others.map(asPair).join(' and ')}`;
    return { edits, advice: others.length === 0 ? undefined : each };
  }
  if (field.enum) return advising(oneOf(field.enum.map(asPair)));
  return advising(`Send \`${name}\` ${values.length > 1 ? 'once, ' : ''}as ${wantedOf(field.schema)}`);
}

/** Another parameter in the value of one: `10;status=sold`, `10?status=sold`. */
const FURTHER_PAIR = /[;?&,\s](?:amp;)?\w+=/;
const SEPARATE = 'Separate the parameters by `&`, which is not encoded';
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
const PAGES =
  /^(?:page|page_?(?:no|number|index|token)|offset|skip|start|from|cursor|after|before|next|continuation_?token)$/i;

/** What the service ignores, so that nothing changes without it. */
function ignoredPair(_: SentParts, { operation, name }: Place): Correction {
  const further = `There are no further pages in this API: a list has at most ${MOST} pets`;
  const search =
    operation === 'listPets' ? 'The service ignores it: search the list for what it was to select' : undefined;
  return removing(`query/${name}`, PAGES.test(name) ? further : search);
}

/** A field of the body in the query. */
function fieldInQuery({ fields }: SentParts, { operation, name }: Place): Correction | undefined {
  const isField = membersOf(operation).some((each) => each.name === name) && fields?.[name] === undefined;
  return isField && !namesIn(operation).includes(name) ? advising(`Send \`${name}\` in the body, as JSON`) : undefined;
}

// Bodies

function jsonInstead({ contentType = '' }: SentParts, { operation }: Place): Correction {
  const { bodyExample } = operations[operation];
  const example = bodyExample === null ? 'JSON' : `JSON, such as ${JSON.stringify(bodyExample)}`;
  const advice = [
    [/charset/i, 'Encode the body as UTF-8'],
    [/form/i, `Write the values of the form as ${example}`],
    [/xml|yaml|csv|html/i, `Write the body as ${example}`],
  ].find(([type]) => (type as RegExp).test(contentType))?.[1];
  return setting('header/content-type', 'application/json', advice as string | undefined);
}

/** Characters of a sample. */
const MAX_SAMPLE_PET = 200;

/** An object as a whole body, without fields that have no value; `undefined` if that would be rejected, or cut. */
function newPet(found: JsonObject): JsonObject | undefined {
  const pet = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
  return writeJson(pet).length <= MAX_SAMPLE_PET && readNewPet(pet, 'body').ok ? pet : undefined;
}

/** A body that an operation does not take. */
function noBody(_: SentParts, { operation }: Place): Correction | undefined {
  if (operations[operation].body !== null) return operations[operation].bodyExample === null ? NONE : undefined;
  const names = namesIn(operation).map((name) => `\`${name}\``);
  const where = names.length === 0 ? '' : `; ${names.join(' and ')} go into the query`;
  return advising(`Leave out the body and its Content-Type${where}`);
}

/** A body that is no object of JSON: a list, JSON in JSON, nothing. */
function wholeBody({ bodyText = '', body, fields }: SentParts, { operation, name }: Place): Correction | undefined {
  if (name !== '' && fields !== undefined) return undefined;
  const whole = JSON.stringify(operations[operation].bodyExample);
  const found = typeof body === 'string' ? parseIfJson(body) : [body].flat()[0];
  const pet = isObject(found) ? newPet(found) : undefined;
  if (pet)
    return setting('body', pet, Array.isArray(body) && body.length > 1 ? 'Send one request for each pet' : undefined);
  if (bodyText === '') return setting('body', parseJson(whole), 'Example values; use your own');
  if (bodyText.includes('\0')) return advising('Encode the body as UTF-8, not as UTF-16');
  const number = /[:[,]\s*([-+]?(?:NaN|Infinity|Inf|nan|inf))\b/.exec(bodyText)?.[1];
  return advising(
    number === undefined
      ? `Write the body with a JSON library, such as ${whole} with the values that are meant`
      : `Find out where \`${number}\` comes from: JSON has no such number. Send another, or leave the field out`,
  );
}

/** What the service rejects in a body, and the specification does not forbid. */
function rejectedBody({ bodyText = '' }: SentParts): Correction {
  if (bodyText.includes('\ufffd')) return advising('Encode the body as UTF-8, not as ISO-8859-1 or another encoding');
  return parseIfJson(bodyText) === undefined && /^\s*\{.*\}\s*$/s.test(bodyText)
    ? advising('Send each field once, with the value that is meant')
    : NONE;
}

/** A described field with a wrong value. */
function wrongMember({ fields = {} }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const field = membersOf(operation).find((each) => each.name === name);
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  // Another correction may have taken it out.
  if (field === undefined || value === undefined) return field !== undefined && rule !== 'required' ? NONE : undefined;
  if ((value === null || (value === '' && field.enum)) && !field.required) return removing(`body/${name}`);
  const unsetText = typeof value === 'string' && (field.type !== 'string' || field.enum) ? unset(value) : undefined;
  return unsetText ?? memberFor(field, value);
}

/** The whole object in a field of its own: `{"pet":{"name":"Rex","categoryId":1}}`. */
function unwrapped({ fields = {} }: SentParts, { operation, name, rule }: Place): Correction | undefined {
  const described = membersOf(operation);
  const isKnown = (each: string): boolean => described.some((field) => field.name === each);
  const wrapper = (rule === 'required' ? Object.keys(fields) : [name]).find((each) => {
    const inner = isKnown(each) ? undefined : fields[each];
    return (
      isObject(inner) &&
      described.some((field) => field.required && fields[field.name] === undefined && Object.hasOwn(inner, field.name))
    );
  });
  if (wrapper === undefined) return undefined;
  const inner = Object.entries(fields[wrapper] as JsonObject).filter(([each]) => isKnown(each));
  const edits = inner.map(([each, value]): Edit => ({ kind: 'set', place: `body/${each}`, value }));
  return { edits: [{ kind: 'remove', place: `body/${wrapper}` }, ...edits] };
}

/** A field that is missing, and one that is not described: often they are one. */
function renamedMember({ fields = {} }: SentParts, { operation, name }: Place): Correction | undefined {
  const described = membersOf(operation);
  const missing = described.filter((each) => !Object.hasOwn(fields, each.name));
  const others = Object.keys(fields).filter((each) => !described.some((known) => known.name === each));
  const field =
    missing.find((each) => each.name === name) ??
    missing.find(
      (each) =>
        each.name ===
        didYouMean(
          name,
          missing.map((one) => one.name),
        ),
    );
  const sentAs = field?.name === name ? others.find((each) => didYouMean(each, [name]) === name) : name;
  return field && sentAs !== undefined ? memberFor(field, fields[sentAs] as JsonValue, sentAs) : undefined;
}

/** A field that is missing: its example, if there is one. */
function missingMember(_: SentParts, { operation, name }: Place): Correction | undefined {
  const field = membersOf(operation).find((each) => each.name === name);
  if (field === undefined) return undefined;
  const sample = (operations[operation].bodyExample as Record<string, unknown> | null)?.[name];
  return sample === undefined
    ? advising(`Add ${JSON.stringify(name)}: ${wantedOf(field.schema)}`)
    : setting(`body/${name}`, parseJson(JSON.stringify(sample)), 'Example value; use your own');
}

/** The value that was sent as the field allows it. @param sentAs the name that it was sent under */
function memberFor(field: Field, value: JsonValue, sentAs = field.name): Correction {
  const name = JSON.stringify(field.name);
  // The id in an object instead of a reference to it: `"category":{"id":7}`.
  const scalar = isObject(value) && field.type === 'integer' ? (value['id'] ?? value[field.name]) : value;
  const sent = isScalar(scalar) ? scalar : field.enum ? writeJson(value) : undefined;
  const closest = sent === undefined ? undefined : closestValue(field, sent);
  if (closest !== undefined) return { edits: [namedEdit(`body/${sentAs}`, field.name, closest)] };
  if (field.enum) return advising(oneOf(field.enum.map((each) => `${name}:${JSON.stringify(each)}`)));
  // A number beyond 64 bits has lost its digits; one that's smaller is only out of bounds.
  const integer = field.type === 'integer' && sent !== undefined ? integerIn(textOf(sent)) : undefined;
  return advising(
    integer !== undefined && !isInt64(integer) ? KEEP_DIGITS : `Send ${name} as ${wantedOf(field.schema)}`,
  );
}
