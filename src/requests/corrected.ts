/** A whole request with its findings corrected, by the same suggestions as in the report. */
import type { Exchange, RecordedRequest } from '../api/exchange.ts';
import { readNewPet } from '../api/pet.ts';
import { operationAt, queryOf } from '../api/specification.ts';
import { isObject, type JsonObject, parseIfJson, parseJson, writeJson } from '../core/int64.ts';
import type { components } from '../generated/control-api.d.ts';
import { basePath, operations } from '../generated/facts.ts';
import { correctionOf, formAsJson } from './instead.ts';
import { meantValues } from './meant-value.ts';
import { joined, pathInBody, type QueryPart, queryPartsOf, SentParts, type Spot, valueIn } from './request-parts.ts';

/** Described in `spec/control-api.yaml`. */
type Corrected = components['schemas']['CorrectedRequest'];

/** @returns null if there is nothing to correct, no suggestion for it, or the whole body is not known */
export function correctedRequest(exchange: Exchange): Corrected | null {
  const { request, operation, verdict, truncated } = exchange;
  if (truncated?.request || request.bodyUnread) return null;
  const { violations = [], warnings = [] } = verdict ?? {};
  const spots: readonly Spot[] = [
    ...(operation === undefined ? [{ location: 'operation', rule: 'no-operation' }] : []),
    ...violations.filter(({ side }) => side === 'request'),
    ...warnings,
  ];
  let draft = request;
  for (const spot of spots) {
    draft = withCorrection(draft, spot, operation);
    // What is left concerns the operation that was not meant.
    if (spot.location.startsWith('path/') && !isStill(operation, draft)) break;
  }
  if (draft === request || !isValid(draft)) return null;
  const { method, target, contentType = null, body = null } = draft;
  return { method, target, contentType, body };
}

/** Whether nothing is left that the service would reject. */
function isValid({ method, target, body }: RecordedRequest): boolean {
  const [path = ''] = target.split('?', 1);
  const operation = operationAt(method, path.slice(basePath.length));
  if (operation === undefined) return false;
  const described = queryOf(operation).map((field) => ({
    field,
    values: queryPartsOf(target).flatMap(({ name, text }) => (name === field.name ? [valueIn(text)] : [])),
  }));
  return (
    described.every(
      ({ field, values }) => values.length < 2 && values.every((value) => meantValues(field, value)[0] === value),
    ) &&
    (operations[operation].body === null || readNewPet(parseIfJson(body ?? '') ?? null, 'body').ok)
  );
}

const isStill = (operation: string | undefined, { method, target }: RecordedRequest): boolean =>
  operationAt(method, (target.split('?', 1)[0] as string).slice(basePath.length)) === operation;

function withCorrection(draft: RecordedRequest, spot: Spot, operation: string | undefined): RecordedRequest {
  const [kind] = spot.location.split('/', 1);
  // What replaces a deprecated operation is another request.
  if (kind === 'operation' && spot.rule !== 'no-operation') return draft;
  const parts = new SentParts({ operation, request: draft });
  const fragment = correctionOf(parts, spot).instead;
  if (fragment === undefined) return draft;
  const line = /^([A-Z]+) (\/.*)$/.exec(fragment);
  if (line) return { ...draft, method: line[1] as string, target: line[2] as string };
  const form = formAsJson(parts);
  switch (kind) {
    case 'query':
      return { ...draft, target: withPair(draft.target, spot.location.slice('query/'.length), fragment) };
    case 'path':
      return { ...draft, target: [fragment, ...draft.target.split('?').slice(1)].join('?') };
    case 'body':
      return withField(draft, spot, fragment);
    case 'header':
      return fragment.startsWith('Content-Type: ')
        ? { ...draft, contentType: fragment.slice('Content-Type: '.length), body: form ?? draft.body }
        : draft;
    default:
      return draft;
  }
}

/** The pairs take the place of the first one of that name; further ones are left out. */
function withPair(target: string, name: string, fragment: string): string {
  const [path = ''] = target.split('?', 1);
  const pairs = queryPartsOf(target).filter((each) => each.text !== '');
  const corrected = queryPartsOf(`?${fragment}`);
  const isOther = (each: QueryPart): boolean =>
    each.name !== name && corrected.every((pair) => each.name !== pair.name);
  const at = pairs.findIndex((each) => each.name === name);
  const [before, after] = at < 0 ? [pairs, []] : [pairs.slice(0, at), pairs.slice(at)];
  return `${path}?${joined([...before.filter(isOther), ...corrected, ...after.filter(isOther)])}`;
}

function withField(draft: RecordedRequest, { location }: Spot, fragment: string): RecordedRequest {
  const fields = fieldsIn(draft.body);
  const [name] = pathInBody(fields, location);
  const isWhole = fragment.startsWith('{');
  // No field was named: the suggestion is a whole body.
  if (fields === undefined || name === undefined)
    return isWhole ? { ...draft, body: writeJson(parseJson(fragment), 2) } : draft;
  if (isWhole && !Object.hasOwn(fields, name)) return draft;
  const { [name]: found, ...others } = fields;
  const suggested = isWhole ? {} : fieldsIn(`{${fragment}}`);
  if (suggested === undefined) return draft;
  // A field that is only renamed keeps its value, however long.
  const [to] = Object.keys(suggested);
  const isRenamed = to !== undefined && to !== name && found !== undefined && !isObject(found);
  const kept = isRenamed && typeof found === typeof suggested[to] ? { [to]: found } : suggested;
  return { ...draft, body: writeJson({ ...others, ...kept }, 2) };
}

function fieldsIn(text = ''): JsonObject | undefined {
  const value = parseIfJson(text);
  return isObject(value) ? value : undefined;
}
