/**
 * Where an operation of a draft differs from today's beyond what requests send. What is equal after references are followed is
 * unchanged; of the rest, only what is listed here is known to be harmless.
 */
import { isDeepStrictEqual } from 'node:util';
import { inside } from '../core/pointer.ts';
import { shorten } from '../core/text.ts';
import type { DraftOperation } from './draft-operations.ts';
import { canonical, isProse } from './draft-schema.ts';
import { isNode, type Node } from './operations.ts';

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
  return `changed: ${jsonText(before)} → ${jsonText(after)}`;
}

const jsonText = (value: unknown): string =>
  shorten(typeof value === 'string' ? value : JSON.stringify(value, withoutReference), MAX_CHANGE_TEXT);

/** What is left of references leads to a part that contains itself. */
const withoutReference = (name: string, value: unknown): unknown => (name === '$ref' ? '…' : value);

/** Whether two operations take and return the same. */
export const isSameOperation = (today: DraftOperation, then: DraftOperation): boolean =>
  isDeepStrictEqual(meaningOf(today), meaningOf(then));

const meaningOf = ({ whole, parameters, security, path, bases }: DraftOperation): unknown =>
  withoutProse([
    bases.map((base) => base.paths.map((each) => `${each}${shapeOf(path)}`)),
    security.map((all) => all.map(({ key: _, ...scheme }) => scheme)),
    parameters.map(({ name, ...each }) => ({ ...each, name: each.in === 'path' ? '' : name })),
    [whole['requestBody'], whole['responses'], whole['callbacks']],
  ]);

/** A part with its schemas in their canonical form. @param hasNames whether its fields are named by the author */
function withoutProse(part: unknown, hasNames = false): unknown {
  if (Array.isArray(part)) return part.map((each) => withoutProse(each));
  if (!isNode(part)) return part;
  const fields = Object.entries(part).filter(([name]) => hasNames || !isProse(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      name === 'schema' && !hasNames
        ? canonical(value)
        : withoutProse(value, /^(?:headers|content|callbacks)$/.test(name)),
    ]),
  );
}

/** `/pets/{}`: parameters of a path may be renamed. */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/** The changes of an operation that no request shows. */
export function changesOf(today: DraftOperation, then: DraftOperation): Change[] {
  const [before, after] = [responsesOf(today), responsesOf(then)];
  const codes = Object.keys(after);
  const kept = Object.entries(before).flatMap(([code, response]): Change[] => {
    const same = after[code] ?? after[`${code.charAt(0)}XX`] ?? after['default'];
    if (same !== undefined) return responseChanges(response, same, `response ${code}`);
    // Without `default` an error may be anything, as it always could be that comes from in between.
    const isHarmless = code === 'default' && codes.length > 0;
    return [changed(`response ${code}`, `gone: ${codes.join(', ') || 'no response'} is described`, isHarmless)];
  });
  const hasOwnSuccess = Object.keys(before).some((code) => code.startsWith('2') && code in after);
  const added = codes.flatMap((code): Change[] => {
    if (code in before || code === 'default' || (code === '2XX' && !hasOwnSuccess)) return [];
    const isError = /^[45]/.test(code);
    return [
      ...(isError ? responseChanges(before['default'] ?? {}, after[code] as Node, `response ${code}`) : []),
      changed(`response ${code}`, `${code} is new`, isError),
    ];
  });
  const calls = unequalIn(today.whole['callbacks'], then.whole['callbacks']);
  return [
    ...calls.map(([name, one, other]) => changed(`callback ${name}`, changeText(one, other), false)),
    ...kept,
    ...added,
  ];
}

const changed = (location: string, text: string, isHarmless: boolean): Change => ({
  location,
  text,
  effect: isHarmless ? 'harmless' : 'look',
});

