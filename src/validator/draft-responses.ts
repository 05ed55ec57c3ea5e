/**
 * What a response of a draft may bring that one of today's specification may not. Today's schemas are simple; a draft's are a
 * stranger's, so everything that is not recognized as harmless counts as unknown.
 */
import { inside } from '../core/pointer.ts';
import { shorten } from '../core/text.ts';
import { exampleOf } from './correction.ts';
import type { DraftOperation } from './draft-operations.ts';
import { type Content, type DescribedResponse, isNode, type Node, type PrismOperation } from './operations.ts';

/** Something new in responses. */
export interface News {
  /** `response 200 body/status` */
  readonly location: string;
  /** A clause: `status may be reserved`. */
  readonly text: string;
  /** What such a response contains, as JSON; `undefined` where nothing shows it. */
  readonly sample?: string;
  /** A client that reads tolerantly, as it should, is not affected. */
  readonly isHarmless: boolean;
}

const MAX_SAMPLE = 300;

/** @param accepts the `Accept` headers of the requests */
export function newsOf(today: PrismOperation, then: DraftOperation, accepts: readonly string[]): News[] {
  const codes = then.responses.map(({ code }) => code);
  const context = { bundle: then.__bundled__, accepts };
  const success = today.responses.filter(({ code }) => code.startsWith('2'));
  const news: News[] = [];
  for (const before of today.responses) {
    const after = then.responses.find(({ code }) => code === before.code) ?? responseOfClass(then, before.code);
    if (after) news.push(...ofContents(before, after, context));
    else {
      const others = codes.length === 0 ? 'no response' : codes.join(', ');
      const text = `${before.code} is no longer described, and ${others} is`;
      // Without `default` an error may be anything, as it always could be that comes from in between.
      news.push({
        location: `response ${before.code}`,
        text,
        isHarmless: before.code === 'default' && codes.length > 0,
      });
    }
  }
  for (const after of then.responses) {
    if (today.responses.some(({ code }) => code === after.code)) continue;
    const location = `response ${after.code}`;
    const isError = /^[45]/.test(after.code);
    if (isError) {
      const before = today.responses.find(({ code }) => code === 'default') as DescribedResponse;
      news.push(...ofContents(before, after, context));
      news.push({
        location,
        text: `${after.code} is new`,
        isHarmless: true,
        ...sampled(after.contents?.[0]?.schema, context.bundle),
      });
    } else if (
      after.code === 'default' ||
      (after.code === '2XX' && success.every(({ code }) => !codes.includes(code)))
    ) {
      // Compared as what stands in for today's.
    } else
      news.push({
        location,
        text: `${after.code} is new`,
        isHarmless: false,
        ...sampled(after.contents?.[0]?.schema, context.bundle),
      });
  }
  return unique(news);
}

const responseOfClass = ({ responses }: DraftOperation, code: string): DescribedResponse | undefined =>
  responses.find((each) => each.code === `${code.charAt(0)}XX`) ?? responses.find((each) => each.code === 'default');

interface Context {
  readonly bundle: Node | undefined;
  readonly accepts: readonly string[];
}

function ofContents(before: DescribedResponse, after: DescribedResponse, { bundle, accepts }: Context): News[] {
  const location = `response ${after.code}`;
  const now = before.contents ?? [];
  const then = after.contents ?? [];
  return now.flatMap(({ mediaType, schema }): News[] => {
    const same = then.find((each) => plainType(each) === mediaType);
    if (!same) {
      const types = then.map((each) => each.mediaType).join(', ') || 'no body';
      return [{ location, text: `it comes as ${types}, not as ${mediaType}`, isHarmless: false }];
    }
    const others = then.filter((each) => plainType(each) !== mediaType).map((each) => each.mediaType);
    const isAsked = accepts.length > 0 && accepts.every((each) => each.includes(mediaType));
    const more: News[] =
      others.length === 0 || isAsked
        ? []
        : [
            {
              location,
              text: `it also comes as ${others.join(', ')}; send \`Accept: ${mediaType}\``,
              isHarmless: true,
            },
          ];
    if (schema === undefined) return more;
    const sample = sampled(same.schema, bundle);
    const found = comparedSchemas(schema, same.schema, 'body', { bundle, depth: 0 });
    return [...more, ...found.map((each) => ({ ...sample, ...each, location: `${location} ${each.location}` }))];
  });
}

const plainType = ({ mediaType }: Content): string => (mediaType.split(';')[0] as string).trim().toLowerCase();

interface Walk {
  readonly bundle: Node | undefined;
  readonly depth: number;
}

