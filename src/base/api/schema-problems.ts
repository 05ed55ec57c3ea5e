/** The one table of what rules of schemas are in words. */
import type { ErrorObject } from 'ajv';
import { unescaped } from '../address.ts';
import { describeJson, isObject, type JsonObject, type JsonValue } from '../int64.ts';
import { counted, isAndSent, kindOf, notKnown, shorten, suggestionFor } from '../text.ts';
import type { Problem } from './exchange.ts';

/** A JSON Schema, as far as words are made of it. */
export interface JsonSchema {
  readonly type?: string;
  readonly [keyword: string]: unknown;
}

/** Characters of a name that a message quotes. */
export const MAX_NAME = 100;

/**
 * `undefined` for an error that another error explains better.
 * @param exact the value that was checked, with every number as its digits
 */
export function problemOf(error: ErrorObject, location: string, exact?: JsonValue): Problem | undefined {
  const { keyword, instancePath, params } = error;
  const schema = error.parentSchema as JsonSchema;
  const where = `${location}${instancePath}`;
  if (keyword === 'anyOf') {
    const names = oneRequiredOf(schema);
    return names && { location: where, message: `needs at least one of ${names.map(named).join(', ')}` };
  }
  if (keyword === 'oneOf' || keyword === 'if') return undefined;
  const not = schema['not'] as JsonSchema | undefined;
  // `required` holds for every value that is no object, so a `not` of it fails there.
  if (keyword === 'not' && not?.['required'] !== undefined && !isObject(error.data as JsonValue)) return undefined;
  if (keyword === 'not' && not?.['description'] !== undefined)
    return { location: where, message: String(not['description']) };
  const { additionalProperty, unevaluatedProperty = additionalProperty } = params as Readonly<Record<string, string>>;
  if (unevaluatedProperty !== undefined) {
    const known = keyword === 'additionalProperties' ? Object.keys(schema['properties'] as object) : [];
    return {
      location: `${where}/${shorten(unevaluatedProperty, MAX_NAME)}`,
      message: notKnown(unevaluatedProperty, known),
    };
  }
  if (keyword === 'dependentRequired') {
    const { property, missingProperty } = params as { property: string; missingProperty: string };
    return { location: `${where}/${missingProperty}`, message: `is required together with ${named(property)}` };
  }
  if (keyword === 'required') {
    // Each branch of such an `anyOf` reports its own missing member.
    if (error.schemaPath.includes('/anyOf/')) return undefined;
    const { missingProperty } = params as { missingProperty: string };
    const wanted = (schema['properties'] as Record<string, JsonSchema> | undefined)?.[missingProperty];
    return { location: `${where}/${missingProperty}`, message: isRequired(wanted) };
  }
  const names = (keyword === 'enum' ? (schema['enum'] as readonly unknown[]) : []).filter(
    (each) => typeof each === 'string',
  );
  const hint = typeof error.data === 'string' ? suggestionFor(error.data, names) : '';
  return { location: where, message: `${isAndSent(askedBy(keyword, schema), gotBy(error, exact))}${hint}` };
}

/** Names next to a location are marked: the command line has flags in their place. */
const named = (name: string): string => `\`${name}\``;

/** The sentence for a value that is missing, behind its name. */
export const isRequired = (schema: JsonSchema | undefined): string =>
  schema === undefined || wantedOf(schema) === AS_SPECIFIED ? 'is required' : `is required (${wantedOf(schema)})`;

/** Of a schema that has no words. */
export const AS_SPECIFIED = 'as the specification says';

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
};

/** What one keyword of a schema asks for, as a clause: `at most 100`. Most make one with the others of their schema. */
export function askedBy(keyword: string, schema: JsonSchema): string {
  const bound = BOUNDS[keyword];
  // OpenAPI 3.0 has the bound of `exclusiveMaximum: true` in `maximum`.
  const value =
    schema[keyword] === true ? schema[keyword === 'exclusiveMaximum' ? 'maximum' : 'minimum'] : schema[keyword];
  if (bound !== undefined) return `${bound} ${value}`;
  if (keyword === 'const') return JSON.stringify(value);
  // A string that violates this may still match its pattern.
  if (keyword === 'maxLength' && schema['pattern'] !== undefined) return `of at most ${schema[keyword]} characters`;
  return wantedOf(schema);
}

/** The value that an error is about: as a double, a number may be another one. */
export function gotBy({ keyword, data, instancePath }: ErrorObject, exact?: JsonValue): string {
  if (/^(?:min|max)Items$/.test(keyword)) return `an array of ${counted((data as unknown[]).length, 'item')}`;
  if (typeof data !== 'number' || exact === undefined) return kindOf(data, 60);
  const names = instancePath.split('/').slice(1).map(unescaped);
  return describeJson(names.reduce((value, name) => (value as JsonObject)[name] as JsonValue, exact));
}

