/**
 * Where an operation of a draft differs from today's beyond what requests send. What is equal after references are followed is
 * unchanged; of the rest, only what is listed here is known to be harmless.
 */
import { isDeepStrictEqual } from 'node:util';
import { inside } from '../core/pointer.ts';
import { shorten } from '../core/text.ts';
import type { DraftOperation } from './draft-operations.ts';
import { canonical, isProse } from './draft-schema.ts';
import { type Content, isNode, type Node } from './operations.ts';

/** What a change does to a client that its requests don't show: nothing, or nobody knows before someone has looked. */
type Effect = 'harmless' | 'look';

/** A part of an operation that differs from today's. */
export interface Change {
  /** `response 200 body/status/enum`, `callback done` */
  readonly location: string;
  /** A clause with both texts. */
  readonly text: string;
  readonly effect: Effect;
}

const MAX_CHANGE_TEXT = 120;

/** `changed: 20 → 10` */
export function changeText(before: unknown, after: unknown): string {
  if (before === undefined) return `new: ${jsonText(after)}`;
  if (after === undefined) return `gone: ${jsonText(before)}`;
  const [one, other] = unequal(before, after);
  return `changed: ${jsonText(one)} → ${jsonText(other)}`;
}

/** Without the fields that are equal. */
function unequal(before: unknown, after: unknown): readonly [unknown, unknown] {
  if (!isNode(before) || !isNode(after)) return [before, after];
  const fields = Object.keys({ ...before, ...after })
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => [name, unequal(before[name], after[name])] as const);
  const [one, other] = [0, 1].map((at) => Object.fromEntries(fields.map(([name, both]) => [name, both[at]])));
  return [one, other];
}

const jsonText = (value: unknown): string =>
  shorten(typeof value === 'string' ? value : JSON.stringify(value, withoutReference), MAX_CHANGE_TEXT);

/** What is left of references leads to a part that contains itself. */
const withoutReference = (name: string, value: unknown): unknown => (name === '$ref' ? '…' : value);

/** The changes of an operation that no request shows. */
export function changesOf(today: DraftOperation, then: DraftOperation): Change[] {
  const changes: Change[] = [];
  differences(callbacksOf(today), callbacksOf(then), (location, text) =>
    changes.push({ location, text, effect: 'look' }),
  );
  return [...changes, ...responseChanges(today, then)];
}

/** Whether two operations take and return the same. */
export const isSameOperation = (today: DraftOperation, then: DraftOperation): boolean =>
  isDeepStrictEqual(meaningOf(today), meaningOf(then));

const meaningOf = ({ whole, parameters, security, path, bases }: DraftOperation): unknown => [
  bases.map((base) => `${base.path}${shapeOf(path)}`),
  security.map((all) => all.map(({ key: _, description: __, ...scheme }) => scheme)),
  parameters.map(({ in: place, name, required, schema, form }) => [
    place,
    place === 'path' ? '' : name,
    required,
    canonical(schema),
    form,
  ]),
  withoutProse([whole['requestBody'], whole['responses'], whole['callbacks']]),
];

function withoutProse(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutProse);
  if (!isNode(part)) return part;
  const fields = Object.entries(part).filter(([name]) => !isProse(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, name === 'schema' ? canonical(value) : withoutProse(value)]),
  );
}

function differences(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  add: (location: string, text: string) => void,
): void {
  for (const place of new Set([...before.keys(), ...after.keys()]))
    if (!isDeepStrictEqual(before.get(place), after.get(place)))
      add(place, changeText(before.get(place), after.get(place)));
}

const callbacksOf = ({ whole }: DraftOperation): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(isNode(whole['callbacks']) ? whole['callbacks'] : {}).map(([name, each]) => [
      `callback ${name}`,
      each,
    ]),
  );

/** `/pets/{}`: parameters of a path may be renamed. */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/** What the responses of an operation may bring that today's may not. */
function responseChanges(today: DraftOperation, then: DraftOperation): Change[] {
  const [before, after] = [responsesOf(today), responsesOf(then)];
  const kept = [...before].flatMap(([code, response]): Change[] => {
    const same = after.get(code) ?? after.get(`${code.charAt(0)}XX`) ?? after.get('default');
    if (same !== undefined) return contentChanges(`response ${code}`, response, same);
    // Without `default` an error may be anything, as it always could be that comes from in between.
    const effect = code === 'default' && after.size > 0 ? 'harmless' : 'look';
    return [
      {
        location: `response ${code}`,
        text: `gone: ${[...after.keys()].join(', ') || 'no response'} is described`,
        effect,
      },
    ];
  });
  const hasOwnSuccess = [...before.keys()].some((code) => code.startsWith('2') && after.has(code));
  const added = [...after].flatMap(([code, response]): Change[] => {
    if (before.has(code) || code === 'default' || (code === '2XX' && !hasOwnSuccess)) return [];
    const change = { location: `response ${code}`, text: `${code} is new` };
    if (!/^[45]/.test(code)) return [{ ...change, effect: 'look' }];
    return [
      ...contentChanges(`response ${code}`, before.get('default') ?? {}, response),
      { ...change, effect: 'harmless' },
    ];
  });
  return [...kept, ...added];
}

const responsesOf = ({ whole }: DraftOperation): ReadonlyMap<string, Node> =>
  new Map(
    Object.entries((whole['responses'] ?? {}) as Record<string, Node>)
      .filter(([code]) => !code.startsWith('x-'))
      .map(([code, each]) => [code === 'default' ? code : code.toUpperCase(), each]),
  );

