/**
 * The location of a rule in a specification, as a JSON pointer (RFC 6901) that resolves without following references.
 */

import { inside, namesInPointer } from '../../base/address.ts';
import { AS_SPECIFIED, askedBy, isRequired, type JsonSchema } from '../../base/api/schema-problems.ts';
import { isNode, type Node, type PrismOperation } from './operations.ts';
import type { Diagnostic } from './prism.ts';

/** A part of the specification and the pointer to its definition, with references followed. */
export interface SpecificationPart {
  readonly node: unknown;
  readonly pointer: string;
  /** What stands next to the reference that led here. */
  readonly beside?: SpecificationPart | undefined;
}

interface RuleInWords {
  readonly pointer: string;
  readonly message: string;
}

/** Keywords that are in words where the service rejects the same; of others, Prism says what is wrong. */
const IN_WORDS = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'required'],
]);

/** Prism's words without the place, which a violation has as a field. */
export const withoutPlace = (message: string): string =>
  message.replace(/^Re(?:quest|sponse) (?:path|query|header|body)(?: (?:parameter|property) \S+)? (?=must )/, '');

/** The name in Prism's words for something missing. */
export const missingName = (message: string): string | undefined => /required property '([^']*)'/.exec(message)?.[1];

/** Every violation has a pointer: if a part cannot be found, the nearest one above it is used. */
export class Pointers {
  readonly #specification: Node;
  readonly #operation: SpecificationPart;

  constructor(specification: Node, operation: PrismOperation) {
    this.#specification = specification;
    this.#operation = this.inside(
      this.#walk({ node: specification, pointer: '#' }, 'paths', operation.path),
      operation.method,
    );
  }

  /** The operation's `security`, or that of the whole specification. */
  security(): string {
    const own = this.#find(this.#operation, 'security');
    return (own ?? this.#walk({ node: this.#specification, pointer: '#' }, 'security')).pointer;
  }

  /** The operation itself. */
  operation(): string {
    return this.#operation.pointer;
  }

  /** A parameter, in the operation or in its path item. */
  parameter(kind: string, name: string): SpecificationPart {
    const pathItem = this.#at(this.#operation.pointer.slice(0, this.#operation.pointer.lastIndexOf('/')));
    for (const owner of [this.#operation, pathItem]) {
      const list = this.#find(owner, 'parameters');
      if (!list || !Array.isArray(list.node)) continue;
      for (const index of list.node.keys()) {
        const location = this.inside(list, String(index));
        const { in: where, name: called } = location.node as { in?: unknown; name?: unknown };
        if (where === kind && String(called).toLowerCase() === name.toLowerCase()) return location;
      }
    }
    return this.#operation;
  }

  requestBody(...parts: string[]): SpecificationPart {
    return this.#walk(this.#operation, 'requestBody', ...parts);
  }

  /** A response by its code in the specification; `undefined` for all of them. */
  response(code: string | undefined, ...parts: string[]): SpecificationPart {
    return this.#walk(this.#operation, 'responses', ...(code === undefined ? [] : [code, ...parts]));
  }

  /** The violated rule in `schema`, and its sentence. @param path the value's location within the described value */
  rule(schema: SpecificationPart, path: readonly string[], { code, message }: Diagnostic): RuleInWords {
    let location = schema;
    for (const part of path) {
      const found = this.#member(location, part);
      if (found === undefined) return { pointer: location.pointer, message: withoutPlace(message) };
      location = found;
    }
    const rule = String(code);
    for (const branch of this.#branches(location)) {
      const found = this.#find(branch, rule);
      // Inside `required`, `enum` and the like there are no references.
      if (!found) continue;
      const missing = rule === 'required' ? missingName(message) : undefined;
      const words =
        missing === undefined
          ? `is ${askedBy(rule, branch.node as JsonSchema)}`
          : isRequired(this.#member(location, missing)?.node as JsonSchema | undefined);
      return {
        pointer: found.pointer,
        message: IN_WORDS.has(rule) && !words.endsWith(AS_SPECIFIED) ? words : withoutPlace(message),
      };
    }
    return { pointer: location.pointer, message: withoutPlace(message) };
  }

  #member(location: SpecificationPart, name: string): SpecificationPart | undefined {
    for (const branch of this.#branches(location)) {
      const property = this.#find(branch, 'properties');
      const found = property && this.#find(property, name);
      if (found) return found;
      const prefix = this.#find(branch, 'prefixItems');
      const item = prefix && this.#find(prefix, name);
      if (item) return item;
      const rest = /^\d+$/.test(name) ? this.#find(branch, 'items') : undefined;
      const patterns = this.#find(branch, 'patternProperties');
      const pattern = Object.keys(patterns?.node ?? {}).find((each) => new RegExp(each, 'u').test(name));
      const other =
        rest ?? (patterns && pattern ? this.#find(patterns, pattern) : this.#find(branch, 'additionalProperties'));
      if (other && isNode(other.node)) return other;
    }
    return undefined;
  }

  /** A schema and the schemas that it combines. */
  *#branches(location: SpecificationPart): Generator<SpecificationPart> {
    if (location.beside) yield location.beside;
    yield location;
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = this.#find(location, keyword);
      if (!list || !Array.isArray(list.node)) continue;
      for (const index of list.node.keys()) yield* this.#branches(this.inside(list, String(index)));
    }
  }

  #walk(from: SpecificationPart, ...parts: string[]): SpecificationPart {
    return parts.reduce((location, part) => this.inside(location, part), from);
  }

  /** A part of a place, or the place itself without such a part. */
  inside(from: SpecificationPart, part: string): SpecificationPart {
    return this.#find(from, part) ?? from;
  }

  #find({ node, pointer }: SpecificationPart, part: string): SpecificationPart | undefined {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return undefined;
    return this.#follow({
      node: (node as Record<string, unknown>)[part],
      pointer: inside(pointer, part),
    });
  }

  #follow(location: SpecificationPart): SpecificationPart {
    const target = isNode(location.node) ? location.node['$ref'] : undefined;
    if (typeof target !== 'string' || !target.startsWith('#/')) return location;
    return { ...this.#at(target), beside: location };
  }

  #at(pointer: string): SpecificationPart {
    return this.#walk({ node: this.#specification, pointer: '#' }, ...namesInPointer(pointer));
  }
}