/** The fields of two parts that are not equal. */
function unequalIn(before: unknown, after: unknown): (readonly [name: string, before: unknown, after: unknown])[] {
  const [one, other] = [before, after].map((each) => (isNode(each) ? each : {})) as [Node, Node];
  const own = (part: Node, name: string): unknown => (Object.hasOwn(part, name) ? part[name] : undefined);
  return Object.keys({ ...one, ...other })
    .map((name) => [name, own(one, name), own(other, name)] as const)
    .filter(([, ofOne, ofOther]) => !isDeepStrictEqual(ofOne, ofOther));
}

const responsesOf = ({ whole }: DraftOperation): Readonly<Record<string, Node>> =>
  named(withoutProse(whole['responses']), (code) => (code === 'default' ? code : code.toUpperCase()));

const named = (parts: unknown, nameOf: (name: string) => string): Readonly<Record<string, Node>> =>
  Object.fromEntries(Object.entries((parts ?? {}) as Node).map(([name, each]) => [nameOf(name), each as Node]));

/** A media type without its parameters. */
export const plainType = (mediaType: string): string => (mediaType.split(';')[0] as string).trim().toLowerCase();

function responseChanges(before: Node, after: Node, location: string): Change[] {
  const [now, then] = [named(before['content'], plainType), named(after['content'], plainType)];
  const isKept = Object.keys(now).some((type) => type in then);
  const ofBodies = unequalIn(now, then).flatMap(([type, one, other]): Change[] => {
    if (!isNode(one)) return [changed(location, `new: a body of ${type}`, isKept)];
    if (!isNode(other))
      return [changed(location, `gone: ${type}; ${Object.keys(then).join(', ') || 'no body'} is described`, false)];
    return schemaChanges(one['schema'] ?? {}, other['schema'] ?? {}, `${location} body`);
  });
  const [sent, described] = [before, after].map(({ headers }) => named(headers, (name) => name.toLowerCase()));
  const ofHeaders = unequalIn(sent, described).map(([name, one, other]) =>
    changed(`${location} header/${name}`, changeText(one, other), one === undefined),
  );
  return [...ofBodies, ...ofHeaders];
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
/** Whether a canonical schema says by itself which fields and values there are. */
export const isPlain = (schema: unknown): schema is Node =>
  isNode(schema) && !CHOICES.some((keyword) => keyword in schema);

/** Where a response may be what it may not be today, by canonical schemas. */
function schemaChanges(today: unknown, then: unknown, location: string): Change[] {
  if (!isNode(today) || !isPlain(then)) return [changed(location, changeText(today, then), false)];
  return unequalIn(today, then).flatMap(([keyword, before, after]): Change[] => {
    if (keyword === 'properties' && isNode(before) && isNode(after)) return propertyChanges(before, after, location);
    if (keyword === 'items' && before !== undefined) return schemaChanges(before, after, `${location}/[]`);
    return [changed(`${location}/${keyword}`, changeText(before, after), isNarrower(keyword, before, after))];
  });
}

const propertyChanges = (before: Node, after: Node, location: string): Change[] =>
  unequalIn(visible(before), visible(after)).flatMap(([name, one, other]): Change[] =>
    one === undefined || other === undefined
      ? [changed(inside(location, name), changeText(one, other), one === undefined)]
      : schemaChanges(one, other, inside(location, name)),
  );

/** The properties that a response may have. */
const visible = (properties: Node): Node =>
  Object.fromEntries(
    Object.entries(properties).filter(([, each]) => each !== false && !(isNode(each) && each['writeOnly'] === true)),
  );

/** Whether a response is still one of today's. */
function isNarrower(keyword: string, before: unknown, after: unknown): boolean {
  const isAmong = (some: unknown, all: unknown): boolean =>
    [some].flat().every((each) => [all].flat().some((other) => isDeepStrictEqual(each, other)));
  if (keyword === 'readOnly') return true;
  if (before === undefined) return BOUNDS.has(keyword);
  if (after === undefined) return false;
  if (keyword === 'enum' || keyword === 'type') return isAmong(after, before);
  if (keyword === 'required') return isAmong(before, after);
  return keyword === 'format' && before === 'int64' && after === 'int32';
}
