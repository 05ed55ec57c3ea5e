/** Schemas of a draft: their keywords, OpenAPI 3.0 in the words of JSON Schema, and one form for what means the same. */

import { isDeepStrictEqual } from 'node:util';
import { isNode, type Node } from './operations.ts';

const listed = (kind: 'schema' | 'schemas', keywords: string) =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, kind]));
/** Keywords whose values contain schemas: one, or several in a list or by name. */
export const OF_SCHEMAS: Readonly<Record<string, 'schema' | 'schemas'>> = {
  ...listed('schema', 'items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not'),
  ...listed('schema', 'if then else contentSchema'),
  ...listed('schemas', 'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas'),
};

/** A schema of OpenAPI 3.0 in the words of JSON Schema 2020-12. */
export function modern(schema: Node): unknown {
  const { nullable, ...result } = schema as Record<string, unknown>;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const { [bound]: value, [exclusive]: isExclusive } = result;
    if (typeof isExclusive !== 'boolean') continue;
    delete result[exclusive];
    if (!isExclusive || value === undefined) continue;
    result[exclusive] = value;
    delete result[bound];
  }
  if (nullable !== true) return result;
  // Generators mean it so, although 3.0.3 gives `nullable` a meaning next to `type` only.
  if (typeof result['type'] !== 'string') return { anyOf: [result, { type: 'null' }] };
  const values = result['enum'];
  return {
    ...result,
    type: [result['type'], 'null'],
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
  };
}

/** Prose, and what only describes values. */
const PROSE = new Set(
  '$schema $comment $defs description summary title example examples externalDocs deprecated xml'.split(' '),
);

/** A part with a date is not what it is today. */
export const isProse = (keyword: string): boolean =>
  PROSE.has(keyword) || (keyword.startsWith('x-') && keyword !== 'x-sunset');

/** Keywords that say nothing with these values. */
const IDLE: Readonly<Record<string, unknown>> = {
  nullable: false,
  uniqueItems: false,
  readOnly: false,
  writeOnly: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  required: [],
  additionalProperties: true,
};

/** Whose parts depend on each other, so that an `allOf` with one of them stays as it is. */
const DEPENDENT = [
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'prefixItems',
  'contains',
  'if',
];

/** A schema in a form that is equal for what means the same: without prose, with every `allOf` in it that can be. */
export function canonical(schema: unknown): unknown {
  if (schema === true || schema === undefined) return {};
  if (!isNode(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isProse(keyword)) continue;
    const form = canonicalValue(keyword, value);
    if (!isDeepStrictEqual(form, IDLE[keyword]))
      result[keyword === 'const' && !('enum' in schema) ? 'enum' : keyword] = form;
  }
  const flat = flattened(result);
  if (flat['type'] === undefined) {
    const type = impliedType(flat);
    if (type !== undefined) flat['type'] = type;
  }
  return flat;
}

function canonicalValue(keyword: string, value: unknown): unknown {
  const kind = Object.hasOwn(OF_SCHEMAS, keyword) ? OF_SCHEMAS[keyword] : undefined;
  if (kind === 'schema') {
    const form = canonical(value);
    return keyword === 'additionalProperties' && isDeepStrictEqual(form, {}) ? true : form;
  }
  if (kind === 'schemas' && Array.isArray(value)) return value.map(canonical);
  if (kind === 'schemas' && isNode(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, canonical(each)]));
  if (keyword === 'const') return [value];
  if (keyword === 'type') return Array.isArray(value) && value.length === 1 ? value[0] : inOrder(value);
  return keyword === 'enum' || keyword === 'required' ? inOrder(value) : value;
}

const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? [...new Map(value.map((each) => [JSON.stringify(each), each])).entries()].sort(byKey).map(([, each]) => each)
    : value;

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** Many leave the type out where other keywords say it. */
function impliedType({ enum: values, properties, items, allOf, anyOf, oneOf, $ref }: Node): string | undefined {
  if ([allOf, anyOf, oneOf, $ref].some((each) => each !== undefined)) return undefined;
  if (Array.isArray(values)) return values.every((each) => typeof each === 'string') ? 'string' : undefined;
  if (properties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}

/** With the parts of `allOf`, and of a choice of one, in it, unless two of them say different things. */
function flattened(schema: Record<string, unknown>): Record<string, unknown> {
  let result = schema;
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const { [keyword]: parts, ...own } = result;
    if (Array.isArray(parts) && (keyword === 'allOf' || parts.length === 1))
      result = together([own, ...parts]) ?? result;
  }
  return result;
}

/** What schemas say together; `undefined` where that takes more than to write them next to each other. */
function together(schemas: readonly unknown[]): Record<string, unknown> | undefined {
  const parts = schemas.filter((each) => !isDeepStrictEqual(each, {}));
  if (!parts.every(isNode)) return undefined;
  if (parts.length > 1 && parts.some((each) => DEPENDENT.some((keyword) => keyword in each))) return undefined;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of parts.flatMap((each) => Object.entries(each))) {
    const before = result[keyword];
    const isNew = before === undefined || isDeepStrictEqual(before, value);
    result[keyword] = isNew ? value : bothOf(keyword, before, value);
    if (result[keyword] === undefined) return undefined;
  }
  return result;
}

function bothOf(keyword: string, one: unknown, other: unknown): unknown {
  if (keyword === 'required') return inOrder([one, other].flat());
  if (keyword !== 'properties' || !isNode(one) || !isNode(other)) return undefined;
  const names = Object.keys({ ...one, ...other });
  const all = names.map((name) => [name, together([one, other].flatMap((each) => each[name] ?? []))]);
  return all.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(all);
}

/** The formats that Prism checks in JSON, and those that say nothing of a value. */
const FORMATS = new Set(
  (
    'int32 int64 float double date date-time time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid ' +
    'regex json-pointer relative-json-pointer byte'
  ).split(' '),
);

/** Whether Prism can't decide on a keyword, which still says what is sent. */
export const isUnchecked = (keyword: string, value: unknown): boolean =>
  keyword === 'format'
    ? !FORMATS.has(String(value))
    : ['contentEncoding', 'contentMediaType', 'contentSchema', 'discriminator', 'nullable', 'x-sunset'].includes(
        keyword,
      );

/** The values of some keywords anywhere in a schema, by their places. */
export function keywordsIn(
  schema: unknown,
  isWanted: (keyword: string, value: unknown) => boolean,
  place = '',
): ReadonlyMap<string, unknown> {
  if (!isNode(schema)) return new Map();
  return new Map(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      const at = `${place}/${keyword}`;
      if (isWanted(keyword, value)) return [[at, value]];
      const kind = Object.hasOwn(OF_SCHEMAS, keyword) ? OF_SCHEMAS[keyword] : undefined;
      if (kind === undefined || typeof value !== 'object' || value === null) return [];
      const parts: [string, unknown][] =
        kind === 'schema' ? [[at, value]] : Object.entries(value).map(([name, each]) => [`${at}/${name}`, each]);
      return parts.flatMap(([where, part]) => [...keywordsIn(part, isWanted, where)]);
    }),
  );
}
