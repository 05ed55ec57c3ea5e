/**
 * The petstore API's constraints, from `spec/openapi.yaml` (as `base/generated/facts.ts`): the service never states them a
 * second time. What neither this nor a compiled check obeys stops the start, so that a change of the specification is
 * never half obeyed.
 */
import type { ErrorObject } from 'ajv';
import { type OperationName, operationNames, operations, schemas } from '../generated/facts.ts';
import { checks } from '../generated/field-checks.js';
import {
  describeJson,
  INT64_MAX,
  INT64_MIN,
  type JsonValue,
  NumberLiteral,
  parseIfJson,
  plainValue,
} from '../int64.ts';
import { isAndSent } from '../text.ts';
import { SpecificationError } from './errors.ts';
import type { Problem } from './exchange.ts';
import { askedBy, gotBy, type JsonSchema, problemOf, wantedOf } from './schema-problems.ts';

/** A field of a schema, or a parameter, as far as the service needs it. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  /** `other`: an array, an object, or one of several types. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'other';
  /** Of a string. */
  readonly enum: readonly string[] | undefined;
  /** For integers: the range allowed by format and bounds, at most an int64. */
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly default: string | number | boolean | undefined;
  readonly schema: JsonSchema;
  /** Checks what type, enumeration and bounds do not say; `undefined` where they say all. */
  readonly check: (typeof checks)[string] | undefined;
}

const KNOWN_OF_OBJECT = new Set(['type', 'required', 'properties']);
const TYPES = ['string', 'integer', 'number', 'boolean'] as const;
const RANGES: Readonly<Record<string, readonly [minimum: bigint, maximum: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [INT64_MIN, INT64_MAX],
};

/** What nothing here obeys: a field that only the service sets, a default that it fills in, and a field that it never returns. */
const UNOBEYED = { NewPet: ['readOnly', 'default'], Pet: ['writeOnly'] } as const;

/** The fields of an object schema, in the specification's order. */
export function fieldsOf(schemaName: 'NewPet' | 'Pet'): readonly Field[] {
  const schema: JsonSchema = schemas[schemaName];
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN_OF_OBJECT.has(keyword));
  if (unknown.length > 0)
    throw new SpecificationError(`spec/openapi.yaml: ${schemaName} has keywords unknown here: ${unknown.join(', ')}`);
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(schema['properties'] as Record<string, JsonSchema>).map(([name, node]) => {
    for (const keyword of UNOBEYED[schemaName]) rejectUnobeyed(node, keyword, `${schemaName}/${name}`);
    return fieldOf(name, required.includes(name), node, `${schemaName}/${name}`);
  });
}

/** A parameter of an operation, by its location in a request: `query/limit`. */
export function parameterOf(operation: OperationName, location: string): Field {
  const parameters: Readonly<Record<string, { required: boolean; schema: JsonSchema }>> =
    operations[operation].parameters;
  const found = parameters[location];
  if (!found) throw new SpecificationError(`spec/openapi.yaml: ${operation} has no parameter ${location}`);
  return fieldOf(location.slice(location.indexOf('/') + 1), found.required, found.schema, `${operation}/${location}`);
}

/** The parameters of an operation's query, in the specification's order. */
export const queryOf = (operation: OperationName): readonly Field[] =>
  Object.keys(operations[operation].parameters)
    .filter((location) => location.startsWith('query/'))
    .map((location) => parameterOf(operation, location));

/** The form of a path: `/pets/{petId}` as a pattern, with a group for each parameter. */
export const patternOf = (path: string): RegExp => {
  const literals = path.split(/\{[^{}]+\}/).map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'));
  return new RegExp(`^${literals.join('([^/]+)')}$`);
};

const ROUTES = operationNames.map((name) => ({
  name,
  method: operations[name].method.toUpperCase(),
  path: patternOf(operations[name].path),
}));