/** The names in an `anyOf` that requires one of several members; `undefined` for any other. */
function oneRequiredOf({ anyOf }: JsonSchema): readonly string[] | undefined {
  const branches = anyOf as readonly JsonSchema[];
  const names = branches.flatMap((branch) => (Object.keys(branch).join() === 'required' ? branch['required'] : []));
  return names.length === branches.length ? (names as string[]) : undefined;
}

/** The requirement of a schema, as text. */
export function wantedOf(schema: JsonSchema): string {
  const { type, enum: values, const: only } = schema;
  if (Array.isArray(values)) return `one of ${values.map(shownValue).join(', ')}`;
  if (only !== undefined) return JSON.stringify(only);
  if (type === 'integer' || type === 'number')
    return wantedNumber(
      type === 'number' ? 'a number' : schema['format'] === 'int32' ? 'an integer of 32 bits' : 'an integer',
      schema,
    );
  if (type === 'string') return wantedText(schema);
  if (type === 'object') return schema['minProperties'] === undefined ? 'a JSON object' : 'a JSON object with a field';
  if (type === 'array') return wantedArray(schema);
  if (type === 'boolean') return 'true or false';
  if (Array.isArray(type)) return type.map((each) => wantedOf({ ...schema, type: each })).join(', or ');
  if (type === 'null') return 'null';
  return type === undefined ? alternatives(schema) : `of type ${type}`;
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function alternatives({ anyOf, oneOf }: JsonSchema): string {
  const schemas = (anyOf ?? oneOf ?? []) as readonly JsonSchema[];
  const wanted = schemas.map((each) =>
    each.type === 'object' && Array.isArray(each['required'])
      ? `a JSON object with ${each['required'].join(' and ')}`
      : wantedOf(each),
  );
  return wanted.length === 0 ? AS_SPECIFIED : [...new Set(wanted)].join(', or ');
}

function wantedNumber(kind: string, schema: JsonSchema): string {
  const { minimum, maximum, multipleOf } = schema;
  const step = multipleOf === undefined ? [] : [askedBy('multipleOf', schema)];
  if (minimum !== undefined && maximum !== undefined)
    return [`${kind} from ${minimum} to ${maximum}`, ...step].join(', ');
  const bounds = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'].flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [askedBy(keyword, schema)],
  );
  return [bounds.length === 0 ? kind : `${kind} of ${bounds.join(' and ')}`, ...step].join(', ');
}

function wantedArray({ items, minItems, maxItems, uniqueItems }: JsonSchema): string {
  const kind = uniqueItems === true ? 'an array without repetitions' : 'an array';
  const range =
    (minItems ?? maxItems) === undefined ? '' : ` of ${minItems ?? 0} to ${maxItems ?? 'any number of'} items`;
  const each = (items as JsonSchema | undefined)?.type === undefined ? '' : `, each ${wantedOf(items as JsonSchema)}`;
  return `${kind}${range}${each}`;
}

/** An example of a format. */
const FORMATTED: Readonly<Record<string, string>> = {
  date: 'a date like 2030-12-05',
  'time-with-zone': 'an RFC 3339 time with a zone, like 2030-12-05T00:00:00Z',
  'date-time': 'an RFC 3339 time like 2030-12-05T00:00:00Z',
  time: 'a time like 09:30:00Z',
  duration: 'a duration like PT1H',
  uuid: 'a UUID like 123e4567-e89b-12d3-a456-426614174000',
  uri: 'a URI like https://example.com/1',
  email: 'an email address like rex@example.com',
  hostname: 'a host name like example.com',
  ipv4: 'an IPv4 address like 192.0.2.1',
  ipv6: 'an IPv6 address like 2001:db8::1',
};

function wantedText({ format, pattern, minLength, maxLength, description, examples }: JsonSchema): string {
  const described = asClause(description);
  if (format === 'date-time') return `${described ?? 'an RFC 3339 time with a zone'}, like 2030-12-05T00:00:00Z`;
  if (described !== undefined && Array.isArray(examples)) return `${described}, like ${examples.join(', ')}`;
  // An example tells a reader more than a regular expression. A test holds that every such schema has one, or a
  // description.
  if (typeof pattern === 'string')
    return (
      described ??
      (Array.isArray(examples) ? `a string like ${examples.join(' or ')}` : `a string that matches ${pattern}`)
    );
  if (typeof format === 'string' && Object.hasOwn(FORMATTED, format)) return FORMATTED[format] as string;
  if (maxLength === undefined && minLength !== undefined) return `a string of at least ${minLength} characters`;
  return maxLength === undefined ? 'a string' : `a string of ${minLength ?? 0} to ${maxLength} characters`;
}

/** `An ISO 8601 duration.` as a clause within a sentence. */
const asClause = (description: unknown): string | undefined =>
  typeof description === 'string' && /^An? [^\n]+\.$/.test(description) ? `a${description.slice(1, -1)}` : undefined;
