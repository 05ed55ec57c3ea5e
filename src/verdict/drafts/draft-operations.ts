/**
 * The operations of a specification in the form that Prism's validators accept, with OpenAPI 3.0 in the words of JSON
 * Schema. Prism's own loader is not used: it loads files and addresses, and clamps int64 to 53 bits.
 */
import { inside, partAt, splitTarget } from '../../base/address.ts';
import { SpecificationError } from '../../base/api/errors.ts';
import { MAX_DRAFT_PATH, MAX_PARAMETERS, MAX_PATHS } from '../../base/limits.ts';
import { shorten } from '../../base/text.ts';
import { isNode, type Node, type Parameter, type PrismOperation } from '../validator/operations.ts';
import { wrongAt } from './draft-text.ts';

const listed = (kind: 'schema' | 'schemas', keywords: string) =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, kind]));
/** Keywords whose values contain schemas: one, or several in a list or by name. */
export const OF_SCHEMAS: Readonly<Record<string, 'schema' | 'schemas'>> = {
  ...listed('schema', 'items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not'),
  ...listed('schema', 'if then else contentSchema'),
  ...listed('schemas', 'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas'),
};

/** A schema of OpenAPI 3.0 in the words of JSON Schema 2020-12. */
function modern(schema: Node): unknown {
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

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** What OpenAPI 3.1 has where nothing is said: the same, with fields that no validator reads. */
export const DIALECTS: readonly unknown[] = [undefined, DIALECT, 'https://spec.openapis.org/oas/3.1/dialect/base'];

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Parts that a part is in, when references are followed. */
const MAX_ABOVE = 300;
/** Objects and lists of an operation, when references are followed: validators compile a part as often as it is used. */
const MAX_FOLLOWED = 100_000;
/** Characters of a message of the language. */
const MAX_MESSAGE = 300;

/** A parameter of a draft, with what no validator reads. */
export interface DraftParameter extends Parameter {
  readonly in: string;
  /** How a value is written: its style as the draft has it, and the content instead of a schema; and until when. */
  readonly form: { readonly style: unknown; readonly content: unknown; readonly 'x-sunset': unknown };
}

/** An operation of a draft, with what no validator reads. */
export interface DraftOperation extends PrismOperation {
  readonly parameters: readonly DraftParameter[];
  readonly bases: readonly string[];
  /** Alternatives, each of schemes that are needed together. */
  readonly security: readonly (readonly Scheme[])[];
  /** As the draft has it, with all references followed. */
  readonly whole: Node;
}

/** A security scheme, with the scopes that an operation needs of it. */
export interface Scheme extends Node {
  readonly key: string;
  readonly type: string;
  readonly scopes: readonly unknown[];
}

/** An operation that is not read yet. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly pointer: string;
  readonly item: Node;
  readonly operation: Node;
  readonly operationId: string;
  /** Its own servers, or those of its path, or of the whole API. */
  readonly servers: readonly Node[];
  /** The paths of their addresses; one with a variable may be any. */
  readonly bases: readonly string[];
}

/** What a part is: in a value, nothing is followed. */
type Kind = 'part' | 'schema' | 'schemas' | 'value';

/** Keywords that stay in Prism's compiler, and would change what later schemas mean. */
const LASTING = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
]);
/** Annotations: a reference with nothing else next to it is the part that it names. */
const DESCRIBING = new Set(['description', 'summary', 'title', 'example', 'examples', 'deprecated']);

