/** What the document allows, but a client hardly means: unknown fields and parameters, deprecated operations. */
import type { Warning } from '../exchange.ts';
import { didYouMean, shorten } from '../wording.ts';
import { isNode, type Node, type Operation, type Parameter } from './operations.ts';

/** Names come from clients: a message quotes this much of one. */
const MAX_NAME = 100;

/** Unknown fields, and unknown parameters, of one exchange that are named: a body can hold thousands. */
const MAX_NAMED = 20;

/** What an exchange has unknown of one kind: the first of them, and how many more there are. */
class Unknown {
  readonly warnings: Warning[] = [];
  #more = 0;

  add(what: 'field' | 'parameter', place: string, name: string, described: readonly string[]): void {
    if (this.warnings.length < MAX_NAMED) this.warnings.push(unknown(what, `${place}/${cut(name)}`, name, described));
    else this.#more += 1;
  }

  all(what: 'field' | 'parameter', place: string): Warning[] {
    if (this.#more === 0) return this.warnings;
    const message = `and ${this.#more.toLocaleString('en')} more unknown ${what}s`;
    return [...this.warnings, { place, rule: `unknown-${what}`, message }];
  }
}

/** The use of a deprecated operation, with the date of its removal where the document names one. */
export function deprecation(operation: Operation): Warning | undefined {
  if (!operation.deprecated) return undefined;
  const sunset = operation.extensions?.['x-sunset'];
  const removal = typeof sunset === 'string' ? ` and will be removed on ${sunset}` : '';
  return { place: 'operation', rule: 'deprecated', message: `${operation.iid} is deprecated${removal}` };
}

/** Query parameters that the operation does not describe, and deprecated ones; names are case-sensitive. */
export function doubtfulParameters(sent: readonly string[], described: readonly Parameter[]): Warning[] {
  const deprecated: Warning[] = [];
  const strange = new Unknown();
  const names = described.map((each) => each.name);
  for (const name of sent) {
    const parameter = described.find((each) => each.name === name);
    if (!parameter) strange.add('parameter', 'query', name, names);
    else if (parameter.deprecated) {
      const message = `query parameter \`${name}\` is deprecated`;
      deprecated.push({ place: `query/${name}`, rule: 'deprecated', message });
    }
  }
  return [...strange.all('parameter', 'query'), ...deprecated];
}

/**
 * Fields of a request body that its schema does not describe, at any depth. A schema without `properties`, or one that
 * describes further members (`additionalProperties`, `patternProperties`), welcomes every name; what a schema forbids
 * is a violation and not warned about again.
 */
export function unknownFields(body: unknown, schema: Node): Warning[] {
  const strange = new Unknown();
  collect(body, schema, 'body', strange);
  return strange.all('field', 'body');
}

function collect(value: unknown, schema: Node, place: string, strange: Unknown): void {
  if (Array.isArray(value)) {
    const items = schema['items'];
    if (!isNode(items)) return;
    for (const [index, item] of value.entries()) collect(item, items, `${place}/${index}`, strange);
    return;
  }
  const described = isNode(value) ? propertiesOf(schema) : undefined;
  if (!isNode(value) || !described) return;
  const names = Object.keys(described);
  for (const [name, inner] of Object.entries(value)) {
    const property = Object.hasOwn(described, name) ? described[name] : undefined;
    if (isNode(property)) collect(inner, property, `${place}/${name}`, strange);
    else if (property === undefined) strange.add('field', place, name, names);
  }
}

/** The members that a schema describes, those of its `allOf`, `anyOf` and `oneOf` included. */
function propertiesOf(schema: Node): Node | undefined {
  if (schema['patternProperties'] !== undefined || isNode(schema['additionalProperties'])) return undefined;
  if (schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false) return undefined;
  let found = isNode(schema['properties']) ? schema['properties'] : undefined;
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches.filter(isNode)) {
      const more = propertiesOf(branch);
      if (more) found = { ...more, ...found };
    }
  }
  return found;
}

function unknown(what: 'field' | 'parameter', place: string, name: string, described: readonly string[]): Warning {
  const near = didYouMean(name, described);
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  return { place, rule: `unknown-${what}`, message: `unknown ${what} \`${cut(name)}\`${hint}` };
}

const cut = (name: string): string => shorten(name, MAX_NAME);
