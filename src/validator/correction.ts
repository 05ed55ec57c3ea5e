/** The request to send instead of one that violates a specification, made from the rules that it violates. */
import type { RecordedRequest, Violation } from '../api/exchange.ts';
import { isObject, type JsonValue, parseIfJson, parseJson, writeJson } from '../core/int64.ts';
import { partAt } from '../core/pointer.ts';
import { didYouMean } from '../core/text.ts';
import { isNode, type Node } from './operations.ts';

/** Longer bodies are not corrected. */
const MAX_BODY = 16 * 1024;

/** `undefined` if a violation cannot be corrected. The result may still violate another rule. */
export function corrected(
  request: RecordedRequest,
  violations: readonly Violation[],
  document: Node,
): RecordedRequest | undefined {
  const [path = '', query = ''] = request.target.split('?', 2);
  const pairs = new URLSearchParams(query);
  const body = request.body === undefined || request.body.length > MAX_BODY ? undefined : parseIfJson(request.body);
  const fields = new Map(isObject(body) ? Object.entries(body) : []);
  for (const { location, rule, pointer } of violations.filter(({ side }) => side === 'request')) {
    const [kind, name = '', ...deeper] = location.split('/');
    if (deeper.length > 0 || (kind !== 'query' && (kind !== 'body' || !isObject(body)))) return undefined;
    const sent = kind === 'query' ? pairs.get(name) : fields.get(name);
    const value = valueFor(rule, pointer, name, sent, document);
    if (value === undefined) return undefined;
    if (kind === 'query') pairs.set(name, String(value));
    else fields.set(name, exact(value));
  }
  const text = isObject(body) ? writeJson(Object.fromEntries(fields)) : request.body;
  const target = pairs.size === 0 ? path : `${path}?${pairs}`;
  return { ...request, target, body: text, bodyBytes: text?.length ?? 0 };
}

/** A value that satisfies the violated rule, as near to what was sent as is easily found. */
function valueFor(rule: string, pointer: string, name: string, sent: unknown, document: Node): unknown {
  const limit = partAt(document, pointer);
  const owner = partAt(document, pointer.slice(0, pointer.lastIndexOf('/')));
  switch (rule) {
    case 'minimum':
    case 'maximum':
    case 'const':
      return limit;
    case 'enum':
      return Array.isArray(limit) ? (didYouMean(String(sent), limit.map(String)) ?? limit[0]) : undefined;
    case 'maxLength':
      return typeof sent === 'string' ? sent.slice(0, Number(limit)) : undefined;
    case 'required': {
      const properties = isNode(owner) ? owner['properties'] : undefined;
      return exampleOf(isNode(properties) ? properties[name] : isNode(owner) ? owner['schema'] : undefined, document);
    }
    default:
      return exampleOf(owner, document);
  }
}

/** A value of a schema: an example, or the plainest one. */
function exampleOf(schema: unknown, document: Node, depth = 0): unknown {
  if (!isNode(schema) || depth > 10) return undefined;
  const { $ref, example, examples, default: byDefault, enum: values, const: only, type, minimum } = schema;
  if (typeof $ref === 'string') return exampleOf(partAt(document, $ref), document, depth + 1);
  const given = example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? byDefault ?? only;
  if (given !== undefined) return given;
  if (Array.isArray(values)) return values[0];
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'string' ? 'text' : undefined;
}

const exact = (value: unknown): JsonValue =>
  typeof value === 'object' || typeof value === 'number' ? parseJson(JSON.stringify(value)) : (value as JsonValue);