const MAX_DEPTH = 12;
/** Keywords that only narrow what a response may be, or say nothing of it. */
const NARROWING = new Set(
  (
    '$schema $comment title description default examples example deprecated readOnly externalDocs xml discriminator not ' +
    'maxLength minLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems ' +
    'contains minContains maxContains minProperties maxProperties propertyNames dependentRequired dependentSchemas ' +
    'if then else unevaluatedProperties unevaluatedItems additionalProperties patternProperties ' +
    'contentEncoding contentMediaType $defs prefixItems nullable'
  ).split(' '),
);
const COMPARED = new Set('type enum const properties required items format allOf oneOf anyOf $ref'.split(' '));

/** Where a draft's schema allows what today's does not. */
function comparedSchemas(today: Node, then: unknown, location: string, { bundle, depth }: Walk): News[] {
  const tell = teller(location);
  const name = location.split('/').pop() as string;
  if (then === undefined || then === true) return [tell(`${name} is not described`)];
  if (depth > MAX_DEPTH) return [tell(`${name} nests too deeply to be compared`)];
  const schema = isNode(then) ? flattened(then, bundle) : undefined;
  if (schema === undefined) return [tell(`${name} cannot be compared`)];
  const within = { bundle, depth: depth + 1 };
  const strange = Object.keys(schema).filter((each) => !isCompared(each));
  if (strange.length > 0) return [tell(`${name} has ${strange.join(', ')}, which is not compared`)];
  const keyword = ['oneOf', 'anyOf'].find((each) => Array.isArray(schema[each]));
  if (keyword !== undefined) {
    const { [keyword]: branches, ...others } = schema;
    const each = (branches as unknown[]).map((branch) => ({ allOf: [others, branch] }));
    return unique(each.flatMap((branch) => comparedSchemas(today, branch, location, within)));
  }
  const values = valuesOf(schema);
  const types = typesOf(schema, values);
  const wanted = String(today['type']);
  if (types.length === 0) return [tell(`${name} may be of any type`)];
  if (types.includes('null') && types.includes(wanted)) {
    const isNull = tell(`${name} may be null`, isAtTop(location) ? null : { [name]: null });
    return [isNull, ...comparedSchemas(today, withoutNull(schema, types, values), location, within)];
  }
  const wrong = types.find((each) => each !== wanted);
  if (wrong !== undefined) {
    const example = exampleOf({ ...schema, type: wrong }, { __bundled__: bundle });
    const value = example === undefined || isAtTop(location) ? example : { [name]: example };
    return [tell(`${name} may be ${withArticle(wrong)}, not ${withArticle(wanted)}`, value)];
  }
  if (wanted === 'object') return ofObject(today, schema, location, within);
  if (wanted === 'array') return comparedSchemas(today['items'] as Node, schema['items'], `${location}/[]`, within);
  return ofValue(today, schema, values, location);
}

function valuesOf(schema: Node): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

const isCompared = (keyword: string): boolean =>
  NARROWING.has(keyword) || COMPARED.has(keyword) || keyword.startsWith('x-');

type Tell = (text: string, sample?: unknown, isHarmless?: boolean) => News;

const teller =
  (location: string): Tell =>
  (text, sample, isHarmless = false) => ({
    location,
    text,
    isHarmless,
    ...(sample !== undefined && { sample: shortJson(sample) }),
  });

/** A text or an integer. */
function ofValue(today: Node, schema: Node, values: readonly unknown[] | undefined, location: string): News[] {
  const tell = teller(location);
  const name = location.split('/').pop() as string;
  const known = today['enum'];
  if (!Array.isArray(known)) {
    const isLarger = today['format'] === 'int64' && values === undefined && !isWithinInt64(schema);
    return isLarger ? [tell(`${name} may be beyond int64`, { [name]: 9.3e18 })] : [];
  }
  if (values === undefined) return [tell(`${name} may be any text, not only ${known.join(', ')}`, { [name]: 'text' })];
  const strangers = values.filter((each) => !known.includes(each));
  const lost = known.filter((each) => !values.includes(each));
  return [
    ...(strangers.length === 0 ? [] : [tell(`${name} may be ${strangers.join(', ')}`, { [name]: strangers[0] })]),
    ...(lost.length === 0 ? [] : [tell(`${name} is never ${lost.join(', ')}`, undefined, true)]),
  ];
}

function withoutNull(schema: Node, types: readonly string[], values: readonly unknown[] | undefined): Node {
  const { const: _, enum: __, ...others } = schema;
  const rest = values && { enum: values.filter((each) => each !== null) };
  return { ...others, ...rest, type: types.filter((each) => each !== 'null') };
}

const isAtTop = (location: string): boolean => location === 'body' || location.endsWith('[]');