const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** The base path of a server; with a brace if it may be any. A sandbox serves the specification with its own address. */
export const baseOf = ({ url }: Node): string => {
  const path = String(url)
    .replace(/^[^/?#]*\/\/[^/?#]*/, '')
    .replace(/\/+$/, '');
  return /^(?:\/[^?#]*)?$/.test(path) ? splitTarget(path).target : `{${path}}`;
};

/** Reads the operations of one document, when they are needed. */
export class OperationsReader {
  readonly routes: readonly Route[];
  readonly #document: Node;
  readonly #isOld: boolean;
  /** The parts that contain themselves, by the names under which references to them stay. */
  readonly #bundled: Record<string, unknown> = {};
  /** Parts whose references were followed, so that parts which are used often stay one object. */
  readonly #known = new Map<object, unknown>();
  readonly #names = new Map<object, string>();
  readonly #operations = new Map<Node, DraftOperation>();

  constructor(document: Node) {
    this.#document = document;
    this.#isOld = String(document['openapi']).startsWith('3.0');
    checkPaths(document['paths'] as Node);
    const shared = nodesIn(document['servers']);
    const sharedBases = shared.map(baseOf);
    this.routes = Object.entries(document['paths'] as Node).flatMap(([path, value]) => {
      const item = this.#followed(value);
      return METHODS.flatMap((method) => {
        const operation = item[method];
        if (!isNode(operation)) return [];
        const pointer = inside('#/paths', path, method);
        const own = [operation, item].map((each) => nodesIn(each['servers'])).find(({ length }) => length > 0);
        const bases = own?.map(baseOf) ?? sharedBases;
        const operationId = String(operation['operationId'] ?? '');
        return [{ method, path, pointer, item, operation, operationId, servers: own ?? shared, bases }];
      });
    });
  }

  /** @throws {SpecificationError} for a reference that leads nowhere, an unknown security scheme, and too much of anything */
  read(route: Route): DraftOperation {
    const known = this.#operations.get(route.operation);
    if (known) return known;
    const { path, item, pointer } = route;
    const operation = this.#whole(route.operation, pointer) as Node;
    const shared = this.#whole(item['parameters'] ?? [], inside('#/paths', path, 'parameters'));
    const read = this.#operation(route, operation, shared);
    this.#operations.set(route.operation, read);
    return read;
  }

  #operation(route: Route, operation: Node, shared: unknown): DraftOperation {
    const { path, method } = route;
    // A parameter of the operation replaces that of its path.
    const parameters = new Map<string, DraftParameter>();
    for (const each of [...nodesIn(shared), ...nodesIn(operation['parameters'])].map(parameterOf))
      if (each.in !== 'header' || !NO_PARAMETERS.has(each.name.toLowerCase()))
        parameters.set(`${each.in} ${each.name}`, each);
    const of = (kind: string): DraftParameter[] => [...parameters.values()].filter((each) => each.in === kind);
    const body = operation['requestBody'];
    const responses = isNode(operation['responses']) ? operation['responses'] : {};
    const result = {
      iid: String(operation['operationId'] ?? `${method} ${path}`),
      method,
      path,
      deprecated: operation['deprecated'] === true,
      request: {
        path: of('path'),
        query: of('query'),
        headers: of('header'),
        ...(isNode(body) && { body: { required: body['required'] === true, contents: contentsOf(body) } }),
      },
      responses: Object.entries(responses)
        .filter(([code]) => !code.startsWith('x-'))
        .map(([code, response]) => ({
          code: code.toUpperCase().replace('DEFAULT', 'default'),
          contents: contentsOf(response),
        })),
      parameters: [...parameters.values()],
      security: this.#security(operation),
      bases: route.bases,
      whole: operation,
    };
    checkSize([result.request, result.responses, this.#bundled]);
    return { ...result, ...(Object.keys(this.#bundled).length > 0 && { __bundled__: { ...this.#bundled } }) };
  }

  /** A part that a reference may name, without what is in it. */
  #followed(part: unknown): Node {
    if (!isNode(part)) return {};
    if (typeof part['$ref'] !== 'string') return part;
    const { $ref, ...own } = part;
    const target = this.#followed(referencedPart(this.#document, $ref as string));
    return this.#isOld ? target : { ...target, ...own };
  }

  /**
   * A part with all its references followed, except those to a part that they are in.
   * @throws {SpecificationError}
   */
  #whole(part: unknown, pointer: string, kind: Kind = 'part', above: ReadonlySet<object> = new Set()): unknown {
    if (typeof part !== 'object' || part === null || kind === 'value') return part;
    if (this.#known.has(part)) return this.#known.get(part);
    if (above.has(part)) return { $ref: `#/__bundled__/${this.#nameOf(part)}` };
    if (above.size > MAX_ABOVE)
      throw wrongAt(pointer, `with all references followed, it has more than ${MAX_ABOVE} levels`);
    const path = new Set(above).add(part);
    const target = (part as Node)['$ref'];
    const result =
      typeof target === 'string' && kind !== 'schemas'
        ? this.#referenced(part as Node, target, pointer, kind, path)
        : this.#read(part as Node, pointer, kind, path);
    this.#known.set(part, result);
    const name = this.#names.get(part);
    if (name !== undefined) this.#bundled[name] = result;
    return result;
  }

  #read(part: Node, pointer: string, kind: Kind, path: ReadonlySet<object>): unknown {
    if (Array.isArray(part))
      return part.map((each, at) =>
        this.#whole(each, inside(pointer, String(at)), kind === 'schemas' ? 'schema' : kind, path),
      );
    if (kind === 'schema') this.#checkKeywords(part, pointer);
    const fields = Object.entries(part).map(([name, value]) => [
      name,
      this.#whole(value, inside(pointer, name), kindOf(name, kind), path),
    ]);
    const read = Object.fromEntries(fields) as Node;
    return this.#isOld && kind === 'schema' ? modern(read) : read;
  }

  #referenced(part: Node, target: string, pointer: string, kind: Kind, path: ReadonlySet<object>): unknown {
    const found = referencedPart(this.#document, target);
    if (found === undefined) throw wrongAt(`${pointer}/$ref`, 'names no part of this specification');
    const followed = this.#whole(found, target, kind, path);
    const { $ref: _, ...others } = part;
    const names = Object.keys(others).filter((name) => !DESCRIBING.has(name));
    // 3.0 ignores what stands next to a reference.
    if (this.#isOld || kind !== 'schema' || names.length === 0) return followed;
    return { allOf: [followed, this.#read(others, pointer, kind, path)] };
  }

  /** Validators compile a pattern with the flag `u`, and would skip a schema whose pattern does not compile. */
  #checkKeywords(schema: Node, pointer: string): void {
    const { pattern, patternProperties } = schema;
    try {
      for (const each of [pattern ?? [], ...Object.keys(patternProperties ?? {})].flat()) new RegExp(String(each), 'u');
    } catch (cause) {
      throw wrongAt(`${pointer}/pattern`, shorten((cause as Error).message, MAX_MESSAGE));
    }
    const lasting = Object.keys(schema).find((each) => LASTING.has(each));
    if (lasting !== undefined)
      throw wrongAt(inside(pointer, lasting), 'is not read here; use a $ref to #/components/schemas');
    if (!DIALECTS.includes(schema['$schema'])) throw wrongAt(`${pointer}/$schema`, `must be ${DIALECT}, or left out`);
  }

  #nameOf(part: object): string {
    const name = this.#names.get(part) ?? `part${this.#names.size}`;
    this.#names.set(part, name);
    return name;
  }

  /** @throws {SpecificationError} for a scheme that is not described */
  #security(operation: Node): Scheme[][] {
    return nodesIn(operation['security'] ?? this.#document['security']).map((alternative) =>
      Object.entries(alternative).map(([key, scopes]) => {
        const pointer = inside('#/components/securitySchemes', key);
        const scheme = this.#followed(referencedPart(this.#document, pointer));
        const { type } = scheme;
        if (typeof type !== 'string')
          throw new SpecificationError(`#/security: there is no security scheme ${shorten(key, 80)}`);
        return { ...scheme, key, type, scopes: Array.isArray(scopes) ? scopes : [] };
      }),
    );
  }
}

/** The part that a reference names. */
export function referencedPart(document: Node, target: string): unknown {
  if (!target.startsWith('#/')) return undefined;
  try {
    return partAt(document, target);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Before an expression is made of it. @throws {SpecificationError} */
function checkPaths(paths: Node): void {
  const names = Object.keys(paths);
  if (names.length > MAX_PATHS) throw new SpecificationError(`#/paths: a specification has at most ${MAX_PATHS} paths`);
  for (const path of names)
    if (path.length > MAX_DRAFT_PATH || path.split('{').length - 1 > MAX_PARAMETERS)
      throw wrongAt(
        inside('#/paths', path),
        `a path has at most ${MAX_DRAFT_PATH} characters and ${MAX_PARAMETERS} parameters`,
      );
}

/** Of a part of this kind, what its field is. By name, everything is a schema; a `default` outside of schemas is a response. */
function kindOf(name: string, kind: Kind): Kind {
  if (kind === 'schemas') return 'schema';
  if (kind === 'schema') return Object.hasOwn(OF_SCHEMAS, name) ? (OF_SCHEMAS[name] as Kind) : 'value';
  if (name === 'schema') return 'schema';
  return name === 'example' || name === 'examples' || name.startsWith('x-') ? 'value' : 'part';
}

/** @throws {SpecificationError} for more than can be compiled */
function checkSize(parts: readonly unknown[]): void {
  const known = new Map<object, number>();
  const sizeOf = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const before = known.get(part);
    if (before !== undefined) return before;
    const size = Object.values(part).reduce((sum: number, each) => sum + sizeOf(each), 1);
    known.set(part, size);
    return size;
  };
  if (sizeOf(parts) > MAX_FOLLOWED)
    throw new SpecificationError(
      `with all references followed, a specification has at most ${MAX_FOLLOWED.toLocaleString('en')} objects and lists`,
    );
}

/** How OpenAPI writes parameters of a kind, unless a draft says more. */
const usualStyle = (kind: unknown): string => (kind === 'query' || kind === 'cookie' ? 'form' : 'simple');

function parameterOf({ name, in: kind, required, schema, explode, style: given, ...others }: Node): DraftParameter {
  const usual = usualStyle(kind);
  const style = given ?? usual;
  const { content, 'x-sunset': sunset } = others;
  return {
    name: String(name),
    in: String(kind),
    required: required === true,
    // Prism knows no other styles.
    ...{ style: style === 'spaceDelimited' || style === 'pipeDelimited' ? style : usual },
    ...{ explode: explode ?? style === 'form' },
    schema: rooted(schema) as Node,
    form: { style, content, 'x-sunset': sunset },
  };
}

/** Parameters of these names are ignored (OpenAPI, Parameter Object). */
const NO_PARAMETERS = new Set(['accept', 'content-type', 'authorization']);

const contentsOf = (part: unknown) =>
  Object.entries((isNode(part) && isNode(part['content']) ? part['content'] : {}) as Record<string, Node>).map(
    ([mediaType, content]) =>
      ({ mediaType, schema: rooted(content?.['schema']) }) as { mediaType: string; schema: Node },
  );

const rooted = (schema: unknown): Node | undefined => {
  if (schema === undefined) return undefined;
  return { $schema: DIALECT, ...(isNode(schema) ? schema : schema === false ? { not: {} } : {}) };
};
