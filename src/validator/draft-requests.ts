/** What a draft says of one request: Prism decides on what it sends, and what Prism can't decide on is compared. */

import { isDeepStrictEqual } from 'node:util';
import { HIDDEN } from '../api/credential.ts';
import { applied, fieldsIn } from '../api/edits.ts';
import { SpecificationError } from '../api/errors.ts';
import type { Exchange, RecordedRequest, RecordedResponse, Violation } from '../api/exchange.ts';
import { isUsualHeader } from '../api/other-headers.ts';
import { patternOf } from '../api/specification.ts';
import { pathOfTarget } from '../core/address.ts';
import { isObject, parseIfJson, readDecimal } from '../core/int64.ts';
import { inside, partAt, pointerTo } from '../core/pointer.ts';
import { queryIn } from '../core/text.ts';
import { agree } from './agreement.ts';
import { compileAll } from './compile-all.ts';
import { describedValue, editsFor, FORBIDDING, GONE } from './correction.ts';
import type { DraftResult, DraftViolation } from './draft.ts';
import type { Base } from './draft-base.ts';
import { changeText } from './draft-changes.ts';
import {
  type DraftOperation,
  type DraftParameter,
  type OperationsReader,
  type Route,
  usualStyle,
} from './draft-operations.ts';
import { canonical, isUnchecked, keywordsIn } from './draft-schema.ts';
import { authenticationOf } from './draft-security.ts';
import { OperationValidator } from './operation-validator.ts';
import { type Content, isNode, type Node } from './operations.ts';
import { checkParameters, mediaTypeFits } from './prism.ts';

/** The headers of a request, by their names in lower case; `…` for a value that is not recorded, or the end of one. */
type SentHeaders = Readonly<Record<string, string>>;

/** Where the names of further headers are not known, there is `…`. */
const sentHeaders = ({ requestHeaders, otherHeaders = ['…'] }: Exchange): SentHeaders => ({
  ...Object.fromEntries(otherHeaders.map((name) => [name, '…'])),
  ...Object.fromEntries(
    requestHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), requestHeaders[at + 1] ?? '']] : [])),
  ),
});

/** JSON numbers from here on are not exact in a validator. */
const MAX_EXACT = 2n ** 53n;
const EXACT = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'enum', 'multipleOf'];

/** An operation of the draft that a request goes to. */
interface Place {
  readonly route: Route;
  /** The base path that it was sent to; `undefined` if the draft has the operation at another address. */
  readonly base: Base | undefined;
  /** The path below the base path, as the draft has it; `undefined` if its parameters are not known. */
  readonly rest: string | undefined;
  readonly isMoved?: boolean;
}

/** Judges requests by a draft. */
export class DraftedRequests {
  /** The operations of the draft that requests went to, by today's names. */
  readonly used = new Map<string, Set<DraftOperation>>();
  readonly #document: Node;
  readonly #reader: OperationsReader;
  readonly #today: readonly DraftOperation[];
  readonly #base: string;
  readonly #validators = new Map<DraftOperation, OperationValidator>();
  readonly #patterns = new Map<string, RegExp>();

  constructor(document: Node, reader: OperationsReader, today: readonly DraftOperation[]) {
    this.#document = document;
    this.#reader = reader;
    this.#today = today;
    this.#base = today[0]?.bases[0]?.path ?? '';
  }