function ofObject(today: Node, schema: Node, location: string, walk: Walk): News[] {
  const described = isNode(schema['properties']) ? schema['properties'] : {};
  const [before, after] = [today, schema].map(({ required }) => new Set(Array.isArray(required) ? required : []));
  const names = Object.entries((today['properties'] ?? {}) as Record<string, Node>);
  const news = names.flatMap(([name, property]): News[] => {
    const tell = teller(inside(location, name));
    const then = Object.hasOwn(described, name) ? described[name] : undefined;
    const isGone = then === undefined || then === false || (isNode(then) && then['writeOnly'] === true);
    if (isGone) return [tell(`${name} is gone`)];
    return [
      ...(isNode(then) && then['deprecated'] === true ? [tell(`${name} is deprecated`, undefined, true)] : []),
      ...(before?.has(name) && !after?.has(name) ? [tell(`${name} may be missing`)] : []),
      ...comparedSchemas(property, then, inside(location, name), walk),
    ];
  });
  const added = Object.keys(described).filter((each) => !names.some(([name]) => name === each));
  const more = added.map((each) => {
    const example = exampleOf(described[each], { __bundled__: walk.bundle });
    const sample = example === undefined ? undefined : { [each]: example };
    return teller(inside(location, each))(`${each} is new`, sample, true);
  });
  return [...news, ...more];
}

const withArticle = (type: string): string =>
  type === 'null' ? 'null' : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;

/** The types that a schema allows; none for any. */
function typesOf({ type, properties, items }: Node, values: readonly unknown[] | undefined): string[] {
  const stated = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : undefined;
  if (values !== undefined) {
    const found = [...new Set(values.map(typeOf))];
    return stated === undefined
      ? found
      : found.filter((each) => stated.includes(each) || (each === 'integer' && stated.includes('number')));
  }
  // Many leave the type out where the keywords say it.
  return stated ?? (properties === undefined ? (items === undefined ? [] : ['array']) : ['object']);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const isWithinInt64 = ({ format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node): boolean =>
  format === 'int64' ||
  format === 'int32' ||
  (Number(minimum ?? exclusiveMinimum ?? Number.NaN) >= -(2 ** 63) &&
    Number(maximum ?? exclusiveMaximum ?? Number.NaN) < 2 ** 63);

/** A schema with all of its `allOf` in it; `undefined` where two parts say different things of a keyword that is compared. */
function flattened(schema: Node, bundle: Node | undefined, depth = 0): Node | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const { allOf, $ref, ...own } = schema;
  const target = typeof $ref === 'string' ? bundle?.[$ref.split('/').pop() as string] : undefined;
  if ($ref !== undefined && !isNode(target)) return undefined;
  const parts = [...(isNode(target) ? [target] : []), ...(Array.isArray(allOf) ? allOf : [])].filter(
    (each) => each !== true,
  );
  let result: Record<string, unknown> = { ...own };
  for (const part of parts) {
    const inner = isNode(part) ? flattened(part, bundle, depth + 1) : undefined;
    const merged = inner && merge(result, inner);
    if (!merged) return undefined;
    result = merged;
  }
  return result;
}

function merge(one: Node, other: Node): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const before = result[keyword];
    if (before === undefined) result[keyword] = value;
    else if (keyword === 'properties') result[keyword] = mergedProperties(before as Node, value as Node);
    else if (keyword === 'required') result[keyword] = [...new Set([...(before as []), ...(value as [])])];
    else if (keyword === 'enum')
      result[keyword] = (before as unknown[]).filter((each) => (value as unknown[]).includes(each));
    else if (keyword === 'type') {
      const both = [before].flat().filter((each) => [value].flat().includes(each));
      if (both.length === 0) return undefined;
      result[keyword] = both;
    } else if (
      ['oneOf', 'anyOf', 'items', 'const'].includes(keyword) &&
      JSON.stringify(before) !== JSON.stringify(value)
    )
      return undefined;
  }
  return result;
}

function mergedProperties(one: Node, other: Node): Node {
  const result: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other))
    result[name] = Object.hasOwn(result, name) ? { allOf: [result[name], value] } : value;
  return result;
}

function sampled(schema: Node | undefined, bundle: Node | undefined): { sample?: string } {
  const example = schema === undefined ? undefined : exampleOf(schema, { __bundled__: bundle });
  return example === undefined ? {} : { sample: shortJson(example) };
}

const shortJson = (value: unknown): string => shorten(JSON.stringify(value), MAX_SAMPLE);

function unique(news: readonly News[]): News[] {
  const byText = new Map(news.map((each) => [`${each.location}\n${each.text}`, each]));
  return [...byText.values()];
}
