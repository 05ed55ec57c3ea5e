/** Changes of a request that correct it, for today's specification and a draft's: shown to a reader, and applied. */
import { pathOfTarget } from '../address.ts';
import { isObject, type JsonObject, type JsonValue, parseIfJson, writeJson } from '../int64.ts';
import type { RecordedRequest } from './exchange.ts';
import {
  inQuery,
  joined,
  jsonBeginning,
  MAX_VALUE,
  memberText,
  type QueryPart,
  queryPartsOf,
  textOf,
} from './request-text.ts';

/**
 * One change. A place is `query/limit`, `body/name`, `header/content-type`, or the whole `path` or `body`; of `line`, the
 * value is method and target. A renamed part has a new value, or keeps its own.
 */
export type Edit =
  | { readonly kind: 'set'; readonly place: string; readonly value: JsonValue }
  | { readonly kind: 'rename'; readonly place: string; readonly to: string; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly place: string }
  | { readonly kind: 'line'; readonly value: string };

/** A new value for a part, which may get another name. */
export const namedEdit = (place: string, to: string, value: JsonValue): Edit =>
  partsOf(place)[1] === to ? { kind: 'set', place, value } : { kind: 'rename', place, to, value };

/** Longer bodies are not edited. */
const MAX_EDITED_BODY = 16 * 1024;

/** The request with all edits. Edits of a part that it does not have change nothing. */
export function applied(request: RecordedRequest, edits: readonly Edit[]): RecordedRequest {
  let result = request;
  for (const edit of edits) result = withEdit(result, edit);
  return result;
}

function withEdit(request: RecordedRequest, edit: Edit): RecordedRequest {
  if (edit.kind === 'line') {
    const [method = '', target = ''] = edit.value.split(/ (.*)/s, 2);
    return { ...request, method, target };
  }
  const [kind, name] = partsOf(edit.place);
  if (kind === 'query') return { ...request, target: withPair(request.target, name, edit) };
  if (kind === 'body') return name === '' ? withBody(request, edit) : withMember(request, name, edit);
  if (edit.kind !== 'set') return request;
  if (kind === 'path') return { ...request, target: edit.value + request.target.replace(/^[^?]*/, '') };
  // No credential is in a recorded request, and none is in a corrected one.
  return edit.place === 'header/content-type' ? { ...request, contentType: String(edit.value) } : request;
}

/** The kind of a place, and its name, which may contain slashes. */
function partsOf(place: string): readonly [kind: string, name: string] {
  const end = place.indexOf('/');
  return end < 0 ? [place, ''] : [place.slice(0, end), place.slice(end + 1)];
}

type PartEdit = Exclude<Edit, { readonly kind: 'line' }>;

/** The pair takes the place of the first one of that name, and further ones are left out. */
function withPair(target: string, name: string, edit: PartEdit): string {
  const path = pathOfTarget(target);
  const pairs = queryPartsOf(target).filter(({ text }) => text !== '');
  const to = edit.kind === 'rename' ? edit.to : name;
  const found = pairs.findIndex((each) => each.name === name);
  const at = found < 0 ? pairs.length : found;
  const others = (some: readonly QueryPart[]): readonly QueryPart[] =>
    some.filter((each) => each.name !== name && each.name !== to);
  const pair = edit.kind === 'remove' ? [] : [{ name: to, text: pairText(to, edit.value) }];
  const query = joined([...others(pairs.slice(0, at)), ...pair, ...others(pairs.slice(at))]);
  return query === '' ? path : `${path}?${query}`;
}

const pairText = (name: string, value: JsonValue): string => `${inQuery(name)}=${inQuery(textOf(value))}`;

const withBody = (request: RecordedRequest, edit: PartEdit): RecordedRequest =>
  withText(request, edit.kind === 'remove' ? undefined : writeJson(edit.value));

function withMember(request: RecordedRequest, name: string, edit: PartEdit): RecordedRequest {
  const fields = fieldsIn(request);
  if (fields === undefined) return request;
  const to = edit.kind === 'rename' ? edit.to : name;
  const member: [string, JsonValue][] = edit.kind === 'remove' ? [] : [[to, edit.value]];
  const members = Object.entries(fields).filter(([each]) => each === name || each !== to);
  const at = members.findIndex(([each]) => each === name);
  members.splice(at < 0 ? members.length : at, at < 0 ? 0 : 1, ...member);
  return withText(request, writeJson(Object.fromEntries(members)));
}

const withText = (request: RecordedRequest, body: string | undefined): RecordedRequest => ({
  ...request,
  body,
  bodyBytes: Buffer.byteLength(body ?? ''),
});

/** The members of a body; `undefined` for one that is long, or no object of JSON. */
export function fieldsIn({ body }: Pick<RecordedRequest, 'body'>): JsonObject | undefined {
  const value = body === undefined || body.length > MAX_EDITED_BODY ? undefined : parseIfJson(body);
  return isObject(value) ? value : undefined;
}

/** What a reader is to send: the new parts of the first kind, or what remains where edits only remove. */
export function editsAsText(request: RecordedRequest, edits: readonly Edit[]): string | undefined {
  const [first] = edits;
  if (first === undefined || first.kind === 'line') return first?.value;
  const [kind, name] = partsOf(first.place);
  const texts = edits.filter((each) => each.kind !== 'line' && partsOf(each.place)[0] === kind).flatMap(editText);
  if (texts.length > 0) return texts.join(kind === 'query' ? '&' : ',');
  const { method, target, body } = applied(request, edits);
  return kind === 'body' && name !== '' ? jsonBeginning(fieldsIn({ body }) ?? {}, MAX_VALUE) : `${method} ${target}`;
}

/** What an edit sends; nothing for one that only removes. */
export function editText(edit: Edit): string | [] {
  if (edit.kind === 'line') return edit.value;
  if (edit.kind === 'remove') return [];
  const [kind, name] = partsOf(edit.place);
  const to = edit.kind === 'rename' ? edit.to : name;
  if (kind === 'query') return pairText(to, edit.value);
  if (kind === 'body') return to === '' ? writeJson(edit.value) : memberText(to, edit.value);
  if (kind === 'header') return `${HEADERS[to] ?? to}: ${textOf(edit.value)}`;
  return textOf(edit.value);
}

/** As they are usually written. */
const HEADERS: Readonly<Record<string, string>> = { authorization: 'Authorization', 'content-type': 'Content-Type' };
