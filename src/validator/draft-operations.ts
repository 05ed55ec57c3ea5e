/**
 * The operations of a specification in the form that Prism's validators accept. Prism's own loader is not used: it loads
 * files and addresses, and clamps int64 to 53 bits.
 */
import { SpecificationError } from '../api/errors.ts';
import { VALUES } from '../api/json-schema.ts';
import { inside, partAt } from '../core/pointer.ts';
import { DIALECT } from './draft-document.ts';
import { isNode, type Node, type Parameter, type PrismOperation } from './operations.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Parts that a part is in, when references are followed. */
const MAX_ABOVE = 300;
/** Objects and lists of all operations, when references are followed: validators compile a part as often as it is used. */
const MAX_FOLLOWED = 100_000;

/** An operation of a draft, with what no validator reads. */
export interface DraftOperation extends PrismOperation {
  readonly request: NonNullable<PrismOperation['request']>;
  readonly cookies: readonly Parameter[];
  readonly bases: Bases;
  /** Alternatives, each of schemes that are needed together. */
  readonly security: readonly (readonly Scheme[])[];
}

/** A security scheme, with the scopes that an operation needs of it. */
export interface Scheme extends Node {
  readonly key: string;
  readonly scopes: readonly unknown[];
}

/** The base paths of an operation's servers. */
export interface Bases {
  readonly paths: readonly string[];
  /** Why others are possible as well. */
  readonly unknown?: string;
}

/** @throws {SpecificationError} for an unknown security scheme, a reference that leads nowhere, and too much of anything */
export function operationsOf(document: Node): DraftOperation[] {
  const reader = new OperationsReader(document);
  const operations = Object.entries(document['paths'] as Node).flatMap(([path, value]) => {
    const item = reader.whole(value, inside('#/paths', path));
    if (!isNode(item)) return [];
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return isNode(operation) ? [draftOperationOf(reader, path, method, item, operation)] : [];
    });
  });
  const { bundled } = reader;
  checkSize(operations, bundled);
  if (Object.keys(bundled).length === 0) return operations;
  return operations.map((operation) => ({ ...operation, __bundled__: bundled }));
}

/** @throws {SpecificationError} for more than can be compiled */
function checkSize(operations: readonly DraftOperation[], bundled: Node): void {
  const known = new Map<object, number>();
  const sizeOf = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const before = known.get(part);
    if (before !== undefined) return before;
    const size = Object.values(part).reduce((sum: number, each) => sum + sizeOf(each), 1);
    known.set(part, size);
    return size;
  };
  // Among its extensions is the whole operation again.
  const all = operations.map(({ extensions: _, ...others }) => others);
  if (sizeOf([all, bundled]) > MAX_FOLLOWED)
    throw new SpecificationError(
      `with all references followed, a specification has at most ${MAX_FOLLOWED.toLocaleString('en')} objects and lists`,
    );
}

function draftOperationOf(
  reader: OperationsReader,
  path: string,
  method: string,
  item: Node,
  operation: Node,
): DraftOperation {
  // A parameter of the operation replaces that of its path.
  const parameters = new Map<string, Parameter & { readonly in: string }>();
  for (const each of [...nodesIn(item['parameters']), ...nodesIn(operation['parameters'])]) {
    const { name, in: kind, required = false, deprecated = false, schema, explode, content } = each;
    const style = each['style'] ?? (kind === 'query' || kind === 'cookie' ? 'form' : 'simple');
    const described = {
      name: String(name),
      in: String(kind),
      required: required === true,
      deprecated: deprecated === true,
      ...(typeof each['x-sunset'] === 'string' && { 'x-sunset': each['x-sunset'] }),
      ...(content !== undefined && { content }),
    };
    // Prism knows no other styles. Which one it is, is compared apart.
    const usual = kind === 'path' || kind === 'header' ? 'simple' : 'form';
    const shape = {
      style: style === 'spaceDelimited' || style === 'pipeDelimited' ? style : usual,
      explode: explode ?? style === 'form',
      schema: rooted(schema),
      writtenAs: style,
    };
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
      headers: of('header').filter(({ name }) => !NO_PARAMETERS.has(name.toLowerCase())),
      ...(isNode(body) && { body: { required: body['required'] === true, contents: contentsOf(body) } }),
    },
    cookies: of('cookie'),
    responses: Object.entries(responses)
      .filter(([code]) => !code.startsWith('x-'))
      .map(([code, response]) => ({
        code: code.toUpperCase().replace('DEFAULT', 'default'),
        contents: contentsOf(response),
      })),
    security: reader.security(operation),
    bases: reader.bases(item, operation),
  };
}

