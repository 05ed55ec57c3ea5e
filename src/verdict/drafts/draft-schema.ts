/** Schemas of a draft: their keywords, and OpenAPI 3.0 in the words of JSON Schema. */

import type { Node } from '../validator/operations.ts';

const listed = (kind: 'schema' | 'schemas', keywords: string) =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, kind]));
/** Keywords whose values contain schemas: one, or several in a list or by name. */
export const OF_SCHEMAS: Readonly<Record<string, 'schema' | 'schemas'>> = {
  ...listed('schema', 'items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains not'),
  ...listed('schema', 'if then else contentSchema'),
  ...listed('schemas', 'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas'),
};

/** A schema of OpenAPI 3.0 in the words of JSON Schema 2020-12. */
export function modern(schema: Node): unknown {
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
