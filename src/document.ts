/**
 * The interface's own constraints, read from `spec/openapi.yaml` (as `generated/interface.json`): what the service
 * parses by is never written a second time. A keyword that the readers here do not know stops the start, so that a
 * change of the document cannot be half obeyed.
 */
import document from './generated/interface.json' with { type: 'json' };

/** A field of a schema, or a parameter, as far as the service has to know it. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: 'string' | 'integer';
  readonly enum: readonly string[] | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly default: number | undefined;
}

interface SchemaNode {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
}

const ANNOTATIONS = ['description', 'title', 'examples', 'example', 'deprecated'];
const KNOWN_OF_FIELD = new Set([...ANNOTATIONS, 'type', 'format', 'enum', 'minimum', 'maximum', 'default']);
const KNOWN_OF_OBJECT = new Set([...ANNOTATIONS, 'type', 'required', 'properties']);

/** The fields of an object schema under `#/components/schemas`, in the document's order. */
export function fieldsOf(schemaName: 'NewPet' | 'Pet'): readonly Field[] {
  const schema = resolve(document.components.schemas[schemaName] as SchemaNode);
  refuseUnknown(schema, KNOWN_OF_OBJECT, schemaName);
  const required = schema['required'] as readonly string[];
  return Object.entries(schema['properties'] as Record<string, SchemaNode>).map(([name, node]) =>
    fieldOf(name, required.includes(name), node),
  );
}

/** A query parameter of an operation, by its place in the document. */
export function queryParameter(path: '/pets', method: 'get', name: string): Field {
  const parameters = document.paths[path][method].parameters as readonly SchemaNode[];
  const found = parameters.find((parameter) => parameter['in'] === 'query' && parameter['name'] === name);
  if (!found) throw new Error(`spec/openapi.yaml: ${method} ${path} has no query parameter ${name}`);
  return fieldOf(name, found['required'] === true, found['schema'] as SchemaNode);
}

/** When `getPet` is removed, in milliseconds since 1970: `x-sunset` of the document, at the start of that day in UTC. */
export const removalOfGetPet: number = Date.parse(document.paths['/pets/{petId}'].get['x-sunset']);

function fieldOf(name: string, required: boolean, node: SchemaNode): Field {
  const schema = resolve(node);
  refuseUnknown(schema, KNOWN_OF_FIELD, name);
  const type = schema['type'];
  if (type !== 'string' && type !== 'integer') throw new Error(`spec/openapi.yaml: ${name} has an unknown type`);
  return {
    name,
    required,
    type,
    enum: schema['enum'] as readonly string[] | undefined,
    minimum: schema['minimum'] as number | undefined,
    maximum: schema['maximum'] as number | undefined,
    default: schema['default'] as number | undefined,
  };
}

function resolve(node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const name = node.$ref.replace('#/components/schemas/', '') as keyof typeof document.components.schemas;
  return resolve(document.components.schemas[name] as SchemaNode);
}

function refuseUnknown(schema: SchemaNode, known: ReadonlySet<string>, name: string): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0)
    throw new Error(`spec/openapi.yaml: ${name} has keywords unknown here: ${unknown.join(', ')}`);
}