/** Parameters of these names are ignored (OpenAPI, Parameter Object). */
const NO_PARAMETERS = new Set(['accept', 'content-type', 'authorization']);

const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const contentsOf = (part: unknown) =>
  Object.entries((isNode(part) && isNode(part['content']) ? part['content'] : {}) as Record<string, Node>).map(
    ([mediaType, content]) =>
      ({ mediaType, schema: rooted(content?.['schema']) }) as { mediaType: string; schema: Node },
  );

const rooted = (schema: unknown): Node | undefined => {
  if (schema === undefined) return undefined;
  return { $schema: DIALECT, ...(isNode(schema) ? schema : schema === false ? { not: {} } : {}) };
};

class OperationsReader {
  /** The parts that contain themselves, by the names under which references to them stay. */
  readonly bundled: Record<string, unknown> = {};
  readonly #document: Node;
  readonly #isOld: boolean;
  /** Parts whose references were followed, so that parts which are used often stay one object. */
  readonly #known = new Map<object, unknown>();
  readonly #names = new Map<object, string>();
  readonly #bases = new Map<Node, Bases>();

  constructor(document: Node) {
    this.#document = document;
    this.#isOld = String(document['openapi']).startsWith('3.0');
  }

  /**
   * A part with all its references followed, except those to a part that they are in.
   * @throws {SpecificationError} for a reference to itself
   */
  whole(part: unknown, pointer: string, above: ReadonlySet<object> = new Set(), isSchema = false): unknown {
    if (typeof part !== 'object' || part === null) return part;
    if (this.#known.has(part)) return this.#known.get(part);
    if (above.has(part)) return { $ref: `#/__bundled__/${this.#nameOf(part)}` };
    if (above.size > MAX_ABOVE)
      throw new SpecificationError(`${pointer}: with all references followed, it has more than ${MAX_ABOVE} levels`);
    const path = new Set(above).add(part);
    const target = (part as Node)['$ref'];
    if (typeof target === 'string') {
      const followed = this.#target(part, target, pointer);
      const result = this.#merged(
        part as Node,
        pointer,
        this.whole(followed, target, path, isSchema || target.startsWith('#/components/schemas/')),
        path,
        isSchema,
      );
      this.#known.set(part, result);
      return result;
    }
    const read = Array.isArray(part)
      ? part.map((each, index) => this.whole(each, inside(pointer, String(index)), path, isSchema))
      : this.#fieldsOf(part as Node, pointer, path, isSchema);
    const result = this.#isOld && isSchema ? modern(read) : read;
    this.#known.set(part, result);
    const name = this.#names.get(part);
    if (name !== undefined) this.bundled[name] = result;
    return result;
  }

