/** The edits that correct a request which violates a draft: only ones after which it means what it meant. */

import { partAt } from '../../base/address.ts';
import { closestValue } from '../../base/api/closest-value.ts';
import { type Edit, fieldsIn } from '../../base/api/edits.ts';
import type { RecordedRequest, Violation } from '../../base/api/exchange.ts';
import type { JsonSchema } from '../../base/api/schema-problems.ts';
import { fieldFrom } from '../../base/api/specification.ts';
import { queryIn } from '../../base/text.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { plain } from './draft-compare.ts';

/** The rule of a part of a request that a draft does not have. */
export const GONE = 'gone';
/** The rules that forbid a field. */
export const FORBIDDING = new Set(['additionalProperties', 'unevaluatedProperties']);

/**
 * Values that are written in another way, and fields that mean nothing today.
 * @returns `undefined` if a violation cannot be corrected: what is missing, and what replaces a part, someone must choose
 */
export function editsFor(
  request: RecordedRequest,
  violations: readonly Violation[],
  document: Node,
): readonly Edit[] | undefined {
  const query = new URLSearchParams(queryIn(request.target));
  const fields = fieldsIn(request) ?? {};
  const edits = violations.map(({ location: place, rule, pointer }): Edit | undefined => {
    const [kind, name = '', ...deeper] = place.split('/');
    if (rule === GONE || deeper.length > 0) return undefined;
    if (kind === 'body' && FORBIDDING.has(rule)) return { kind: 'remove', place };
    const sent =
      kind === 'query' ? query.getAll(name) : kind === 'body' && Object.hasOwn(fields, name) ? [fields[name]] : [];
    const [value, ...others] = sent;
    if (value === undefined || others.length > 0) return undefined;
    // Many leave the type out where an enumeration says it.
    const schema = plain({ type: 'string', ...schemaAt(pointer, document) }) as JsonSchema;
    const closest = closestValue(fieldFrom(name, true, schema), value);
    return closest === undefined ? undefined : { kind: 'set', place, value: closest };
  });
  return edits.includes(undefined) ? undefined : (edits as Edit[]);
}

/** The schema that has a keyword. */
function schemaAt(pointer: string, document: Node): Node {
  const owner = partAt(document, pointer.slice(0, pointer.lastIndexOf('/')));
  return isNode(owner) ? followed(owner['schema'] ?? owner, document) : {};
}

function followed(schema: unknown, document: Node, depth = 0): Node {
  const target = isNode(schema) ? schema['$ref'] : undefined;
  if (typeof target === 'string' && depth < MAX_REFERENCES)
    return followed(partAt(document, target), document, depth + 1);
  return isNode(schema) ? schema : {};
}

const MAX_REFERENCES = 10;
