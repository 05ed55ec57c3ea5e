/** The request to send instead of one that violates a specification, made from the rules that it violates. */
import type { RecordedRequest, Violation } from '../api/exchange.ts';
import { allowedValueOf, type JsonSchema, wantedOf } from '../api/schema-problems.ts';
import {
  isObject,
  type JsonValue,
  NumberLiteral,
  parseIfJson,
  parseJson,
  readDecimal,
  writeJson,
} from '../core/int64.ts';
import { partAt } from '../core/pointer.ts';
import { didYouMean, queryIn } from '../core/text.ts';
import { canonical, keywordsIn } from './draft-schema.ts';
import { isNode, type Node } from './operations.ts';

/** Longer bodies are not corrected. */
const MAX_BODY = 16 * 1024;

/** `undefined` if a violation cannot be corrected. The result may still violate another rule. */
export function corrected(
  request: RecordedRequest,
  violations: readonly Violation[],
  document: Node,
): RecordedRequest | undefined {
  const draft = new EditedRequest(request);
  const ofRequest = violations.filter(({ side }) => side === 'request');
  // Under another name the value of a part that is gone may be what is missing.
  const gone = ofRequest.filter(({ rule }) => isExtra(rule)).flatMap(({ location }) => draft.take(location) ?? []);
  const others = ofRequest.filter(({ rule }) => !isExtra(rule));
  const isRenamed = gone.length === 1 && others.filter(({ rule }) => rule === 'required').length === 1;
  for (const { location, rule, pointer } of others) {
    if (!draft.has(location)) return undefined;
    const name = location.split('/')[1] ?? '';
    const renamed = isRenamed && rule === 'required' ? gone[0] : undefined;
    const value = renamed ?? valueFor(rule, pointer, name, draft.at(location), document);
    if (value === undefined) return undefined;
    draft.set(location, value);
  }
  return draft.request();
}

/** A request whose parameters and fields can be changed, by locations like `query/limit`. */
class EditedRequest {
  readonly #request: RecordedRequest;
  readonly #path: string;
  readonly #pairs: URLSearchParams;
  readonly #fields: Map<string, JsonValue> | undefined;

  constructor(request: RecordedRequest) {
    this.#request = request;
    this.#path = request.target.split('?', 1)[0] as string;
    this.#pairs = new URLSearchParams(queryIn(request.target));
    const body = request.body === undefined || request.body.length > MAX_BODY ? undefined : parseIfJson(request.body);
    this.#fields = isObject(body) ? new Map(Object.entries(body)) : undefined;
  }

  /** Whether there can be such a part: a parameter, or a field of the outermost object. */
  has(location: string): boolean {
    const [kind, ...names] = location.split('/');
    return names.length === 1 && (kind === 'query' || (kind === 'body' && this.#fields !== undefined));
  }

  at(location: string): JsonValue | undefined {
    const [kind, name = ''] = location.split('/');
    return kind === 'query' ? (this.#pairs.get(name) ?? undefined) : this.#fields?.get(name);
  }

  take(location: string): JsonValue | undefined {
    const value = this.at(location);
    const [kind, name = ''] = location.split('/');
    if (kind === 'query') this.#pairs.delete(name);
    else this.#fields?.delete(name);
    return value;
  }

  set(location: string, value: unknown): void {
    const [kind, name = ''] = location.split('/');
    if (kind === 'query') this.#pairs.set(name, value instanceof NumberLiteral ? value.text : String(value));
    else this.#fields?.set(name, exactJson(value));
  }

  request(): RecordedRequest {
    const text = this.#fields ? writeJson(Object.fromEntries(this.#fields)) : this.#request.body;
    const target = this.#pairs.size === 0 ? this.#path : `${this.#path}?${this.#pairs}`;
    return { ...this.#request, target, body: text, bodyBytes: text?.length ?? 0 };
  }
}

/** The rule of a part of a request that a draft does not have. */
export const GONE = 'gone';
/** The rules that forbid a field. */
export const FORBIDDING = new Set(['additionalProperties', 'unevaluatedProperties']);

const isExtra = (rule: string): boolean => rule === GONE || FORBIDDING.has(rule);

/** A value that satisfies the violated rule, as near to what was sent as is easily found. */
function valueFor(rule: string, pointer: string, name: string, sent: unknown, document: Node): unknown {
  const limit = partAt(document, pointer);
  const owner = partAt(document, pointer.slice(0, pointer.lastIndexOf('/')));
  const text = sent === undefined ? undefined : String(sent instanceof NumberLiteral ? sent.text : sent);
  switch (rule) {
    case 'minimum':
    case 'maximum':
    case 'const':
      return limit;
    case 'enum':
      return Array.isArray(limit) ? (didYouMean(String(text), limit.map(String)) ?? limit[0]) : undefined;
    case 'maxLength':
      return typeof sent === 'string' ? Array.from(sent).slice(0, Number(limit)).join('') : undefined;
    case 'type':
      return inType([limit].flat(), sent) ?? exampleOf(owner, document);
    case 'required': {
      const properties = isNode(owner) ? owner['properties'] : undefined;
      return exampleOf(isNode(properties) ? properties[name] : isNode(owner) ? owner['schema'] : undefined, document);
    }
    default:
      return exampleOf(owner, document);
  }
}

/** The same value in another type. */
function inType(types: readonly unknown[], sent: unknown): string | bigint | undefined {
  if (types.includes('string') && typeof sent === 'bigint') return String(sent);
  return types.includes('integer') && typeof sent === 'string' ? readDecimal(sent) : undefined;
}

/** A value of a schema: its own example, or one that says as much; `undefined` where none is easily found. */
function exampleOf(schema: unknown, document: Node): unknown {
  const described = followed(schema, document);
  const form = canonical(described);
  if (keywordsIn(form, isLarge).size > 0) return undefined;
  const { example, examples, default: byDefault } = described;
  const given = example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? byDefault;
  // An empty text or null says nothing.
  return given ?? (allowedValueOf(form as JsonSchema) || undefined);
}

/** What a value may be: `an integer from 1 to 50`; `undefined` where a schema doesn't say that in one piece. */
export function describedValue(schema: unknown, document: Node): string | undefined {
  const { type, enum: values, ...others } = canonical(followed(schema, document)) as JsonSchema;
  return type === undefined && values === undefined
    ? undefined
    : wantedOf({ ...others, type, enum: values } as JsonSchema);
}

function followed(schema: unknown, document: Node, depth = 0): Node {
  const target = isNode(schema) ? schema['$ref'] : undefined;
  if (typeof target === 'string' && depth < MAX_REFERENCES)
    return followed(partAt(document, target), document, depth + 1);
  return isNode(schema) ? schema : {};
}

const MAX_REFERENCES = 10;

/** No example is made of so many characters or items. */
const isLarge = (keyword: string, value: unknown): boolean =>
  /^min(?:Length|Items)$/.test(keyword) && Number(value) > 200;

const exactJson = (value: unknown): JsonValue =>
  typeof value === 'object' || typeof value === 'number' ? parseJson(JSON.stringify(value)) : (value as JsonValue);
