/**
 * What of an operation is not deep-equal to today's, where no validator decides: someone must look at it. Only what is added,
 * or narrower in a response, is left out.
 */
import { isDeepStrictEqual } from 'node:util';
import { shorten } from '../../base/text.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { OF_SCHEMAS } from './draft-operations.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const PROSE = words('$schema $comment $defs description summary title example examples externalDocs deprecated xml');
/** What says nothing when it is false. */
const IDLE = words('nullable readOnly writeOnly uniqueItems required explode allowEmptyValue allowReserved');
/** What is in these is named by the author. */
const NAMED = words('properties patternProperties dependentSchemas headers content responses callbacks links');
/** Where one of these is added, a response is still one of today's. */
const NARROWING = words(
  'maxLength minLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties enum required additionalProperties readOnly',
);
/** What Prism decides on in a request, besides schemas within schemas. */
const DECIDED = words(
  'type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems minContains maxContains minProperties maxProperties required dependentRequired $ref',
);
const FORMATS = words(
  'int32 int64 float double date date-time time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid regex json-pointer relative-json-pointer byte',
);

const isProse = (name: string): boolean => PROSE.has(name) || (name.startsWith('x-') && name !== 'x-sunset');
const listOf = (value: unknown): readonly unknown[] => [value].flat();
const own = (part: Node, name: string): unknown => (Object.hasOwn(part, name) ? part[name] : undefined);

/** A part without prose, and with its lists of names in order. */
export function withoutProse(part: unknown, hasNames = false): unknown {
  if (Array.isArray(part)) return part.map((each) => withoutProse(each));
  if (!isNode(part)) return part;
  const fields = Object.entries(part).filter(
    ([name, value]) => hasNames || !(isProse(name) || (value === false && IDLE.has(name))),
  );
  const result = Object.fromEntries(
    fields.map(([name, value]) => {
      const isList = !hasNames && (name === 'required' || name === 'enum') && Array.isArray(value);
      return [name, isList ? [...value].sort(byText) : withoutProse(value, !hasNames && NAMED.has(name))];
    }),
  );
  return hasNames ? result : together(result);
}

const DEPENDENT = words('additionalProperties unevaluatedProperties unevaluatedItems prefixItems contains if');

/** A schema with the parts of its `allOf` in it, where they only name further fields: many write a reference like that. */
function together(schema: Node): Node {
  const { allOf, ...rest } = schema;
  const parts = [rest, ...listOf(allOf ?? [])];
  const isSimple = parts.every((each) => isNode(each) && !Object.keys(each).some((name) => DEPENDENT.has(name)));
  if (allOf === undefined || !isSimple) return schema;
  const result: Record<string, unknown> = {};
  for (const [name, value] of (parts as Node[]).flatMap((each) => Object.entries(each))) {
    const before = result[name];
    const isShared = isNode(before) && isNode(value) && Object.keys(value).some((each) => Object.hasOwn(before, each));
    if (before === undefined || isDeepStrictEqual(before, value)) result[name] = value;
    else if (name === 'required') result[name] = [...new Set([before, value].flat())].sort(byText);
    else if (name === 'properties' && !isShared) result[name] = { ...before, ...(value as Node) };
    else return schema;
  }
  return result;
}

const byText = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1);

/** Where the second part is not the first with additions. @param owner the keyword that the parts are of */
export function differencesIn(before: unknown, after: unknown, location: string, owner: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isNode(before) || !isNode(after))
    return isNarrower(owner, before, after) ? [] : [`${location}: ${changeText(before, after)}`];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [one, other] = [before, after].map((each) =>
      owner === 'responses' ? responseIn(each, name) : own(each, name),
    );
    const isAdded = one === undefined && mayBeAdded(owner, name, before, after);
    // Without `default` an error may be anything, as it always could be that comes from in between.
    const isCovered = owner === 'responses' && name === 'default' && (other === undefined || one === undefined);
    return isAdded || isCovered ? [] : differencesIn(one, other, `${location}/${name}`, NAMED.has(owner) ? '' : name);
  });
}

/** An error may be described by `default`. */
const responseIn = (responses: Node, code: string): unknown =>
  own(responses, code) ?? responses[`${code.charAt(0)}XX`] ?? (/^[45]/.test(code) ? responses['default'] : undefined);

function mayBeAdded(owner: string, name: string, before: Node, after: Node): boolean {
  if (owner === 'responses')
    return (
      /^[45]/.test(name) ||
      (name === '2XX' &&
        Object.keys(before).some((each) => each.startsWith('2') && Object.hasOwn(after, each) === false))
    );
  if (owner === 'content') return Object.keys(before).some((type) => Object.hasOwn(after, type));
  return (
    owner === 'properties' ||
    owner === 'headers' ||
    name === 'headers' ||
    (owner !== 'callbacks' && NARROWING.has(name))
  );
}

function isNarrower(keyword: string, before: unknown, after: unknown): boolean {
  const isAmong = (some: unknown, all: unknown): boolean =>
    listOf(some).every((each) => listOf(all).some((other) => isDeepStrictEqual(each, other)));
  if (after === undefined || before === undefined) return false;
  if (keyword === 'enum' || keyword === 'type') return isAmong(after, before);
  return keyword === 'required'
    ? isAmong(before, after)
    : keyword === 'format' && before === 'int64' && after === 'int32';
}

/** What a schema says of a request that Prism cannot decide on, by the names of its fields: `name/format: "shout"`. */
export function undecidedIn(schema: unknown, place = ''): string[] {
  if (!isNode(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]): string[] => {
    const kind = Object.hasOwn(OF_SCHEMAS, keyword) ? OF_SCHEMAS[keyword] : undefined;
    const isOpen = keyword === 'patternProperties' || (keyword === 'additionalProperties' && isNode(value));
    if (kind === undefined || isOpen)
      return isUndecided(keyword, value)
        ? [`${place}${keyword}: ${shorten(JSON.stringify(value), MAX_CHANGE_TEXT)}`]
        : [];
    if (kind === 'schema' || !isNode(value)) return listOf(value).flatMap((each) => undecidedIn(each, place));
    return Object.entries(value).flatMap(([name, each]) => undecidedIn(each, `${place}${name}/`));
  });
}

const isUndecided = (keyword: string, value: unknown): boolean =>
  !DECIDED.has(keyword) &&
  !isProse(keyword) &&
  value !== false &&
  !(keyword === 'format' && FORMATS.has(String(value)));

/** The fields that a request may have by a schema, also in the schemas that it combines. */
export function fieldNamesIn(schema: unknown): readonly string[] {
  if (!isNode(schema)) return [];
  const combined = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((each) => listOf(each ?? []));
  const { properties } = schema;
  const named = isNode(properties) ? Object.keys(properties).filter((name) => isTaken(properties[name])) : [];
  return [...named, ...combined.flatMap(fieldNamesIn)];
}

const isTaken = (schema: unknown): boolean => schema !== false && !(isNode(schema) && schema['readOnly'] === true);

const MAX_CHANGE_TEXT = 120;

/** `changed: 20 → 10` */
export function changeText(before: unknown, after: unknown): string {
  if (before === undefined) return `new: ${jsonText(after)}`;
  if (after === undefined) return `gone: ${jsonText(before)}`;
  return `changed: ${jsonText(before)} → ${jsonText(after)}`;
}

const jsonText = (value: unknown): string =>
  shorten(
    typeof value === 'string' && !/^[\d.+-]|^(?:true|false|null)$/.test(value) ? value : JSON.stringify(value),
    MAX_CHANGE_TEXT,
  );
