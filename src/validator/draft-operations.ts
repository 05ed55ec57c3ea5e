/**
 * The operations of a specification in the form that Prism's validators accept. Prism's own loader is not used: it loads
 * files and addresses, and clamps int64 to 53 bits.
 */
import { SpecificationError } from '../api/errors.ts';
import { VALUES } from '../api/json-schema.ts';
import { inside, partAt } from '../core/pointer.ts';
import { DIALECT } from './draft-document.ts';
import { isNode, type Node, type Operation, type Parameter } from './operations.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** @throws {SpecificationError} for a schema that contains itself, and for an unknown security scheme */
export function operationsOf(document: Node): Operation[] {
  const reader = new Reader(document);
  return Object.entries(document['paths'] as Node).flatMap(([path, value]) => {
    const item = reader.whole(value, inside('#/paths', path));
    if (!isNode(item)) return [];
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return isNode(operation) ? [operationOf(reader, path, method, item, operation)] : [];
    });
  });
}

function operationOf(reader: Reader, path: string, method: string, item: Node, operation: Node): Operation {
  // A parameter of the operation replaces that of its path.
  const parameters = new Map<string, Parameter & { readonly in: string }>();
  for (const each of [...listOf(item['parameters']), ...listOf(operation['parameters'])]) {
    const { name, in: kind, required = false, deprecated = false, schema, explode } = each;
    const style = each['style'] ?? (kind === 'query' ? 'form' : 'simple');
    const described = {
      name: String(name),
      in: String(kind),
      required: required === true,
      deprecated: deprecated === true,
    };
    const shape = { style, explode: explode ?? style === 'form', schema: rooted(schema) };
    parameters.set(`${kind} ${name}`, { ...described, ...shape } as Parameter & { readonly in: string });
  }
  const of = (kind: string): Parameter[] => [...parameters.values()].filter((each) => each.in === kind);
  const body = operation['requestBody'];
  const responses = isNode(operation['responses']) ? operation['responses'] : {};
  return {
    iid: String(operation['operationId'] ?? `${method} ${path}`),
    method,
    path,
    deprecated: operation['deprecated'] === true,
    extensions: operation,
    request: {
      path: of('path'),
      query: of('query'),
      headers: [...of('header'), ...of('cookie')],
      ...(isNode(body) && { body: { required: body['required'] === true, contents: contentsOf(body) } }),
    },
    responses: Object.entries(responses).map(([code, response]) => ({ code, contents: contentsOf(response) })),
    security: reader.security(operation),
    servers: reader.servers(item, operation),
  };
}

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const contentsOf = (part: unknown) =>
  Object.entries((isNode(part) && isNode(part['content']) ? part['content'] : {}) as Record<string, Node>).map(
    ([mediaType, content]) =>
      ({ mediaType, schema: rooted(content?.['schema']) }) as { mediaType: string; schema: Node },
  );

const rooted = (schema: unknown): Node | undefined => {
  if (schema === undefined) return undefined;
  return { $schema: DIALECT, ...(isNode(schema) ? schema : schema === false ? { not: {} } : {}) };
};

class Reader {
  readonly #document: Node;
  readonly #isOld: boolean;
  /** Parts whose references were followed, so that parts which are used often stay one object. */
  readonly #known = new Map<object, unknown>();

  constructor(document: Node) {
    this.#document = document;
    this.#isOld = String(document['openapi']).startsWith('3.0');
  }

  /** A part with all its references followed. */
  whole(part: unknown, pointer: string, above: ReadonlySet<object> = new Set()): unknown {
    if (typeof part !== 'object' || part === null) return part;
    if (above.has(part)) throw new SpecificationError(`${pointer}: contains itself, which a preview does not support`);
    if (this.#known.has(part)) return this.#known.get(part);
    const path = new Set(above).add(part);
    const target = (part as Node)['$ref'];
    const { $ref: _, ...beside } = part as Node;
    const read = Array.isArray(part)
      ? part.map((each, index) => this.whole(each, inside(pointer, String(index)), path))
      : Object.fromEntries(
          Object.entries(typeof target === 'string' ? beside : part).map(([name, value]) => [
            name,
            VALUES.has(name) ? value : this.whole(value, inside(pointer, name), path),
          ]),
        );
    const followed = typeof target === 'string' ? this.whole(partAt(this.#document, target), target, path) : undefined;
    const result = this.#isOld ? modern(merged(read, followed)) : merged(read, followed);
    this.#known.set(part, result);
    return result;
  }

  /** @throws {SpecificationError} for a scheme that is not described */
  security(operation: Node): Node[][] {
    const required = listOf(operation['security'] ?? this.#document['security']);
    return required.map((alternative) =>
      Object.keys(alternative).map((key) => {
        const scheme = partAt(this.#document, inside('#/components/securitySchemes', key));
        if (!isNode(scheme)) throw new SpecificationError(`#/security: there is no security scheme ${key}`);
        return {
          ...scheme,
          key,
          ...(typeof scheme['scheme'] === 'string' && { scheme: scheme['scheme'].toLowerCase() }),
        };
      }),
    );
  }

  servers(item: Node, operation: Node): { url: string }[] {
    const servers = [operation, item, this.#document]
      .map((owner) => listOf(owner['servers']))
      .find((all) => all.length > 0);
    return (servers ?? []).map(({ url }) => ({ url: String(url) }));
  }
}

/** What stands beside a reference to a schema applies as well. */
function merged(read: unknown, followed: unknown): unknown {
  if (followed === undefined) return read;
  if (!isNode(read) || Object.keys(read).every((name) => name === 'description' || name === 'summary')) return followed;
  return { allOf: [followed, read] };
}

/** A schema of OpenAPI 3.0 in the words of JSON Schema 2020-12. */
function modern(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, type, enum: values } = schema;
  const result: Record<string, unknown> = { ...schema };
  if (nullable === true && typeof type === 'string') {
    result['type'] = [type, 'null'];
    if (Array.isArray(values)) result['enum'] = [...new Set([...values, null])];
  }
  for (const [bound, exclusive, value] of [
    ['minimum', 'exclusiveMinimum', exclusiveMinimum === true ? minimum : undefined],
    ['maximum', 'exclusiveMaximum', exclusiveMaximum === true ? maximum : undefined],
  ] as const) {
    if (typeof result[exclusive] === 'boolean') delete result[exclusive];
    if (value === undefined) continue;
    result[exclusive] = value;
    delete result[bound];
  }
  return result;
}
