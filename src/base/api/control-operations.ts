/** The control API as described in `spec/control-api.yaml`: permission, parameters and body of each. */

import specification from '../generated/control-api.json' with { type: 'json' };
import { rejectUnknownFormats } from './json-schema.ts';
import type { JsonSchema } from './schema-problems.ts';

/** Who may use a control: anyone, the holder of a key (or the admin, naming the sandbox), or only the admin. */
export type Who = 'open' | 'key' | 'admin';

/** One operation of the specification. */
export interface ControlOperation {
  readonly name: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Behind `/_sandbox`: `/keys/{keyId}`. */
  readonly path: string;
  readonly who: Who;
  readonly query: readonly { readonly name: string; readonly schema: JsonSchema }[];
  readonly params: readonly { readonly name: string; readonly schema: JsonSchema }[];
  /** `undefined` if there is no body. */
  readonly body: JsonSchema | undefined;
  readonly bodyRequired: boolean;
}

/** A parameter as the specification describes it. */
export interface ControlParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface OperationNode {
  readonly operationId: string;
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly (ControlParameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<string, { readonly schema: JsonSchema }>;
  };
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** The specification's schemas, for references: `#/components/schemas/…`. */
export const schemas: Record<string, unknown> = specification.components.schemas;

const sharedParameters: Readonly<Record<string, ControlParameter>> = specification.components.parameters;

// Pets have checks of their own, which know more formats.
const ofPets = Object.keys(usedBy({ $ref: '#/components/schemas/Pet' }));
rejectUnknownFormats('control-api', {
  ...specification,
  components: {
    ...specification.components,
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => !ofPets.includes(name))),
  },
});

/** Every operation, in the specification's order. */
export const describedControls: readonly ControlOperation[] = Object.entries(specification.paths).flatMap(
  ([path, item]) =>
    METHODS.flatMap((method) => {
      const node = (item as Partial<Record<string, unknown>>)[method] as OperationNode | undefined;
      return node ? [describe(path, method, node)] : [];
    }),
);

function describe(path: string, method: ControlOperation['method'], node: OperationNode): ControlOperation {
  const parameters = parametersOf(node).map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) }));
  return {
    name: node.operationId,
    method,
    path,
    who: whoOf(node.security ?? specification.security),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    params: parameters.filter((parameter) => parameter.in === 'path'),
    body: node.requestBody?.content['application/json']?.schema,
    bodyRequired: node.requestBody?.required ?? false,
  };
}

/** The parameters of an operation, including those that it shares with others. */
export function parametersOf({ parameters = [] }: Pick<OperationNode, 'parameters'>): readonly ControlParameter[] {
  return parameters.map((each) =>
    '$ref' in each ? (sharedParameters[each.$ref.replace('#/components/parameters/', '')] as ControlParameter) : each,
  );
}

/** A parameter's text is parsed by the type of its schema, which may be a reference. */
function resolve(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? resolve(schemas[$ref.replace('#/components/schemas/', '')] as JsonSchema) : schema;
}

/** The shared schemas that a schema refers to, directly or not. */
export function usedBy(schema: JsonSchema): Record<string, unknown> {
  const used: Record<string, unknown> = {};
  const follow = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)/g)) {
      if (name in used) continue;
      used[name] = schemas[name];
      follow(schemas[name]);
    }
  };
  follow(schema);
  return used;
}

function whoOf(security: readonly Record<string, unknown>[]): Who {
  if (security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0)) return 'open';
  return security.some((scheme) => 'sandboxKey' in scheme) ? 'key' : 'admin';
}
