/**
 * Requests that the specification allows, but are probably mistakes: unknown fields and parameters, deprecated
 * operations.
 */

import type { Warning } from '../../base/api/exchange.ts';
import { notKnown, shorten } from '../../base/text.ts';
import { isNode, type Node, type Parameter, type PrismOperation } from './operations.ts';

/** Names come from clients: a message quotes at most this much of one. */
const MAX_NAME = 100;

/** Unknown fields, and unknown parameters, that are listed for one exchange: a body can contain thousands. */
const MAX_UNKNOWN_NAMES = 20;

/** The unknown names of one kind in an exchange: the first of them, and the number of the others. */
class Unknown {
  readonly warnings: Warning[] = [];
  #more = 0;

  add(what: 'field' | 'parameter', location: string, name: string, described: readonly string[]): void {
    if (this.warnings.length < MAX_UNKNOWN_NAMES)
      this.warnings.push(unknownNameWarning(what, `${location}/${cutName(name)}`, name, described));
    else this.#more += 1;
  }

  all(what: 'field' | 'parameter', location: string): Warning[] {
    if (this.#more === 0) return this.warnings;
    const message = `and ${this.#more.toLocaleString('en')} more unknown ${what}s`;
    return [...this.warnings, { location, rule: `unknown-${what}`, message }];
  }
}

/** The use of a deprecated operation, with the date of its removal if the specification states one. */
export function deprecation(operation: PrismOperation): Warning | undefined {
  if (!operation.deprecated) return undefined;
  const sunset = operation.extensions?.['x-sunset'];
  const removal = typeof sunset === 'string' ? `, removal date ${sunset}` : '';
  return { location: 'operation', rule: 'deprecated', message: `is deprecated${removal}` };
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
      deprecated.push({ location: `query/${name}`, rule: 'deprecated', message: 'is deprecated' });
    }
  }
  return [...strange.all('parameter', 'query'), ...deprecated];
}

/**
 * Fields of a request body that its schema does not describe, at any depth. A schema without `properties`, or with
 * further members (`additionalProperties`, `patternProperties`), accepts every name; a forbidden field is a violation
 * and gets no additional warning.
 */
export function unknownFields(body: unknown, schema: Node): Warning[] {
  const strange = new Unknown();
  collect(body, schema, 'body', strange);
  return strange.all('field', 'body');
}

function collect(value: unknown, schema: Node, location: string, strange: Unknown): void {
  if (Array.isArray(value)) {
    const items = schema['items'];
    if (!isNode(items)) return;
    for (const [index, item] of value.entries()) collect(item, items, `${location}/${index}`, strange);
    return;
  }
  const described = isNode(value) ? propertiesOf(schema) : undefined;
  if (!isNode(value) || !described) return;
  const names = Object.keys(described);
  for (const [name, inner] of Object.entries(value)) {
    const property = Object.hasOwn(described, name) ? described[name] : undefined;
    if (isNode(property)) collect(inner, property, `${location}/${name}`, strange);
    else if (property === undefined) strange.add('field', location, name, names);
  }
}

/** The members that a schema describes, including those of its `allOf`, `anyOf` and `oneOf`. */
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

function unknownNameWarning(
  what: 'field' | 'parameter',
  location: string,
  name: string,
  described: readonly string[],
): Warning {
  return { location, rule: `unknown-${what}`, message: notKnown(name, described) };
}

const cutName = (name: string): string => shorten(name, MAX_NAME);