/** Whether an operation has this path, with any method. @param path behind the base path, without a query */
export const isOperationPath = (path: string): boolean => ROUTES.some((route) => route.path.test(path));

/** The operation that a request matches. @param path behind the base path, without its query */
export const operationAt = (method: string, path: string): OperationName | undefined =>
  ROUTES.find((route) => route.method === method && route.path.test(path))?.name;

/** When an operation is removed, in milliseconds since 1970: the start of the day of its `x-sunset`, in UTC. */
export function removalOf(operation: OperationName): number | undefined {
  const { sunset } = operations[operation];
  return sunset === null ? undefined : Date.parse(sunset);
}

function fieldOf(name: string, required: boolean, schema: JsonSchema, place: string): Field {
  const check = checks[place];
  if (check === undefined && !isPlain(schema))
    throw new SpecificationError(`spec/openapi.yaml: ${place} has no check yet; run npm run generate`);
  if (schema.type === 'integer' && RANGES[String(schema['format'] ?? 'int64')] === undefined)
    throw new SpecificationError(`spec/openapi.yaml: ${place} has a format unknown here: ${schema['format']}`);
  return fieldFrom(name, required, schema, check);
}

/** A field as a schema describes it, of today's specification or another one. */
export function fieldFrom(name: string, required: boolean, schema: JsonSchema, check?: Field['check']): Field {
  const { type } = schema;
  const range = RANGES[type === 'integer' ? String(schema['format']) : 'int64'] ?? [INT64_MIN, INT64_MAX];
  // A fraction rounds to the next integer inside.
  const { minimum = range[0], maximum = range[1] } = schema as { minimum?: number; maximum?: number };
  const [least, most] = [BigInt(Math.ceil(Number(minimum))), BigInt(Math.floor(Number(maximum)))];
  return {
    name,
    required,
    type: TYPES.find((each) => each === type) ?? 'other',
    enum: type === 'string' && isPlain(schema) ? (schema['enum'] as readonly string[] | undefined) : undefined,
    minimum: least > range[0] ? least : range[0],
    maximum: most < range[1] ? most : range[1],
    default: schema['default'] as Field['default'],
    schema,
    check,
  };
}

/** The sentence for a value that a field does not allow. An integer may only be out of bounds. */
export function wrongValue(
  { type, schema, minimum, maximum }: Pick<Field, 'type' | 'schema' | 'minimum' | 'maximum'>,
  value: JsonValue,
): string {
  // An integer that is no int64 is beyond every bound, and as a double it may be equal to one. 1e400 is infinite.
  const double = value instanceof NumberLiteral ? Number(value.text) : Number.NaN;
  const number = double % 1 > 0 || double % 1 < 0 || Number.isNaN(double) ? value : double * Infinity;
  const isNumber = type === 'integer' && (typeof number === 'bigint' || typeof number === 'number');
  const broken = !isNumber ? undefined : number > maximum ? { maximum } : number < minimum ? { minimum } : undefined;
  const rule = broken === undefined ? wantedOf(schema) : askedBy(Object.keys(broken)[0] as string, broken);
  return isAndSent(rule, describeJson(value));
}

/** Whether doubles make an integer of a number: for the validator, 2^63 is a valid one, and 1e-400 is 0. */
const isRounded = ({ text }: NumberLiteral): boolean => Number.isInteger(Number(text));

/**
 * Adds what is wrong with the value of a field. @param location of the value: `body/name`
 */
export function checkField(field: Field, value: JsonValue, location: string, problems: Problem[]): void {
  if (!isOfType(field, value)) {
    const isDifferent = field.type === 'integer' && value instanceof NumberLiteral && isRounded(value);
    const message = wrongValue(field, value);
    problems.push({ location, message, ...(isDifferent && { difference: 'int64-range' as const }) });
    return;
  }
  const { check } = field;
  if (check === undefined) return;
  if (!check(plainValue(value))) {
    for (const problem of problemsOf(check.errors ?? [], location, value))
      if (!problems.some((each) => each.location === problem.location)) problems.push(problem);
    // Every error is one of a keyword that leaves the words to others.
    if (!problems.some((each) => each.location.startsWith(location)))
      problems.push({ location, message: wrongValue(field, value) });
    return;
  }
  if (field.type === 'other') problems.push(...beyondInt64(value, location));
}