const plainType = (mediaType: string): string => (mediaType.split(';')[0] as string).trim().toLowerCase();

function contentChanges(location: string, before: Node, after: Node): Change[] {
  const changes: Change[] = [];
  const add = (where: string, text: string, effect: Effect): void =>
    void changes.push({ location: where, text, effect });
  const byType = ({ content }: Node): ReadonlyMap<string, Content> =>
    new Map(Object.entries((content ?? {}) as Record<string, Content>).map(([type, each]) => [plainType(type), each]));
  const [now, then] = [byType(before), byType(after)];
  for (const [type, { schema }] of now) {
    const same = then.get(type);
    if (same === undefined)
      add(location, `gone: ${type}; ${[...then.keys()].join(', ') || 'no body'} is described`, 'look');
    else if (schema !== undefined && same.schema === undefined) add(`${location} body`, 'gone: its schema', 'look');
    else changes.push(...schemaChanges(canonical(schema), canonical(same.schema), `${location} body`, false));
  }
  const isKept = now.size === 0 || [...now.keys()].some((type) => then.has(type));
  for (const type of then.keys())
    if (isKept && !now.has(type))
      add(
        location,
        now.size === 0 ? `new: a body of ${type}` : `new: ${type}; send \`Accept: ${[...now.keys()][0]}\``,
        now.size === 0 ? 'look' : 'harmless',
      );
  return [...changes, ...headerChanges(location, before, after)];
}

function headerChanges(location: string, before: Node, after: Node): Change[] {
  const headersOf = ({ headers }: Node): ReadonlyMap<string, unknown> =>
    new Map(
      Object.entries((headers ?? {}) as Record<string, Node>).map(([name, { description: _, ...each }]) => [
        name.toLowerCase(),
        { ...each, schema: canonical(each['schema']) },
      ]),
    );
  const [sent, described] = [headersOf(before), headersOf(after)];
  const changes: Change[] = [];
  differences(sent, described, (name, text) =>
    changes.push({ location: `${location} header/${name}`, text, effect: sent.has(name) ? 'look' : 'harmless' }),
  );
  return changes;
}

/** Bounds: where one is added, a response is one of today's. */
export const BOUNDS = new Set(
  (
    'maxLength minLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems ' +
    'minProperties maxProperties const enum required additionalProperties'
  ).split(' '),
);

/** Keywords with which a schema is another one as a whole. */
const CHOICES = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'];

/**
 * Where a response may be what it may not be today.
 * @param today a canonical schema, as `then`
 * @param isRequired whether the value is always there
 */
function schemaChanges(today: unknown, then: unknown, location: string, isRequired: boolean): Change[] {
  if (isDeepStrictEqual(today, then)) return [];
  const isPlain = isNode(then) && !CHOICES.some((keyword) => keyword in then);
  if (!isNode(today) || !isPlain) return [{ location, text: changeText(today, then), effect: 'look' }];
  const changes: Change[] = [];
  for (const keyword of new Set([...Object.keys(today), ...Object.keys(then)])) {
    const [before, after] = [today[keyword], then[keyword]];
    if (isDeepStrictEqual(before, after)) continue;
    if (keyword === 'properties' && isNode(before) && isNode(after))
      changes.push(...propertyChanges(today, then, location));
    else if (keyword === 'items' && before !== undefined)
      changes.push(...schemaChanges(before, after, `${location}/[]`, true));
    else if (!isNarrower(keyword, before, after) && !(keyword === 'default' && isRequired))
      changes.push({ location: `${location}/${keyword}`, text: changeText(before, after), effect: 'look' });
    else if (keyword === 'enum' && Array.isArray(before))
      changes.push({ location, text: changeText(before, after), effect: 'harmless' });
  }
  return changes;
}

function isNarrower(keyword: string, before: unknown, after: unknown): boolean {
  if (before === undefined) return BOUNDS.has(keyword);
  const [lists, others] = [before, after].map((each) => (Array.isArray(each) ? each : [each]));
  const isAmong = (some: readonly unknown[], all: readonly unknown[]): boolean =>
    some.every((each) => all.some((other) => isDeepStrictEqual(each, other)));
  if (after === undefined) return false;
  if (keyword === 'enum' || keyword === 'type') return isAmong(others as unknown[], lists as unknown[]);
  if (keyword === 'required') return isAmong(lists as unknown[], others as unknown[]);
  return keyword === 'format' && before === 'int64' && after === 'int32';
}

function propertyChanges(today: Node, then: Node, location: string): Change[] {
  const [before, after] = [today['properties'] as Node, then['properties'] as Node];
  const needed = Array.isArray(then['required']) ? then['required'] : [];
  const isHidden = (each: unknown): boolean =>
    each === undefined || each === false || (isNode(each) && each['writeOnly'] === true);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): Change[] => {
    const [one, other] = [before, after].map((each) => (Object.hasOwn(each, name) ? each[name] : undefined));
    const at = inside(location, name);
    if (isHidden(other))
      return isHidden(one) ? [] : [{ location: at, text: changeText(one, undefined), effect: 'look' }];
    if (one === undefined) return [{ location: at, text: changeText(undefined, other), effect: 'harmless' }];
    return schemaChanges(one, other, at, needed.includes(name));
  });
}