  /** @throws {SpecificationError} for an operation that can't be used */
  resultOf(exchange: Exchange): DraftResult {
    const { operation = '', request, response } = exchange;
    const headers = sentHeaders(exchange);
    const today = this.#today.find(({ iid }) => iid === operation);
    const path = pathOfTarget(request.target);
    const place = today && this.#placeOf(today, request.method.toLowerCase(), path);
    if (today === undefined || place === undefined) return { isRemoved: true, violations: [] };
    const then = this.#reader.read(place.route);
    this.used.set(operation, (this.used.get(operation) ?? new Set()).add(then));
    const validator = this.#validatorOf(then);
    const found = new RequestFindings();
    this.#comparePlace(today, then, place, path, found);
    found.add(authenticationOf(request, headers, then));
    compareParameters(request, headers, today, then, found);
    compareBody(request, today, then, found);
    const rest = place.rest ?? path.slice(this.#base.length);
    const moved = { ...request, target: `${this.#base}${rest}${request.target.slice(path.length)}` };
    const { violations } = validator.validate(moved, response);
    const ofRequest = collapsed(violations.filter(isOfValidator)).map(namedViolation);
    for (const each of ofRequest) if (isHidden(moved, each)) found.look(each.location, NOT_RECORDED);
    const validated = ofRequest
      .filter((each) => !isHidden(moved, each))
      .filter(({ location }) => !found.violations.some((each) => each.rule === GONE && each.location === location))
      .filter(({ location }) => place.rest !== undefined || !location.startsWith('path/'));
    found.requireExactNames(then, request, validated);
    const base = place.base?.path ?? then.bases[0]?.path ?? this.#base;
    const instead = this.#insteadOf(moved, response, validator, base, then.method, [...found.violations, ...validated]);
    const ofBoth = [
      ...validated.map((each): DraftViolation => ({ ...each, fix: this.#fixFor(each) })),
      ...violations.filter(({ side }) => side === 'response'),
    ];
    // A request is held to a draft as to today's specification.
    const { verdict } = agree({ ...exchange, decision: { kind: 'undecided' } }, { violations: ofBoth, warnings: [] });
    return {
      violations: [...found.violations, ...verdict.violations],
      unknown: found.unknown,
      instead: place.rest === undefined ? undefined : instead,
    };
  }

  /** By its address, or else by its `operationId`. */
  #placeOf(today: DraftOperation, method: string, path: string): Place | undefined {
    const relative = path.slice(this.#base.length);
    const ofMethod = this.#reader.routes.filter((route) => route.method === method);
    const fitting = (restOf: (route: Route) => { base: Base | undefined; rest: string } | undefined): Place[] =>
      ofMethod.flatMap((route) => {
        const found = restOf(route);
        return found !== undefined && this.#patternOf(route.path).test(found.rest) ? [{ route, ...found }] : [];
      });
    const below = fitting((route) =>
      this.#reader
        .basesOf(route)
        .map((base) => ({ base, match: base.pattern.exec(path) }))
        .flatMap(({ base, match }) => (match ? [{ base, rest: path.slice(match[0].length) }] : []))
        .find(({ rest }) => this.#patternOf(route.path).test(rest)),
    );
    const places = below.length > 0 ? below : fitting(() => ({ base: undefined, rest: relative }));
    // A path without parameters comes before a template that it matches as well (OpenAPI, Paths Object).
    const parameters = ({ route }: Place): number => route.path.split('{').length;
    const [place] = places.sort((one, other) => parameters(one) - parameters(other));
    if (place) return place;
    const route = this.#reader.routes.find(({ operationId }) => operationId === today.iid);
    const values = this.#patternOf(today.path).exec(relative)?.slice(1) ?? [];
    if (route === undefined) return undefined;
    const rest = route.path.split(/\{[^{}]+\}/);
    return {
      route,
      base: undefined,
      isMoved: true,
      rest:
        rest.length === values.length + 1 ? rest.map((part, at) => `${part}${values[at] ?? ''}`).join('') : undefined,
    };
  }

  #patternOf(path: string): RegExp {
    const pattern = this.#patterns.get(path) ?? patternOf(path);
    this.#patterns.set(path, pattern);
    return pattern;
  }

  #comparePlace(today: DraftOperation, then: DraftOperation, place: Place, path: string, found: RequestFindings): void {
    const { base, rest, isMoved } = place;
    const other = this.#reader.routes.find(({ operationId }) => operationId === today.iid);
    const line = `${then.method.toUpperCase()} ${then.bases[0]?.path ?? this.#base}${then.path}`;
    if (isMoved) {
      const message = `${today.iid} moved to ${line}`;
      found.violation(
        { location: 'operation', pointer: pointerTo(then), rule: 'removed', message },
        `Send it to ${line}`,
      );
      return;
    }
    if (other !== undefined && other !== place.route)
      found.look(
        'operation',
        `${today.iid} is ${other.method.toUpperCase()} ${other.path} in the draft; ask which one replaces it`,
      );
    const unknown = base === undefined ? then.bases.find((each) => each.unknown !== undefined)?.unknown : base.unknown;
    if (base !== undefined && unknown === undefined) return;
    if (unknown !== undefined || then.bases.length === 0) {
      const why = unknown ?? 'the draft names no server';
      found.look('path', `${why}, so its base path is not known; ask whether it stays ${this.#base}`);
      return;
    }
    const bases = then.bases.map((each) => each.path || '/').join(' or ');
    const message = `the base path is ${bases}, and today it is ${this.#base}`;
    const pointer = Array.isArray(this.#document['servers']) ? '#/servers' : pointerTo(then);
    const fix = `Send it to ${then.bases[0]?.path}${rest ?? path}`;
    found.violation({ location: 'path', pointer, rule: 'base-path', message }, fix);
  }

  /** The validator of an operation below today's base path. @throws {SpecificationError} */
  #validatorOf(operation: DraftOperation): OperationValidator {
    const known = this.#validators.get(operation);
    if (known) return known;
    try {
      compileAll(`${operation.method.toUpperCase()} ${operation.path}`, operation, new Set());
    } catch (cause) {
      throw new SpecificationError(`${pointerTo(operation)}: ${(cause as Error).message}`, { cause });
    }
    const validator = new OperationValidator(this.#document, {
      ...operation,
      servers: [{ url: this.#base }],
      security: [],
    });
    this.#validators.set(operation, validator);
    return validator;
  }

  #fixFor({ location, rule, pointer }: Violation): string | undefined {
    const owner = partAt(this.#document, pointer.slice(0, pointer.lastIndexOf('/')));
    const described = [owner, partAt(this.#document, pointer)]
      .map((each) => describedValue(isNode(each) && isNode(each['schema']) ? each['schema'] : each, this.#document))
      .find((each) => each !== undefined);
    if (rule === 'required')
      return `Add ${location.replace(/^body\//, 'body field ').replace(/^query\//, 'query parameter ')}`;
    return described === undefined ? undefined : `Send ${location} as the draft describes it: ${described}`;
  }

  #insteadOf(
    moved: RecordedRequest,
    response: RecordedResponse,
    validator: OperationValidator,
    base: string,
    method: string,
    violations: readonly Violation[],
  ): string | undefined {
    if (violations.length === 0 || violations.some(({ rule }) => rule === 'authentication' || rule === 'content-type'))
      return undefined;
    const ofMessage = violations.filter(({ rule }) => rule !== 'base-path' && rule !== 'removed');
    const edits = editsFor(moved, ofMessage, this.#document);
    const better = edits && applied(moved, edits);
    if (!better || validator.validate(better, response).violations.some(isOfValidator)) return undefined;
    const target = `${base}${better.target.slice(this.#base.length)}`;
    return `${method.toUpperCase()} ${target}${better.body === undefined ? '' : ` ${better.body}`}`;
  }
}

/** What was found in a request so far. */
class RequestFindings {
  readonly violations: DraftViolation[] = [];
  unknown: string | undefined;

  /** @param found what is wrong with its fix, or why that is not known */
  add(found: DraftViolation | { readonly unknown: string } | undefined): void {
    if (found === undefined) return;
    if ('unknown' in found) this.unknown ??= found.unknown;
    else this.violations.push(found);
  }

  violation(violation: Omit<Violation, 'side'>, fix: string | undefined): void {
    this.violations.push({ side: 'request', ...violation, fix });
  }

  /** A change that nobody can decide on here. */
  look(location: string, text: string): void {
    this.unknown ??= `${location}: ${text}`;
  }

  gone(location: string, pointer: string, message: string, fix: string): void {
    this.violation({ location, pointer, rule: GONE, message }, fix);
  }

  /** Prism takes `Shop` for `shop`. */
  requireExactNames(then: DraftOperation, request: RecordedRequest, validated: readonly Violation[]): void {
    const sent = new URLSearchParams(queryIn(request.target));
    for (const { name, required } of then.request?.query ?? []) {
      const location = `query/${name}`;
      if (!required || sent.has(name) || validated.some((each) => each.location === location)) continue;
      const message = `the draft needs the query parameter ${name}`;
      this.violation({ location, pointer: pointerTo(then), rule: 'required', message }, `Add query parameter ${name}`);
    }
  }
}

/** Decided apart: the validator sees one header of several, and takes media types for equal that differ. */
const isOfValidator = ({ side, location, rule }: Violation): boolean =>
  side === 'request' && !location.startsWith('header/') && !(location === 'body' && rule === 'body');

/** A value that fits none of several schemas breaks one rule, and not those of all of them. */
function collapsed(violations: readonly Violation[]): Violation[] {
  const places = violations.filter(({ rule }) => rule === 'oneOf' || rule === 'anyOf').map(({ location }) => location);
  const outer = places.filter((place) => !places.some((other) => other !== place && place.startsWith(`${other}/`)));
  return violations.filter(({ rule, location }, index) => {
    const place = outer.find((each) => location === each || location.startsWith(`${each}/`));
    if (place === undefined) return true;
    return (
      location === place &&
      (rule === 'oneOf' || rule === 'anyOf') &&
      violations.findIndex((each) => each.location === place && each.rule === rule) === index
    );
  });
}

/** A field that a schema forbids, at its own place. */
function namedViolation(violation: Violation): Violation {
  if (!FORBIDDING.has(violation.rule)) return violation;
  const name = /'([^']*)'$/.exec(violation.message)?.[1];
  return name === undefined ? violation : { ...violation, location: `${violation.location}/${name}` };
}

function compareParameters(
  request: RecordedRequest,
  headers: SentHeaders,
  today: DraftOperation,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const query = new URLSearchParams(queryIn(request.target));
  const pathOf = ({ parameters }: DraftOperation): DraftParameter[] => parameters.filter((each) => each.in === 'path');
  for (const [at, next] of pathOf(then).entries()) compareForm(`path/${next.name}`, pathOf(today)[at], next, found);
  const before = new Map(today.parameters.map((each) => [locationOf(each), each]));
  const after = new Map(then.parameters.map((each) => [locationOf(each), each]));
  for (const location of new Set([...before.keys(), ...after.keys()])) {
    const [one, next] = [before.get(location), after.get(location)];
    const { in: kind, name } = (next ?? one) as DraftParameter;
    if (kind === 'path') continue;
    const value =
      kind === 'query' ? (query.get(name) ?? undefined) : headers[kind === 'header' ? name.toLowerCase() : location];
    if (next !== undefined) compareParameter(location, one, next, value, { headers, then, found });
    else if (value !== undefined) {
      const message = `the draft has no ${kind === 'query' ? 'query parameter' : kind} ${name}`;
      found.gone(location, pointerTo(then), message, hintFor(kind, before, after));
    }
  }
}

interface Comparison {
  readonly headers: SentHeaders;
  readonly then: DraftOperation;
  readonly found: RequestFindings;
}

/** @param value as it was sent; `undefined` if it wasn't */
function compareParameter(
  location: string,
  today: DraftParameter | undefined,
  next: DraftParameter,
  value: string | undefined,
  { headers, then, found }: Comparison,
): void {
  const isInQuery = next.in === 'query';
  if (value === undefined) {
    compareDefaults(location, defaultsIn(today?.schema), defaultsIn(next.schema), found);
    if (next.required && !isInQuery) missingHeader(location, next, headers, then, found);
    return;
  }
  compareForm(location, today, next, found);
  compareExact(location, readDecimal(value), canonical(next.schema), found);
  if (value.includes(HIDDEN) || (!isInQuery && value.endsWith('…'))) compareHidden(location, next, found);
  else if (!isInQuery) compareHeader(location, next, value, then, found);
}

const NOT_RECORDED = 'its value is not recorded; compare it by hand';

/** Whether a violation is one of a value that stands in for what was sent. */
function isHidden(request: RecordedRequest, { location, rule }: Violation): boolean {
  if (FORBIDDING.has(rule)) return false;
  const [kind, name = ''] = location.split('/');
  const sent = {
    query: () => new URLSearchParams(queryIn(request.target)).getAll(name),
    body: () => [fieldsIn(request)?.[name]],
    path: () => [pathOfTarget(request.target)],
  }[kind as string];
  return sent?.().some((each) => typeof each === 'string' && each.includes(HIDDEN)) ?? false;
}

/** Any text is good where nothing is said of it. */
function compareHidden(location: string, { schema }: DraftParameter, found: RequestFindings): void {
  const { default: _, ...form } = canonical(schema) as Node;
  if (!isDeepStrictEqual(form, {}) && !isDeepStrictEqual(form, { type: 'string' }))
    found.look(location, `${changeText(undefined, form)}, and ${NOT_RECORDED}`);
}

const locationOf = ({ in: kind, name }: DraftParameter): string =>
  `${kind}/${kind === 'header' ? name.toLowerCase() : name}`;

type Parameters = ReadonlyMap<string, DraftParameter>;

function hintFor(kind: string, before: Parameters, after: Parameters): string {
  const added = [...after].flatMap(([id, each]) => (each.in !== kind || before.has(id) ? [] : each.name)).join(', ');
  return added === ''
    ? 'Leave it out, or ask what replaces it'
    : `See whether ${added} replaces it; the draft adds that`;
}

/** How a value is written, and what Prism doesn't check of it. */
function compareForm(
  location: string,
  today: DraftParameter | undefined,
  then: DraftParameter,
  found: RequestFindings,
): void {
  const before = today?.form ?? { style: usualStyle(then.in), content: undefined };
  if (!isDeepStrictEqual(before, then.form)) found.look(location, changeText(before, then.form));
  compareDefaults(location, uncheckedIn(today?.schema), uncheckedIn(then.schema), found);
}

const defaultsIn = (schema: unknown): ReadonlyMap<string, unknown> =>
  keywordsIn(canonical(schema), (keyword) => keyword === 'default');
const uncheckedIn = (schema: unknown): ReadonlyMap<string, unknown> => keywordsIn(canonical(schema), isUnchecked);

/** Of keywords that apply to a request without being checked in it. */
function compareDefaults(
  location: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  found: RequestFindings,
): void {
  for (const place of new Set([...before.keys(), ...after.keys()]))
    if (!isDeepStrictEqual(before.get(place), after.get(place)))
      found.look(`${location}${place}`, changeText(before.get(place), after.get(place)));
}

/** A validator sees the nearest double. */
function compareExact(location: string, value: bigint | undefined, schema: unknown, found: RequestFindings): void {
  if (value === undefined || (value <= MAX_EXACT && value >= -MAX_EXACT)) return;
  for (const [place, bound] of keywordsIn(schema, (keyword) => EXACT.includes(keyword)))
    found.look(
      `${location}${place}`,
      `${JSON.stringify(bound)}, which is not compared exactly with a value beyond 53 bits; compare it by hand`,
    );
}

/** Of a header or a cookie. */
function missingHeader(
  location: string,
  { in: kind, name }: DraftParameter,
  headers: SentHeaders,
  then: DraftOperation,
  found: RequestFindings,
): void {
  if (headers['…'] !== undefined || (kind === 'header' && isUsualHeader(name.toLowerCase())))
    found.look(location, `needed, and not recorded; check that the client sends ${name}`);
  else {
    const message = `the draft needs the ${kind} ${name}`;
    found.violation({ location, pointer: pointerTo(then), rule: 'required', message }, `Send the ${kind} ${name}`);
  }
}

function compareHeader(
  location: string,
  parameter: DraftParameter,
  value: string,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const { name } = parameter;
  const [problem] = checkParameters('path', { [name]: value }, [parameter], then.__bundled__);
  if (problem === undefined) return;
  const message = problem.message.replace(/^Request path parameter \S+/, `Request header ${name}`);
  found.violation({ location, pointer: pointerTo(then), rule: String(problem.code), message }, undefined);
}

function compareBody(
  request: RecordedRequest,
  today: DraftOperation,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const { body, contentType } = request;
  if (body === undefined || today.request?.body === undefined) return;
  const pointer = pointerTo(then);
  const contents = then.request?.body?.contents ?? [];
  if (then.request?.body === undefined) {
    found.gone('body', pointer, 'the draft takes no body', 'Ask where these values are sent instead');
    return;
  }
  const type = plainType(contentType ?? '');
  const content =
    contents.find(({ mediaType }) => plainType(mediaType) === type) ??
    contents.find(({ mediaType }) => mediaType.includes('*') && mediaTypeFits(type, mediaType));
  if (content === undefined) {
    otherType(contents, type, inside(pointer, 'requestBody', 'content'), found);
    return;
  }
  if (content.mediaType.includes(';')) found.look('header/content-type', changeText(type, content.mediaType));
  if (content.schema === undefined) {
    found.look('body', 'gone: its schema; ask what the body may contain');
    return;
  }
  const before = canonical(today.request.body.contents?.find(({ mediaType }) => mediaType === type)?.schema);
  compareFields(
    parseIfJson(body),
    before,
    content.schema,
    then,
    inside(pointer, 'requestBody', 'content', content.mediaType, 'schema'),
    found,
  );
}

function compareFields(
  sent: ReturnType<typeof parseIfJson>,
  today: unknown,
  raw: unknown,
  then: DraftOperation,
  pointer: string,
  found: RequestFindings,
): void {
  const next = canonical(raw);
  if (keywordsIn(next, (keyword) => NAMING.includes(keyword)).size === 0) {
    found.look('body', `${changeText(today, next)}; ask which fields it has`);
    return;
  }
  compareDefaults('body', keywordsIn(today, isUnchecked), keywordsIn(next, isUnchecked), found);
  if (!isObject(sent) || !isNode(today) || !isNode(today['properties'])) return;
  const isRelied = ([place]: readonly [string, unknown]): boolean =>
    !Object.keys(sent).some((name) => place === `/properties/${name}/default`);
  const reliedOf = (schema: unknown) =>
    new Map([...keywordsIn(schema, (keyword) => keyword === 'default')].filter(isRelied));
  compareDefaults('body', reliedOf(today), reliedOf(next), found);
  for (const name of Object.keys(today['properties'])) {
    if (!Object.hasOwn(sent, name)) continue;
    const described = propertiesOf(raw, name, then.__bundled__);
    const value = sent[name];
    if (described === undefined) continue;
    const location = `body/${name}`;
    if (described.length === 0)
      found.gone(location, pointer, `the draft has no body field ${name}`, 'Leave it out, or see what replaces it');
    else if (
      described.some((each) => [...keywordsIn(each, (keyword) => keyword === 'readOnly').values()].includes(true))
    )
      found.gone(location, pointer, `body field ${name} is read-only in the draft`, 'Leave it out: the server sets it');
    for (const each of described) compareExact(location, typeof value === 'bigint' ? value : undefined, each, found);
  }
}

/** Keywords that say which fields an object has. */
const NAMING = ['properties', 'patternProperties', '$ref'];

const plainType = (mediaType: string): string => (mediaType.split(';')[0] as string).trim().toLowerCase();

function otherType(contents: readonly Content[], type: string, pointer: string, found: RequestFindings): void {
  const types = contents.map(({ mediaType }) => mediaType).join(', ');
  const message = `the draft takes ${types}, not ${type}`;
  if (types === '') found.look('header/content-type', `gone: ${type}; ask whether the body stays JSON`);
  else
    found.violation(
      { location: 'header/content-type', pointer, rule: 'content-type', message },
      `Send the body as ${types}`,
    );
}

const MAX_SCHEMA_DEPTH = 20;

/** What a schema says of a property; `undefined` if it takes any, as it says by itself. */
function propertiesOf(schema: unknown, name: string, bundle: Node | undefined, depth = 0): Node[] | undefined {
  if (!isNode(schema) || depth > MAX_SCHEMA_DEPTH) return [];
  const { $ref, properties, additionalProperties, patternProperties } = schema;
  const own = isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const isPattern = (each: string): boolean => new RegExp(each, 'u').test(name);
  if (own === true) return undefined;
  if (!isNode(own) && (isNode(additionalProperties) || Object.keys(patternProperties ?? {}).some(isPattern)))
    return undefined;
  const parts = [
    ...(typeof $ref === 'string' ? [bundle?.[$ref.split('/').pop() as string]] : []),
    ...['allOf', 'oneOf', 'anyOf', 'then', 'else'].flatMap((keyword) => schema[keyword] ?? []),
  ];
  const found: Node[] = isNode(own) ? [own] : [];
  for (const part of parts) {
    const inner = propertiesOf(part, name, bundle, depth + 1);
    if (inner === undefined) return undefined;
    found.push(...inner);
  }
  return found;
}
