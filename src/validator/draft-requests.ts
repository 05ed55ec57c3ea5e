/** What a draft says of one request: Prism decides on what it sends, and what Prism can't decide on is compared. */

import { isDeepStrictEqual } from 'node:util';
import { HIDDEN } from '../api/credential.ts';
import { applied, fieldsIn } from '../api/edits.ts';
import { SpecificationError } from '../api/errors.ts';
import type { Exchange, RecordedRequest, Violation } from '../api/exchange.ts';
import { isUsualHeader } from '../api/other-headers.ts';
import { patternOf } from '../api/specification.ts';
import { pathOfTarget } from '../core/address.ts';
import { isObject, parseIfJson, readDecimal } from '../core/int64.ts';
import { MAX_DRAFT_PATH } from '../core/limits.ts';
import { pointerTo } from '../core/pointer.ts';
import { queryIn } from '../core/text.ts';
import { agree } from './agreement.ts';
import { compileAll } from './compile-all.ts';
import { editsFor, FORBIDDING, GONE } from './correction.ts';
import type { DraftResult, DraftViolation } from './draft.ts';
import type { Base } from './draft-base.ts';
import { changeText, isPlain, plainType } from './draft-changes.ts';
import {
  type DraftOperation,
  type DraftParameter,
  type OperationsReader,
  type Route,
  usualStyle,
} from './draft-operations.ts';
import { canonical, isUnchecked, keywordsIn } from './draft-schema.ts';
import { authenticationOf, type Finding } from './draft-security.ts';
import { OperationValidator } from './operation-validator.ts';
import { isNode, type Node } from './operations.ts';
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
  /** The server that it was sent to; `undefined` if the draft has the operation at another address. */
  readonly base: Base | undefined;
  /** The path below the base path. */
  readonly rest: string;
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
    this.#base = today[0]?.bases[0]?.paths[0] ?? '';
  }

  /** @throws {SpecificationError} for an operation that can't be used */
  resultOf(exchange: Exchange): DraftResult {
    const { operation = '', request } = exchange;
    const today = this.#today.find(({ iid }) => iid === operation);
    const { place, named, route } = this.placeOf(request.method.toLowerCase(), pathOfTarget(request.target), operation);
    if (today === undefined || route === undefined) return { isRemoved: true, violations: [] };
    const then = this.#reader.read(route);
    this.used.set(operation, (this.used.get(operation) ?? new Set()).add(then));
    if (place === undefined) {
      const found = new RequestFindings(pointerTo(then));
      const line = `${then.method.toUpperCase()} ${then.bases[0]?.paths[0] ?? this.#base}${then.path}`;
      found.violation('operation', 'removed', `moved to ${line}`, `Send it to ${line}`);
      return found;
    }
    const judge = (each: Exchange) => this.#judged(each, today, then, place, named);
    const result = judge(exchange);
    return { ...result, instead: this.#insteadOf(exchange, result, place, judge) };
  }

  /** @param named the operation of the draft that has today's name */
  #judged(exchange: Exchange, today: DraftOperation, then: DraftOperation, place: Place, named?: Route): DraftResult {
    const { request, response } = exchange;
    const headers = sentHeaders(exchange);
    const found = new RequestFindings(pointerTo(then));
    if (named !== undefined && named !== place.route)
      found.look('operation', `${today.iid} is ${named.method.toUpperCase()} ${named.path} in the draft`);
    this.#compareBase(then, place, found);
    found.add(authenticationOf(request, headers, then));
    compareParameters(request, headers, today, then, found);
    compareBody(request, today, then, found);
    const query = request.target.slice(pathOfTarget(request.target).length);
    const moved = { ...request, target: `${this.#base}${place.rest}${query}` };
    const { violations } = this.#validatorOf(then).validate(moved, response);
    const validated = violations
      .filter(isOfValidator)
      .map(namedViolation)
      .filter(({ location }) => !found.violations.some((each) => each.rule === GONE && each.location === location))
      .filter((each) => !isHidden(moved, each) || void found.look(each.location, NOT_RECORDED));
    // It takes `Shop` for `shop`, and says more of what is missing.
    const own = found.violations.filter(
      ({ rule, location }) => rule !== 'required' || !validated.some((each) => each.location === location),
    );
    const ofBoth = [
      ...validated.map((each): DraftViolation => ({ ...each, fix: fixFor(each.location, each.rule) })),
      ...violations.filter(({ side }) => side === 'response'),
    ];
    // A request is held to a draft as to today's specification.
    const { verdict } = agree({ ...exchange, decision: { kind: 'undecided' } }, { violations: ofBoth, warnings: [] });
    return { violations: [...own, ...verdict.violations], unknown: found.unknown };
  }

  /** A request that violates nothing, and leaves nothing open. */
  #insteadOf(
    exchange: Exchange,
    { violations }: DraftResult,
    { route, base, rest }: Place,
    judge: (exchange: Exchange) => DraftResult,
  ): string | undefined {
    const ofRequest = violations.filter(({ side }) => side === 'request');
    const ofMessage = ofRequest.filter(({ rule }) => rule !== 'base-path');
    const edits = ofRequest.length === 0 ? undefined : editsFor(exchange.request, ofMessage, this.#document);
    if (edits === undefined) return undefined;
    const request = applied(exchange.request, edits);
    const later = judge({ ...exchange, request });
    const isLeft = later.violations.some(({ side, rule }) => side === 'request' && rule !== 'base-path');
    if (isLeft || later.unknown !== undefined) return undefined;
    const { paths = [this.#base] } = base ?? route.bases[0] ?? {};
    const query = request.target.slice(pathOfTarget(request.target).length);
    return `${route.method.toUpperCase()} ${paths[0]}${rest}${query}${request.body === undefined ? '' : ` ${request.body}`}`;
  }

  /** Where a draft has an operation: by its address, or else by its name. */
  placeOf(method: string, path: string, name: string) {
    const relative = path.slice(this.#base.length);
    const places = this.#reader.routes
      .filter((route) => route.method === method)
      .flatMap((route): Place[] => [
        ...route.bases.flatMap((base) =>
          base.paths
            .filter((each) => path.startsWith(`${each}/`))
            .map((each) => ({ route, base, rest: path.slice(each.length) })),
        ),
        { route, base: undefined, rest: relative },
      ])
      .filter(({ route, rest }) => this.#patternOf(route.path).test(rest));
    // A path without parameters comes before a template that it matches as well (OpenAPI, Paths Object).
    const rankOf = ({ route, base }: Place): number => route.path.split('{').length + (base ? 0 : MAX_DRAFT_PATH);
    const [place] = places.sort((one, other) => rankOf(one) - rankOf(other));
    const named = this.#reader.routes.find(({ operationId }) => operationId === name);
    return { place, named, route: place?.route ?? named };
  }

  #patternOf(path: string): RegExp {
    const pattern = this.#patterns.get(path) ?? patternOf(path);
    this.#patterns.set(path, pattern);
    return pattern;
  }

  #compareBase(then: DraftOperation, { base, rest }: Place, found: RequestFindings): void {
    const unknown = base === undefined ? then.bases.find((each) => each.unknown !== undefined)?.unknown : base.unknown;
    if (base !== undefined && unknown === undefined) return;
    if (unknown !== undefined || then.bases.length === 0) {
      const why = unknown ?? 'the draft names no server';
      found.look('path', `${why}, so its base path is not known; ask whether it stays ${this.#base}`);
      return;
    }
    const bases = then.bases.map(({ paths: [each] }) => each || '/').join(' or ');
    const message = `the base path is ${bases}, and today it is ${this.#base}`;
    found.violation('path', 'base-path', message, `Send it to ${then.bases[0]?.paths[0]}${rest}`);
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
}

/** What was found in a request so far. */
class RequestFindings {
  readonly violations: DraftViolation[] = [];
  unknown: string | undefined;
  readonly #pointer: string;

  /** @param pointer to the operation */
  constructor(pointer: string) {
    this.#pointer = pointer;
  }

  add(found: Finding): void {
    if (found === undefined) return;
    if ('unknown' in found) this.unknown ??= found.unknown;
    else this.violations.push(found);
  }

  violation(location: string, rule: string, message: string, fix = fixFor(location, rule)): void {
    this.violations.push({ side: 'request', location, pointer: this.#pointer, rule, message, fix });
  }

  /** A change that nobody can decide on here. */
  look(location: string, text: string): void {
    this.unknown ??= `${location}: ${text}`;
  }

  /** Keywords that apply to a request without being checked in it. */
  compare(location: string, today: unknown, then: unknown, isWanted: Parameters<typeof keywordsIn>[1]): void {
    const [before, after] = [keywordsIn(today, isWanted), keywordsIn(then, isWanted)];
    for (const place of new Set([...before.keys(), ...after.keys()]))
      if (!isDeepStrictEqual(before.get(place), after.get(place)))
        this.look(`${location}${place}`, changeText(before.get(place), after.get(place)));
  }

  /** What Prism can't check of a value that was sent. */
  compareSent(location: string, value: unknown, today: unknown, then: unknown): void {
    if (isDeepStrictEqual(today, then)) return;
    this.compare(location, today, then, isUnchecked);
    const isBeyond = typeof value === 'bigint' && (value > MAX_EXACT || value < -MAX_EXACT);
    if (isBeyond && keywordsIn(then, (keyword) => EXACT.includes(keyword)).size > 0)
      this.look(location, `${changeText(today, then)}, not compared exactly beyond 53 bits`);
    const isText = isDeepStrictEqual(then, {}) || isDeepStrictEqual(then, { type: 'string' });
    if (!isText && isNotRecorded(value)) this.look(location, `${changeText(today, then)}, and ${NOT_RECORDED}`);
  }
}

const fixFor = (location: string, rule: string): string =>
  rule === GONE ? 'Leave it out, or ask what replaces it' : `Send ${location} as the draft describes it`;

const NOT_RECORDED = 'its value is not recorded; compare it by hand';
const isNotRecorded = (value: unknown): boolean =>
  typeof value === 'string' && (value.includes(HIDDEN) || value.endsWith('…'));

/** Whether a violation is one of a value that stands in for what was sent. */
function isHidden(request: RecordedRequest, { location, rule }: Violation): boolean {
  if (FORBIDDING.has(rule)) return false;
  const [kind, name = ''] = location.split('/');
  if (kind === 'path') return pathOfTarget(request.target).includes(HIDDEN);
  const sent =
    kind === 'query' ? new URLSearchParams(queryIn(request.target)).getAll(name) : [fieldsIn(request)?.[name]];
  return sent.some((each) => typeof each === 'string' && each.includes(HIDDEN));
}

/** Decided apart: the validator sees one header of several, and takes media types for equal that differ. */
const isOfValidator = ({ side, location, rule }: Violation): boolean =>
  side === 'request' && !location.startsWith('header/') && !(location === 'body' && rule === 'body');

/** A field that a schema forbids, at its own place. */
function namedViolation(violation: Violation): Violation {
  if (!FORBIDDING.has(violation.rule)) return violation;
  const name = /'([^']*)'$/.exec(violation.message)?.[1];
  return name === undefined ? violation : { ...violation, location: `${violation.location}/${name}` };
}

const isDefault = (keyword: string): boolean => keyword === 'default';

/** By their locations; those of a path may be renamed. */
const parametersOf = ({ parameters }: DraftOperation): ReadonlyMap<string, DraftParameter> => {
  const inPath = parameters.filter((each) => each.in === 'path');
  return new Map(
    parameters.map((each) => {
      const { in: kind, name } = each;
      return [
        `${kind}/${kind === 'path' ? inPath.indexOf(each) : kind === 'header' ? name.toLowerCase() : name}`,
        each,
      ];
    }),
  );
};

function compareParameters(
  request: RecordedRequest,
  headers: SentHeaders,
  today: DraftOperation,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const query = new URLSearchParams(queryIn(request.target));
  const [before, after] = [parametersOf(today), parametersOf(then)];
  const sentAt = (id: string, { in: kind, name }: DraftParameter): string | undefined =>
    kind === 'query' ? (query.get(name) ?? undefined) : headers[kind === 'header' ? name.toLowerCase() : id];
  for (const [id, one] of before) {
    const isSent = !after.has(id) && sentAt(id, one) !== undefined;
    if (isSent) found.violation(id, GONE, `the draft has no ${one.in} parameter ${one.name}`);
  }
  for (const [id, next] of after) {
    const [one, value] = [before.get(id), sentAt(id, next)];
    const isRecorded = next.in === 'query' || (headers['…'] === undefined && !isUsualHeader(next.name.toLowerCase()));
    if (isSpread(next)) found.look(id, `${changeText(one?.form, next.form)}, whose fields are parameters of their own`);
    else if (value || next.in === 'path') compareParameter(id, value, one, next, then, found);
    else if (!next.required) found.compare(id, canonical(one?.schema), canonical(next.schema), isDefault);
    else if (isRecorded) found.violation(id, 'required', `the draft needs the ${next.in} parameter ${next.name}`);
    else found.look(id, `needed, and not recorded; check that the client sends ${next.name}`);
  }
}

/** Whether the fields of a value are sent under names of their own. */
const isSpread = ({ in: kind, form, schema }: DraftParameter): boolean =>
  kind === 'query' &&
  (form.style === 'deepObject' ||
    keywordsIn(canonical(schema), (keyword, value) => keyword === 'type' && [value].flat().includes('object')).size >
      0);

/** @param value as it was sent; `undefined` in a path, which the validator reads */
function compareParameter(
  id: string,
  value: string | undefined,
  today: DraftParameter | undefined,
  next: DraftParameter,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const { in: kind, name, form } = next;
  const location = kind === 'path' ? `path/${name}` : id;
  const before = today?.form ?? { style: usualStyle(kind), content: undefined, 'x-sunset': undefined };
  if (!isDeepStrictEqual(before, form)) found.look(location, changeText(before, form));
  found.compareSent(location, value && (readDecimal(value) ?? value), canonical(today?.schema), canonical(next.schema));
  if (kind === 'query' || kind === 'path' || isNotRecorded(value)) return;
  const [problem] = checkParameters('path', { [name]: value }, [next], then.__bundled__);
  if (problem) found.violation(id, String(problem.code), problem.message.replace('path parameter', 'header'));
}

function compareBody(request: RecordedRequest, today: DraftOperation, then: DraftOperation, found: RequestFindings) {
  const [before, after] = [today.request?.body, then.request?.body];
  if (request.body === undefined || before === undefined) return;
  if (after === undefined) return found.violation('body', GONE, 'the draft takes no body');
  const type = plainType(request.contentType ?? '');
  const contents = after.contents ?? [];
  const content =
    contents.find(({ mediaType }) => plainType(mediaType) === type) ??
    contents.find(({ mediaType }) => mediaType.includes('*') && mediaTypeFits(type, mediaType));
  if (content === undefined) {
    const types = contents.map(({ mediaType }) => mediaType).join(', ');
    if (types === '') found.look('header/content-type', `gone: ${type}`);
    else
      found.violation(
        'header/content-type',
        'content-type',
        `the draft takes ${types}, not ${type}`,
        `Send the body as ${types}`,
      );
    return;
  }
  if (content.mediaType.includes(';')) found.look('header/content-type', changeText(type, content.mediaType));
  const schema = canonical(before.contents?.find(({ mediaType }) => mediaType === type)?.schema);
  const next = canonical(content.schema);
  const sent = parseIfJson(request.body);
  const described = isPlain(next) ? next['properties'] : undefined;
  if (!isDeepStrictEqual(schema, next))
    if (isNode(described)) compareFields(isObject(sent) ? sent : {}, schema as Node, next as Node, found);
    else found.look('body', changeText(schema, next));
}

/** @param today a canonical schema with properties, as `then` */
function compareFields(sent: Node, today: Node, then: Node, found: RequestFindings): void {
  found.compare('body', today, then, isUnchecked);
  const unsent = (schema: Node): Node => ({
    properties: Object.fromEntries(
      Object.entries(schema['properties'] as Node).filter(([name]) => !Object.hasOwn(sent, name)),
    ),
  });
  found.compare('body', unsent(today), unsent(then), isDefault);
  const [before, after] = [today['properties'], then['properties']] as [Node, Node];
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(before, name)) continue;
    const next = Object.hasOwn(after, name) ? after[name] : false;
    const isReadOnly = [...keywordsIn(next, (keyword) => keyword === 'readOnly').values()].includes(true);
    const others = [then['additionalProperties'], then['patternProperties']].filter(isNode);
    if (next === false && others.length > 0) found.look(`body/${name}`, changeText(before[name], others[0]));
    else if (next === false) found.violation(`body/${name}`, GONE, `the draft has no body field ${name}`);
    else if (isReadOnly) found.violation(`body/${name}`, GONE, `body field ${name} is read-only in the draft`);
    else found.compareSent(`body/${name}`, value, before[name], next);
  }
}
