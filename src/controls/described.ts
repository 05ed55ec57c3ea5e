/** The controls as `spec/controls.yaml` describes them: who may, with which parameters, with which body. */
import document from '../generated/controls.json' with { type: 'json' };
import { refuseUnknownFormats } from '../json-schema.ts';

/** Who may use a control: anyone, the holder of a key (or the admin, naming the sandbox), or the admin alone. */
export type Who = 'open' | 'key' | 'admin';

/** JSON Schema, as far as it matters here. */
export interface Schema {
  readonly type?: string;
  readonly [keyword: string]: unknown;
}

/** One operation of the document. */
export interface Described {
  readonly name: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As Express writes it: `/keys/:keyId`. */
  readonly path: string;
  readonly who: Who;
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  readonly params: readonly { readonly name: string; readonly schema: Schema }[];
  /** `undefined` where there is no body. */
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
}

interface OperationNode {
  readonly operationId: string;
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { readonly schema: Schema }> };
}

refuseUnknownFormats('controls', document);

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** The document's schemas, for references: `#/components/schemas/…`. */
export const schemas: Record<string, unknown> = document.components.schemas;

/** Every operation, in the document's order. */
export const describedControls: readonly Described[] = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const node = (item as Partial<Record<string, unknown>>)[method] as OperationNode | undefined;
    return node ? [describe(path, method, node)] : [];
  }),
);

function describe(path: string, method: Described['method'], node: OperationNode): Described {
  const parameters = (node.parameters ?? []).map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) }));
  return {
    name: node.operationId,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    who: whoOf(node.security ?? []),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    params: parameters.filter((parameter) => parameter.in === 'path'),
    body: node.requestBody?.content['application/json']?.schema,
    bodyRequired: node.requestBody?.required ?? false,
  };
}

/** A parameter's text is read by the type of its schema, which may stand among the components. */
function resolve(schema: Schema): Schema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? resolve(schemas[$ref.replace('#/components/schemas/', '')] as Schema) : schema;
}

function whoOf(security: readonly Record<string, unknown>[]): Who {
  if (security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0)) return 'open';
  return security.some((scheme) => 'sandboxKey' in scheme) ? 'key' : 'admin';
}
