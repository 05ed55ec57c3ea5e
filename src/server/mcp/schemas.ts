/** The schemas of tools, derived from the specification of the control API. */
import { type ControlParameter, parametersOf } from '../../base/api/control-operations.ts';
import type { JsonSchema } from '../../base/api/schema-problems.ts';
import specification from '../../base/generated/control-api.json' with { type: 'json' };
import type { ControlRoute } from '../../client/routes.ts';

type AnySchema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, AnySchema>>;

const PREFIX = '#/components/schemas/';
const schemas: Readonly<Record<string, AnySchema>> = specification.components.schemas;

/** The schema of a tool's arguments. */
export interface InputSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Properties;
}

/** @param required the names of those that must be given */
export const inputOf = (properties: Properties, required: readonly string[] = []): InputSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The body of an operation, with all references in place: some agents resolve none. */
export const bodySchemaOf = (route: ControlRoute): InputSchema => {
  const { requestBody } = operationAt(route);
  return inPlace(requestBody?.content['application/json']?.schema) as InputSchema;
};

/** The query parameters of an operation, without these. */
export const toolQueryOf = (route: ControlRoute, without: readonly string[] = []): Properties =>
  Object.fromEntries(
    parametersOf(operationAt(route))
      .filter((each) => each.in === 'query' && each.name !== 'sandbox' && !without.includes(each.name))
      .map(({ name, description, schema }) => [name, { ...(inPlace(schema) as AnySchema), description }]),
  );

/** The same properties without these. */
export const without = (properties: Properties, ...names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));

/** The result of a tool: one of these schemas, or an error. */
export function outputOf(...names: readonly (keyof typeof specification.components.schemas)[]): AnySchema {
  const definitions: Record<string, unknown> = {};
  const define = (name: string): void => {
    if (name in definitions) return;
    const schema = strings(schemas[name]);
    definitions[name] = JSON.parse(JSON.stringify(schema).replaceAll(PREFIX, '#/$defs/'));
    for (const [, inner] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      define(inner as string);
  };
  const all = [...names, 'Error'];
  for (const name of all) define(name);
  return { type: 'object', anyOf: all.map((name) => ({ $ref: `#/$defs/${name}` })), $defs: definitions };
}

interface ToolOperation {
  readonly parameters?: readonly (ControlParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: AnySchema }>> };
}

function operationAt(route: ControlRoute): ToolOperation {
  const [method = '', path = ''] = route.split(' ');
  const paths = specification.paths as unknown as Record<string, Record<string, ToolOperation>>;
  return paths[path]?.[method.toLowerCase()] as ToolOperation;
}

function inPlace(node: unknown): unknown {
  const resolve = (each: unknown): unknown => {
    const { $ref, ...rest } = (each ?? {}) as { $ref?: unknown };
    return typeof $ref === 'string' ? resolve({ ...schemas[$ref.slice(PREFIX.length)], ...rest }) : each;
  };
  return mapped(strings(resolve(node)), (each) => strings(resolve(each)));
}

/** An int64 is a string of digits here: the JSON readers of agents round numbers beyond 2^53. */
function strings(node: unknown): unknown {
  return mapped(node, (each) => {
    const { format, type, ...rest } = each as { format?: unknown; type?: unknown };
    const text = Array.isArray(type) && type.includes('null') ? ['string', 'null'] : 'string';
    return format === 'int64' ? { ...rest, type: text, pattern: '^-?[0-9]{1,19}$', examples: ['42'] } : each;
  });
}

/** A schema with each object in it replaced, from the outside in. */
function mapped(node: unknown, replace: (each: object) => unknown): unknown {
  if (Array.isArray(node)) return node.map((each) => mapped(each, replace));
  if (typeof node !== 'object' || node === null) return node;
  const now = replace(node);
  if (typeof now !== 'object' || now === null) return now;
  return Object.fromEntries(Object.entries(now).map(([name, inside]) => [name, mapped(inside, replace)]));
}
