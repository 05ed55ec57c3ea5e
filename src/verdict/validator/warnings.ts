/**
 * Requests that the specification allows, but are probably mistakes: unknown fields and parameters, deprecated
 * operations.
 */

import type { Warning } from '../../base/api/exchange.ts';
import { notKnown, shorten } from '../../base/text.ts';
import { isNode, type Node, type Parameter, type PrismOperation } from './operations.ts';

/** Names come from clients: a message quotes at most this much of one. */
const MAX_NAME = 100;

/** Unknown fields, and unknown parameters, that are named of one exchange: a body can contain thousands. */
const MAX_UNKNOWN_NAMES = 20;

/** The use of a deprecated operation, with the date of its removal if the specification states one. */
export function deprecation(operation: PrismOperation): Warning | undefined {
  if (!operation.deprecated) return undefined;
  const sunset = operation.extensions?.['x-sunset'];
  const removal = typeof sunset === 'string' ? `, removal date ${sunset}` : '';
  return { location: 'operation', rule: 'deprecated', message: `is deprecated${removal}` };
}

/** Query parameters that the operation does not describe, and deprecated ones; names are case-sensitive. */
export function doubtfulParameters(sent: readonly string[], described: readonly Parameter[]): Warning[] {
  const names = described.map(({ name }) => name);
  const strange = sent.filter((name) => !names.includes(name)).slice(0, MAX_UNKNOWN_NAMES);
  const deprecated = described.filter((each) => each.deprecated && sent.includes(each.name));
  return [
    ...strange.map((name) => unknownName('parameter', 'query', name, names)),
    ...deprecated.map(
      ({ name }): Warning => ({ location: `query/${name}`, rule: 'deprecated', message: 'is deprecated' }),
    ),
  ];
}

/**
 * Fields of a request body that its schema does not describe, at any depth. A schema without `properties`, or with
 * further members (`additionalProperties`, `patternProperties`), accepts every name; a forbidden field is a violation
 * and gets no additional warning.
 */
export function unknownFields(body: unknown, schema: Node): Warning[] {
  const strange: Warning[] = [];
  collect(body, schema, 'body', strange);
  return strange;
}

function collect(value: unknown, schema: Node, location: string, strange: Warning[]): void {
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
    else if (property === undefined && strange.length < MAX_UNKNOWN_NAMES)
      strange.push(unknownName('field', location, name, names));
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

const unknownName = (
  what: 'field' | 'parameter',
  owner: string,
  name: string,
  described: readonly string[],
): Warning => ({
  location: `${owner}/${shorten(name, MAX_NAME)}`,
  rule: `unknown-${what}`,
  message: notKnown(name, described),
});
