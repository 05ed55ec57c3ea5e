/** The edits that correct a request which violates a draft, made from the rules that it violates. */
import { closestValue, exampleOf } from '../api/closest-value.ts';
import { type Edit, fieldsIn } from '../api/edits.ts';
import type { RecordedRequest, Violation } from '../api/exchange.ts';
import type { JsonSchema } from '../api/schema-problems.ts';
import { fieldFrom } from '../api/specification.ts';
import { type JsonValue, parseJson } from '../core/int64.ts';
import { partAt } from '../core/pointer.ts';
import { queryIn } from '../core/text.ts';
import { plain } from './draft-compare.ts';
import { isNode, type Node } from './operations.ts';

/** The rule of a part of a request that a draft does not have. */
export const GONE = 'gone';
/** The rules that forbid a field. */
export const FORBIDDING = new Set(['additionalProperties', 'unevaluatedProperties']);

const isExtra = ({ rule }: Violation): boolean => rule === GONE || FORBIDDING.has(rule);

/** `undefined` if a violation cannot be corrected. The request may still violate another rule. */
export function editsFor(
  request: RecordedRequest,
  violations: readonly Violation[],
  document: Node,
): readonly Edit[] | undefined {
  const sent = { query: new URLSearchParams(queryIn(request.target)), fields: fieldsIn(request) };
  const valueAt = (location: string): JsonValue | undefined => {
    const [kind, name = ''] = location.split('/');
    return kind === 'query' ? (sent.query.get(name) ?? undefined) : kind === 'body' ? sent.fields?.[name] : undefined;
  };
  // Nothing is made of a whole body, a path or a header, nor of several values for one.
  const isEditable = ({ location }: Violation): boolean =>
    /^(?:query|body)\/./.test(location) && sent.query.getAll(location.replace(/^query\//, '')).length < 2;
  if (!violations.every(isEditable)) return undefined;
  const extra = violations.filter(isExtra).map(({ location }) => location);
  const others = violations.filter((each) => !isExtra(each));
  const [missing, ...further] = others.filter(({ rule }) => rule === 'required');
  // Under another name the value of a part that is gone may be what is missing.
  const [gone] = extra;
  const value = gone === undefined || extra.length > 1 ? undefined : valueAt(gone);
  const isRenamed = missing !== undefined && further.length === 0 && value !== undefined;
  const edits = others.map((each): Edit | undefined => {
    const { location, rule, pointer } = each;
    const name = location.split('/')[1] ?? '';
    if (isRenamed && each === missing) return { kind: 'rename', place: gone as string, to: name, value };
    const found = rule === 'required' ? undefined : valueAt(location);
    // Many leave the type out where an enumeration says it.
    const schema = { type: 'string', ...schemaAt(pointer, name, document) };
    const closest =
      found === undefined
        ? exampleIn(schema as JsonSchema)
        : closestValue(fieldFrom(name, true, plain(schema) as JsonSchema), found);
    return closest === undefined ? undefined : { kind: 'set', place: location, value: closest };
  });
  if (edits.includes(undefined)) return undefined;
  const removed = isRenamed ? [] : extra.map((place): Edit => ({ kind: 'remove', place }));
  return [...removed, ...(edits as Edit[])];
}

function exampleIn(schema: JsonSchema): JsonValue | undefined {
  const example = exampleOf(schema);
  return example === undefined ? undefined : parseJson(JSON.stringify(example));
}

/** The schema of what is violated: the one that has the keyword, or that of the part that is required. */
function schemaAt(pointer: string, name: string, document: Node): Node {
  const owner = partAt(document, pointer.slice(0, pointer.lastIndexOf('/')));
  const { properties, schema } = isNode(owner) ? owner : {};
  const isRequired = pointer.endsWith('/required');
  return followed(isRequired && isNode(properties) ? properties[name] : (schema ?? owner), document);
}

function followed(schema: unknown, document: Node, depth = 0): Node {
  const target = isNode(schema) ? schema['$ref'] : undefined;
  if (typeof target === 'string' && depth < MAX_REFERENCES)
    return followed(partAt(document, target), document, depth + 1);
  return isNode(schema) ? schema : {};
}

const MAX_REFERENCES = 10;
