/** What the document allows, but a client hardly means: unknown fields and parameters, deprecated operations. */
import type { Warning } from '../exchange.ts';
import { didYouMean, shorten } from '../wording.ts';
import { isNode, type Node, type Operation, type Parameter } from './operations.ts';

/** Names come from clients: a message quotes this much of one. */
const MAX_NAME = 100;

/** Warnings of one exchange: a body can hold thousands of unknown fields. */
export const MAX_WARNINGS = 50;

/** The use of a deprecated operation, with the date of its removal where the document names one. */
export function deprecation(operation: Operation): Warning | undefined {
  if (!operation.deprecated) return undefined;
  const sunset = operation.extensions?.['x-sunset'];
  const removal = typeof sunset === 'string' ? ` and will be removed on ${sunset}` : '';
  return { place: 'operation', rule: 'deprecated', message: `${operation.iid} is deprecated${removal}` };
}

/** Query parameters that the operation does not describe, and deprecated ones; names are case-sensitive. */
export function doubtfulParameters(sent: readonly string[], described: readonly Parameter[]): Warning[] {
  const warnings: Warning[] = [];
  for (const name of sent) {
    if (warnings.length === MAX_WARNINGS) break;
    const place = `query/${cut(name)}`;
    const parameter = described.find((each) => each.name === name);
    if (!parameter) {
      warnings.push(
        unknown(
          'parameter',
          place,
          name,
          described.map((each) => each.name),
        ),
      );
    } else if (parameter.deprecated) {
      warnings.push({ place, rule: 'deprecated', message: `query parameter \`${name}\` is deprecated` });
    }
  }
  return warnings;
}

/**
 * Fields of a request body that its schema does not describe, at any depth. A schema without `properties`, or one that
 * describes further members (`additionalProperties`, `patternProperties`), welcomes every name; what a schema forbids
 * is a violation and not warned about again.
 */
export function unknownFields(body: unknown, schema: Node): Warning[] {
  const warnings: Warning[] = [];
  collect(body, schema, 'body', warnings);
  return warnings;
}

function collect(value: unknown, schema: Node, place: string, warnings: Warning[]): void {
  if (warnings.length >= MAX_WARNINGS) return;
  if (Array.isArray(value)) {
    const items = schema['items'];
    if (!isNode(items)) return;
    for (const [index, item] of value.entries()) collect(item, items, `${place}/${index}`, warnings);
    return;
  }
  const described = isNode(value) ? propertiesOf(schema) : undefined;
  if (!isNode(value) || !described) return;
  const names = Object.keys(described);
  for (const [name, inner] of Object.entries(value)) {
    if (warnings.length >= MAX_WARNINGS) return;
    const property = Object.hasOwn(described, name) ? described[name] : undefined;
    if (isNode(property)) collect(inner, property, `${place}/${name}`, warnings);
    else if (property === undefined) warnings.push(unknown('field', `${place}/${cut(name)}`, name, names));
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
