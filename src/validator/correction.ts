/** The request to send instead of one that violates a specification, made from the rules that it violates. */
import type { RecordedRequest, Violation } from '../api/exchange.ts';
import {
  INT64_MAX,
  INT64_MIN,
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

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [INT64_MIN, INT64_MAX],
};

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
    case 'format':
      return clamped(String(limit), text) ?? exampleOf(owner, document);
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

/** The nearest integer of a format. */
function clamped(format: string, text: string | undefined): bigint | undefined {
  const range = RANGES[format];
  const number = text === undefined ? undefined : readDecimal(text);
  if (!range || number === undefined) return undefined;
  if (number < range[0]) return range[0];
  return number > range[1] ? range[1] : number;
}

/** The same value in another type. */
function inType(types: readonly unknown[], sent: unknown): string | bigint | undefined {
  if (types.includes('string') && typeof sent === 'bigint') return String(sent);
  return types.includes('integer') && typeof sent === 'string' ? readDecimal(sent) : undefined;
}

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  date: '2030-12-05',
  'date-time': '2030-12-05T09:30:00Z',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'pets@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/pets',
  byte: 'cGV0',
};

const MAX_LENGTH = 200;

/** A value of a schema: an example, or the plainest one; `undefined` where none is easily found. */
export function exampleOf(schema: unknown, document: Node, depth = 0): unknown {
  if (!isNode(schema) || depth > 10) return undefined;
  const { $ref, example, examples, default: byDefault, enum: values, const: only, type, allOf, oneOf, anyOf } = schema;
  if (typeof $ref === 'string') return exampleOf(partAt(document, $ref), document, depth + 1);
  const given = example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? byDefault ?? only;
  if (given !== undefined) return given;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(allOf)) return ofAll([{ ...schema, allOf: undefined }, ...allOf], document, depth);
  const [branch] = [oneOf, anyOf].find((each) => Array.isArray(each)) ?? [];
  if (branch !== undefined && type === undefined) return exampleOf(branch, document, depth + 1);
  switch (Array.isArray(type) ? type.find((each) => each !== 'null') : type) {
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return true;
    case 'string':
      return exampleText(schema);
    case 'array': {
      const item = exampleOf(schema['items'], document, depth + 1);
      return item === undefined ? [] : Array.from({ length: Math.min(Number(schema['minItems'] ?? 1), 5) }, () => item);
    }
    default:
      return type === 'object' || isNode(schema['properties']) ? objectOf(schema, document, depth) : undefined;
  }
}

/** Each part says something of an object, or one of them says what a plain value is. */
function ofAll(parts: readonly unknown[], document: Node, depth: number): unknown {
  const found = parts.map((part) => exampleOf(part, document, depth + 1)).filter((each) => each !== undefined);
  return found.length > 1 && found.every(isNode) ? Object.assign({}, ...found) : found[0];
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Node): number {
  const least = Number(
    minimum ?? (exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : Number(exclusiveMinimum) + 1),
  );
  const most = Number(
    maximum ?? (exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : Number(exclusiveMaximum) - 1),
  );
  const step = Number(multipleOf ?? 1);
  return Math.ceil(Math.min(Math.max(1, least), most) / step) * step;
}

function exampleText({ format, minLength, maxLength, pattern }: Node): string | undefined {
  const byFormat = FORMAT_EXAMPLES[String(format)];
  if (byFormat !== undefined) return byFormat;
  if (pattern !== undefined) return undefined;
  const [least, most] = [Math.min(Number(minLength ?? 0), MAX_LENGTH), Number(maxLength ?? MAX_LENGTH)];
  return 'text'.padEnd(least, 'x').slice(0, most);
}

function objectOf({ properties, required }: Node, document: Node, depth: number): unknown {
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(isNode(properties) ? properties : {})
    .filter(([name]) => needed.has(name))
    .map(([name, schema]) => [name, exampleOf(schema, document, depth + 1)]);
  return Object.fromEntries(fields);
}

/** What a value may be, in a few words: `integer (int32), at least 1, at most 50`. */
export function describedValue(schema: unknown, document: Node, depth = 0): string | undefined {
  if (!isNode(schema) || depth > 10) return undefined;
  const { $ref, type, format, enum: values, minimum, maximum, minLength, maxLength, pattern, const: only } = schema;
  if (typeof $ref === 'string') return describedValue(partAt(document, $ref), document, depth + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return `one of ${values.map((each) => JSON.stringify(each)).join(', ')}`;
  if (type === undefined) return undefined;
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    pattern !== undefined && `like ${String(pattern)}`,
  ].filter((each) => each !== false);
  return [`${[type].flat().join(' or ')}${format === undefined ? '' : ` (${String(format)})`}`, ...bounds].join(', ');
}

const exactJson = (value: unknown): JsonValue =>
  typeof value === 'object' || typeof value === 'number' ? parseJson(JSON.stringify(value)) : (value as JsonValue);