  #fieldsOf(part: Node, pointer: string, path: ReadonlySet<object>, isSchema: boolean): Node {
    const fields = Object.entries(part).map(([name, value]) => [
      name,
      isValue(name, pointer, isSchema)
        ? value
        : this.whole(value, inside(pointer, name), path, isSchema || name === 'schema'),
    ]);
    return Object.fromEntries(fields);
  }

  #nameOf(part: object): string {
    const name = this.#names.get(part) ?? `part${this.#names.size}`;
    this.#names.set(part, name);
    return name;
  }

  /** What a reference leads to, behind all references that are nothing else. */
  #target(from: object, target: string, pointer: string): unknown {
    const seen = new Set<unknown>([from]);
    let found = partAt(this.#document, target);
    while (isNode(found) && typeof found['$ref'] === 'string') {
      if (seen.has(found)) throw new SpecificationError(`${pointer}: is a reference to itself`);
      seen.add(found);
      found = partAt(this.#document, found['$ref']);
    }
    return partAt(this.#document, target);
  }

  /** OpenAPI 3.0 ignores what stands next to a reference; in 3.1 it applies to a schema as well, and else only describes. */
  #merged(part: Node, pointer: string, followed: unknown, path: ReadonlySet<object>, isSchema: boolean): unknown {
    const { $ref: _, ...others } = part;
    if (this.#isOld) return followed;
    if (!isSchema) {
      // A path item may have operations next to its reference.
      const isPathItem = /^#\/paths\/[^/]+$/.test(pointer);
      const own = isPathItem ? (this.#fieldsOf(others, pointer, path, false) as Node) : {};
      return isNode(followed) ? { ...followed, ...own } : followed;
    }
    const names = Object.keys(others).filter((name) => !DESCRIBING.has(name));
    if (names.length === 0) return followed;
    return { allOf: [followed, this.#fieldsOf(others, pointer, path, true)] };
  }

  /** @throws {SpecificationError} for a scheme that is not described */
  security(operation: Node): Scheme[][] {
    const required = nodesIn(operation['security'] ?? this.#document['security']);
    return required.map((alternative) =>
      Object.entries(alternative).map(([key, scopes]) => {
        const pointer = inside('#/components/securitySchemes', key);
        const scheme = this.whole(partAt(this.#document, pointer), pointer);
        if (!isNode(scheme)) throw new SpecificationError(`#/security: there is no security scheme ${key}`);
        return {
          ...scheme,
          key,
          scopes: Array.isArray(scopes) ? scopes : [],
          ...(typeof scheme['scheme'] === 'string' && { scheme: scheme['scheme'].toLowerCase() }),
        };
      }),
    );
  }

  bases(item: Node, operation: Node): Bases {
    const servers = [operation, item, this.#document]
      .map((owner) => nodesIn(owner['servers']))
      .find((all) => all.length > 0);
    if (servers === undefined) return { paths: [], unknown: 'the draft names no server' };
    if (servers.length > MAX_SERVERS)
      throw new SpecificationError(`servers: there are at most ${MAX_SERVERS} in a list`);
    const all = servers.map((server) => this.#basesOf(server));
    const unknown = all.find((each) => each.unknown !== undefined)?.unknown;
    return { paths: [...new Set(all.flatMap(({ paths }) => paths))], ...(unknown !== undefined && { unknown }) };
  }

  /** Most operations have the servers of the whole API. */
  #basesOf(server: Node): Bases {
    const bases = this.#bases.get(server) ?? basesOf(server);
    this.#bases.set(server, bases);
    return bases;
  }
}

/** Annotations: a reference with nothing else next to it is the part that it names. */
const DESCRIBING = new Set(['description', 'summary', 'title', 'example', 'examples', 'deprecated']);

/** Whether a part is a value of the API. Outside of schemas, `default` is a response; by name, everything is a property. */
function isValue(name: string, pointer: string, isSchema: boolean): boolean {
  if (!isSchema) return name === 'example' || name === 'examples';
  return VALUES.has(name) && !BY_NAME.test(pointer);
}

const BY_NAME = /\/(?:properties|patternProperties|\$defs|dependentSchemas)$/;

const MAX_ADDRESSES = 100;
/** Of one list. */
const MAX_SERVERS = 100;
/** Characters of an address, and of a value of a variable. */
export const MAX_ADDRESS = 500;
/** Of an address. */
export const MAX_VARIABLES = 10;

/**
 * The base paths of a server, for each value of its variables.
 * @throws {SpecificationError} for an address that is too long
 */
function basesOf({ url, variables }: Node): Bases {
  const described = isNode(variables) ? variables : {};
  let addresses = [String(url)];
  let unknown: string | undefined;
  const names = new Set(Array.from(String(url).matchAll(/\{([^{}]+)\}/g), ([, each = '']) => each));
  if (String(url).length > MAX_ADDRESS || names.size > MAX_VARIABLES)
    throw new SpecificationError(
      `servers/url: an address has at most ${MAX_ADDRESS} characters and ${MAX_VARIABLES} variables`,
    );
  for (const name of names) {
    const variable = Object.hasOwn(described, name) && isNode(described[name]) ? described[name] : {};
    const values = Array.isArray(variable['enum']) ? variable['enum'] : [];
    // A variable in a host is any host.
    const isInHost = new RegExp(
      `^[a-z][a-z0-9+.-]*://[^/]*\\{${name.replaceAll(/[^\w]/g, '\\$&')}\\}[^/]*(/|$)`,
      'i',
    ).test(String(url));
    if (values.length === 0 && !isInHost) unknown = `the server ${String(url)} has the variable ${name}, of any value`;
    const choices = [...new Set([variable['default'], ...values].filter((each) => each !== undefined).map(String))];
    if (choices.some((each) => each.length > MAX_ADDRESS))
      throw new SpecificationError(`servers/variables: a value has at most ${MAX_ADDRESS} characters`);
    addresses = addresses
      .flatMap((address) => choices.map((choice) => address.replaceAll(`{${name}}`, choice)))
      .slice(0, MAX_ADDRESSES);
  }
  const paths = addresses.map((address) =>
    address.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/\/+$/, ''),
  );
  const relative = paths.find((path) => path !== '' && !path.startsWith('/'));
  if (relative !== undefined) unknown = `the server ${String(url)} is relative to the address of the draft`;
  return {
    paths: paths.filter((path) => path === '' || path.startsWith('/')),
    ...(unknown !== undefined && { unknown }),
  };
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