/** Of alternatives, all are named: what is wrong with one of them may not matter. */
function problemsOf(errors: readonly ErrorObject[], location: string, value: JsonValue): Problem[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  return errors.flatMap((error) => {
    if (alternatives.some(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`))) return [];
    if (!alternatives.includes(error)) return problemOf(error, location, value) ?? [];
    const wanted = wantedOf(error.parentSchema as JsonSchema);
    const only = (error.params as { passingSchemas?: unknown }).passingSchemas ? 'only one of: ' : '';
    return {
      location: `${location}${error.instancePath}`,
      message: isAndSent(`${only}${wanted}`, gotBy(error, value)),
    };
  });
}

/** The value of a text without quotes, of a cell or a form: digits stay digits. Of a string, it is the text itself. */
export function valueOfText({ type, check }: Field, text: string): JsonValue {
  if (type === 'string') return text;
  const value = parseIfJson(text) ?? text;
  // `12` is a text where a field is a string or null.
  return type === 'other' && check?.(plainValue(value)) === false && check(text) ? text : value;
}

function isOfType(field: Field, value: JsonValue): boolean {
  switch (field.type) {
    case 'integer':
      return typeof value === 'bigint' && value >= field.minimum && value <= field.maximum;
    case 'string':
      return typeof value === 'string' && (field.enum === undefined || field.enum.includes(value));
    case 'number':
      return typeof value === 'bigint' || value instanceof NumberLiteral;
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return true;
  }
}

/** Integers that are no int64 inside of a value of any type: a compiled check sees them as doubles. */
function beyondInt64(value: JsonValue, location: string): Problem[] {
  if (value instanceof NumberLiteral) {
    const message = wrongValue({ type: 'integer', schema: {}, minimum: INT64_MIN, maximum: INT64_MAX }, value);
    return isRounded(value) ? [{ location, message, difference: 'int64-range' }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => beyondInt64(member, `${location}/${name}`));
}

/** Rejects a keyword anywhere in a schema. */
function rejectUnobeyed(schema: object, keyword: string, place: string): void {
  if (((schema as JsonSchema)[keyword] ?? false) !== false)
    throw new SpecificationError(`spec/openapi.yaml: ${place} has ${keyword}, which nothing here obeys`);
  for (const inner of Object.values(schema))
    if (typeof inner === 'object' && inner !== null) rejectUnobeyed(inner, keyword, place);
}

/** Keywords that constrain nothing. */
const ANNOTATIONS = ['default', 'readOnly', 'writeOnly', '$comment', 'contentMediaType'];

const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['type', 'enum', ...ANNOTATIONS]),
  integer: new Set(['type', 'format', 'minimum', 'maximum', ...ANNOTATIONS]),
  number: new Set(['type', ...ANNOTATIONS]),
  boolean: new Set(['type', ...ANNOTATIONS]),
};

/**
 * Whether type, enumeration and bounds say all of a schema, whose references were followed: the service checks it by its own
 * code. For any other, `npm run generate` compiles a function into `generated/field-checks.js`.
 */
export function isPlain(schema: JsonSchema): boolean {
  const { type, format, minimum = 0, maximum = 0, enum: values = [] } = schema;
  const known = PLAIN[String(type)];
  return (
    known !== undefined &&
    Object.keys(schema).every((keyword) => known.has(keyword)) &&
    [undefined, 'int32', 'int64'].includes(format as string | undefined) &&
    Number.isSafeInteger(minimum) &&
    Number.isSafeInteger(maximum) &&
    (values as readonly unknown[]).every((value) => typeof value === 'string')
  );
}
