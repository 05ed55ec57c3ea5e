/**
 * The petstore API's constraints, from `spec/openapi.yaml` (as `generated/facts.ts`): the service never states them a
 * second time. An unknown keyword or format stops the start, so that a change of the specification is never half
 * obeyed.
 */

import { INT64_MAX, INT64_MIN } from '../core/int64.ts';
import { type OperationName, operationNames, operations, schemas } from '../generated/facts.ts';
import { SpecificationError } from './errors.ts';

/** A field of a schema, or a parameter, as far as the service needs it. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: 'string' | 'integer';
  readonly enum: readonly string[] | undefined;
  /** For integers: the range allowed by format and bounds, at most an int64. */
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly default: string | number | undefined;
}

interface SchemaNode {
  readonly [keyword: string]: unknown;
}

const KNOWN_OF_OBJECT = new Set(['type', 'required', 'properties']);
const KNOWN_OF_FIELD = {
  string: new Set(['type', 'enum', 'default']),
  integer: new Set(['type', 'format', 'minimum', 'maximum', 'default']),
};
const RANGES: Readonly<Record<string, readonly [minimum: bigint, maximum: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [INT64_MIN, INT64_MAX],
};

/** The fields of an object schema, in the specification's order. */
export function fieldsOf(schemaName: 'NewPet' | 'Pet'): readonly Field[] {
  const schema: SchemaNode = schemas[schemaName];
  rejectUnknown(schema, KNOWN_OF_OBJECT, schemaName);
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(schema['properties'] as Record<string, SchemaNode>).map(([name, node]) =>
    fieldOf(name, required.includes(name), node),
  );
}

/** A parameter of an operation, by its location in a request: `query/limit`. */
export function parameterOf(operation: OperationName, location: string): Field {
  const parameters: Readonly<Record<string, { required: boolean; schema: SchemaNode }>> =
    operations[operation].parameters;
  const found = parameters[location];
  if (!found) throw new SpecificationError(`spec/openapi.yaml: ${operation} has no parameter ${location}`);
  return fieldOf(location.slice(location.indexOf('/') + 1), found.required, found.schema);
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

function fieldOf(name: string, required: boolean, schema: SchemaNode): Field {
  const { type, format } = schema;
  if (type !== 'string' && type !== 'integer')
    throw new SpecificationError(`spec/openapi.yaml: ${name} has an unknown type`);
  rejectUnknown(schema, KNOWN_OF_FIELD[type], name);
  const range = RANGES[(format as string | undefined) ?? 'int64'];
  if (!range) throw new SpecificationError(`spec/openapi.yaml: ${name} has a format unknown here: ${format}`);
  const { minimum = range[0], maximum = range[1] } = schema as { minimum?: number; maximum?: number };
  return {
    name,
    required,
    type,
    enum: schema['enum'] as readonly string[] | undefined,
    minimum: BigInt(minimum) > range[0] ? BigInt(minimum) : range[0],
    maximum: BigInt(maximum) < range[1] ? BigInt(maximum) : range[1],
    default: schema['default'] as string | number | undefined,
  };
}

function rejectUnknown(schema: SchemaNode, known: ReadonlySet<string>, name: string): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0)
    throw new SpecificationError(`spec/openapi.yaml: ${name} has keywords unknown here: ${unknown.join(', ')}`);
}
