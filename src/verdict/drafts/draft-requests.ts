/** What a draft says of one request: Prism decides on what it sends, and what Prism can't decide on is compared. */
import { isDeepStrictEqual } from 'node:util';
import { inside, pathOfTarget, pointerTo } from '../../base/address.ts';
import { closestValue } from '../../base/api/closest-value.ts';
import { HIDDEN, isUsualHeader } from '../../base/api/credential.ts';
import { applied, type Edit, fieldsIn } from '../../base/api/edits.ts';
import { SpecificationError } from '../../base/api/errors.ts';
import type { Exchange, RecordedRequest, Violation } from '../../base/api/exchange.ts';
import type { JsonSchema } from '../../base/api/schema-problems.ts';
import { fieldFrom, patternOf } from '../../base/api/specification.ts';
import { queryIn, shorten } from '../../base/text.ts';
import { compileAll } from '../validator/compile-all.ts';
import { OperationValidator } from '../validator/operation-validator.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { checkParameters, mediaTypeFits } from '../validator/prism.ts';
import type { DraftResult, DraftViolation } from './draft.ts';
import { changeText, fieldNamesIn, undecidedIn, withoutProse } from './draft-compare.ts';
import {
  baseOf,
  type DraftOperation,
  type DraftParameter,
  type OperationsReader,
  type Route,
  type Scheme,
} from './draft-operations.ts';

/** The headers of a request, by their names in lower case; `…` for a value that is not recorded, or for further names. */
type SentHeaders = Readonly<Record<string, string>>;

const sentHeaders = ({ requestHeaders, otherHeaders = ['…'] }: Exchange): SentHeaders =>
  // Without what every object has: a header may be named `constructor`.
  Object.assign(Object.create(null), {
    ...Object.fromEntries(otherHeaders.map((name) => [name, '…'])),
    ...Object.fromEntries(
      requestHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), requestHeaders[at + 1] ?? '']] : [])),
    ),
  });

/** An operation of the draft that a request goes to, and its base path; `undefined` for another than today's. */
interface Place {
  readonly route: Route;
  readonly base: string | undefined;
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

  constructor(document: Node, reader: OperationsReader, today: readonly DraftOperation[]) {
    this.#document = document;
    this.#reader = reader;
    this.#today = today;
    this.#base = today[0]?.bases[0] ?? '';
  }

  /** @throws {SpecificationError} for an operation that can't be used */
  resultOf(exchange: Exchange): DraftResult {
    const { operation = '', request } = exchange;
    const today = this.#today.find(({ iid }) => iid === operation);
    const { place, named, route } = this.placeOf(request.method.toLowerCase(), pathOfTarget(request.target), operation);
    if (today === undefined || route === undefined) return { isRemoved: true, violations: [] };
    const then = this.#reader.read(route);
    this.used.set(operation, (this.used.get(operation) ?? new Set()).add(then));
    const line = `${then.method.toUpperCase()} ${then.bases[0] ?? this.#base}${then.path}`;
    const isKnown = then.bases.length > 0 && !then.bases.some((each) => each.includes('{'));
    const isMoved = place === undefined || (place.base === undefined && isKnown);
    if (isMoved) {
      const { target, body } = request;
      const moved = `${then.method.toUpperCase()} ${then.bases[0]}${target.slice(this.#base.length)}`;
      const instead = place && [moved, body ?? []].flat().join(' ');
      return {
        violations: [violationOf(then, 'operation', 'removed', `moved to ${line}`, `Send it to ${line}`)],
        instead,
      };
    }
    const judge = (each: Exchange) => this.#judged(each, today, then, place);
    const looks = [
      ...(named !== undefined && named !== route
        ? [`${operation} is ${named.method.toUpperCase()} ${named.path} in the draft`]
        : []),
      ...(place.base === undefined || isMissingOnAHost(place.route, place.base)
        ? [`path: ${serversText(place.route)} in the draft, and ${this.#base} today; ask which base path stays`]
        : []),
    ];
    const { violations, unknown = looks[0] } = judge(exchange);
    return { violations, unknown, instead: insteadOf(exchange, violations, then, judge) };
  }

  #judged(
    exchange: Exchange,
    today: DraftOperation,
    then: DraftOperation,
    { route, base = this.#base }: Place,
  ): DraftResult {
    const { request, response } = exchange;
    const headers = sentHeaders(exchange);
    const credential = authenticationOf(request, headers, then);
    const compared = [
      ...(credential === undefined ? [] : [credential]),
      ...parametersOf(request, headers, today, then),
      ...bodyOf(request, today, then),
    ];
    const target = `${this.#base}${request.target.slice(base.length)}`;
    const judged = this.#validatorOf(then, route).validate({ ...request, target }, response).violations;
    const own = compared.filter((each) => 'rule' in each);
    const validated = judged
      .filter(
        ({ side, location, rule }) =>
          side === 'request' &&
          !location.startsWith('header/') &&
          !(location === 'body' && rule === 'body') &&
          // Prism takes `limit` for a required `LIMIT`.
          !(location.startsWith('query/') && rule === 'required'),
      )
      .filter(({ location }) => !isSentInOtherCase(request, location))
      .map(namedViolation)
      .filter(({ location }) => !own.some((each) => each.location === location))
      .map((each): DraftViolation => ({ ...each, fix: fixFor(each.location, each.rule) }));
    const hidden = validated
      .filter((each) => isHidden(request, each))
      .map(({ location, message }) => `${location}: ${message}, which is not compared exactly; compare it by hand`);
    const looks = compared.flatMap((each) => ('unknown' in each ? each.unknown : []));
    return {
      violations: [...own, ...validated.filter((each) => !isHidden(request, each))],
      unknown: [...looks, ...hidden][0],
    };
  }

  /** Where a draft has an operation: by its address, or else by its name. */
  placeOf(method: string, path: string, name: string) {
    const fits = (template: string, each: string): boolean => patternOf(template).test(each);
    const places = this.#reader.routes
      .filter((route) => route.method === method)
      .flatMap((route): Place[] => {
        const bases = route.bases.filter(
          (base) => path.startsWith(`${base}/`) && fits(route.path, path.slice(base.length)),
        );
        const isBelow = fits(route.path, path.slice(this.#base.length));
        return bases.length > 0 ? [{ route, base: bases[0] }] : isBelow ? [{ route, base: undefined }] : [];
      });
    // A path without parameters comes before a template that it matches as well (OpenAPI, Paths Object).
    const rankOf = ({ route, base }: Place): number => route.path.split('{').length + (base === undefined ? 1000 : 0);
    const [place] = places.sort((one, other) => rankOf(one) - rankOf(other));
    const named = this.#reader.routes.find(({ operationId }) => operationId === name);
    return { place, named, route: place?.route ?? named };
  }

  /** The validator of an operation below today's base path. @throws {SpecificationError} */
  #validatorOf(operation: DraftOperation, { pointer }: Route): OperationValidator {
    const known = this.#validators.get(operation);
    if (known) return known;
    try {
      compileAll(pointer, operation, new Set());
    } catch (cause) {
      throw new SpecificationError(`${pointer}: ${(cause as Error).message}`, { cause });
    }
    const servers = [{ url: this.#base }];
    const validator = new OperationValidator(
      this.#document,
      { ...operation, servers, security: [] },
      { isForeign: true },
    );
    this.#validators.set(operation, validator);
    return validator;
  }
}

/** A request that violates nothing, and leaves nothing open. */
function insteadOf(
  exchange: Exchange,
  violations: readonly Violation[],
  then: DraftOperation,
  judge: (exchange: Exchange) => DraftResult,
): string | undefined {
  const edits = violations.length === 0 ? undefined : editsFor(exchange.request, violations, then);
  if (edits === undefined) return undefined;
  const request = applied(exchange.request, edits);
  const later = judge({ ...exchange, request });
  if (later.violations.length > 0 || later.unknown !== undefined) return undefined;
  return `${then.method.toUpperCase()} ${request.target}${request.body === undefined ? '' : ` ${request.body}`}`;
}

/** Whether a client of another host has another base path. */
const isMissingOnAHost = ({ servers }: Route, base: string): boolean => {
  const hosts = servers.map(({ url }) => /^[^/?#]*\/\/([^/?#]*)/.exec(String(url))?.[1]?.toLowerCase());
  const having = new Set(hosts.filter((_, at) => baseOf(servers[at] as Node) === base));
  return hosts.some((host) => !having.has(host));
};

const serversText = ({ servers }: Route): string =>
  shorten(servers.map(({ url }) => String(url)).join(' or '), 200) || 'no server';

type DraftFinding = DraftViolation | { readonly unknown: string };

const look = (location: string, text: string): DraftFinding => ({ unknown: `${location}: ${text}` });

const violationOf = (
  then: DraftOperation,
  location: string,
  rule: string,
  message: string,
  fix = fixFor(location, rule),
): DraftViolation => ({ side: 'request', location, pointer: pointerTo(then), rule, message, fix });

const fixFor = (location: string, rule: string): string => {
  if (rule === GONE) return `Ask what replaces ${location}: a request without it means something else`;
  return rule === 'required'
    ? `Add ${location} with the value that is meant`
    : `Send ${location} as the draft describes it`;
};

/** What no validator decides on, of a part and its fields. @param isSent whether a field is, or the part, which is named '' */
function lookAt(location: string, today: unknown, then: unknown, isSent: (name: string) => boolean): DraftFinding[] {
  const isOfMatter = (each: string): boolean =>
    each.includes('default: ') !== isSent(/^([^/:]+)\//.exec(each)?.[1] ?? '');
  const [before, after] = [today, then].map((each) =>
    [...new Set(undecidedIn(each).filter(isOfMatter))].sort().join(', '),
  );
  return before === after ? [] : [look(location, changeText(before || undefined, after || undefined))];
}

const LONG_NUMBER = /\d{16}/;
const isNotRecorded = (value: string): boolean => value.includes(HIDDEN) || value.endsWith('…');

function parametersOf(
  request: RecordedRequest,
  headers: SentHeaders,
  today: DraftOperation,
  then: DraftOperation,
): DraftFinding[] {
  const query = new URLSearchParams(queryIn(request.target));
  const sentAs = ({ in: kind, name }: DraftParameter): string | undefined =>
    kind === 'query'
      ? (query.get(name) ?? undefined)
      : headers[kind === 'header' ? name.toLowerCase() : `${kind}/${name}`];
  const [before, after] = [parametersById(today), parametersById(then)];
  const gone = [...before].filter(([id, each]) => sentAs(each) !== undefined && !after.has(id));
  return [
    ...gone.map(([id, { in: kind, name }]) =>
      violationOf(then, id, GONE, `the draft has no ${kind} parameter ${name}`),
    ),
    ...[...after].flatMap(([key, each]): DraftFinding[] => {
      const [one, value, id] = [before.get(key), sentAs(each), `${each.in}/${nameOf(each)}`];
      if (isSpread(each) && !isDeepStrictEqual(one, each))
        return [look(id, 'an object in a parameter, which is not compared')];
      if (value === undefined && each.in !== 'path') return unsent(id, one, each, headers, then);
      return sentParameter(id, value ?? request.target, one, each, then);
    }),
  ];
}

/** By their locations; those of a path may be renamed. */
function parametersById({ parameters }: DraftOperation): ReadonlyMap<string, DraftParameter> {
  const inPath = parameters.filter((each) => each.in === 'path');
  return new Map(
    parameters.map((each) => [`${each.in}/${each.in === 'path' ? inPath.indexOf(each) : nameOf(each)}`, each]),
  );
}

function unsent(
  id: string,
  today: DraftParameter | undefined,
  next: DraftParameter,
  headers: SentHeaders,
  then: DraftOperation,
): DraftFinding[] {
  if (!next.required) return lookAt(id, today?.schema, next.schema, () => false);
  return next.in === 'query' || (headers['…'] === undefined && !isUsualHeader(next.name.toLowerCase()))
    ? [violationOf(then, id, 'required', `the draft needs the ${next.in} parameter ${next.name}`)]
    : [look(id, `needed, and not recorded; check that the client sends ${next.name}`)];
}

function sentParameter(
  id: string,
  value: string,
  today: DraftParameter | undefined,
  next: DraftParameter,
  then: DraftOperation,
): DraftFinding[] {
  const [before, after] = [withoutProse(today?.schema), withoutProse(next.schema)];
  const isAnyText = [{}, { type: 'string' }].some((each) => isDeepStrictEqual(after ?? {}, each));
  const isUnseen = !isAnyText && (LONG_NUMBER.test(value) || isNotRecorded(value));
  const isHeader = next.in !== 'query' && next.in !== 'path';
  const problems =
    isHeader && !isUnseen && !isNotRecorded(value)
      ? checkParameters('path', { [next.name]: value }, [next], then.__bundled__)
      : [];
  return [
    ...problems.map(({ code, message }) =>
      violationOf(then, id, String(code), message.replace('path parameter', 'header')),
    ),
    ...(today !== undefined && !isDeepStrictEqual(today.form, next.form)
      ? [look(id, changeText(today.form, next.form))]
      : []),
    ...(isUnseen && !isDeepStrictEqual(before, after)
      ? [look(id, `${changeText(before, after)}, which is not compared exactly`)]
      : []),
    ...lookAt(id, today?.schema, next.schema, () => true),
  ];
}

const nameOf = ({ in: kind, name }: { readonly in: string; readonly name: string }): string =>
  kind === 'header' ? name.toLowerCase() : name;

/** Whether the fields of a value are sent under names of their own. */
const isSpread = ({ form, schema }: DraftParameter): boolean =>
  form.style === 'deepObject' || fieldNamesIn(schema).length > 0 || [schema?.['type']].flat().includes('object');

function bodyOf(request: RecordedRequest, today: DraftOperation, then: DraftOperation): DraftFinding[] {
  const [before, after] = [today.request?.body?.contents?.[0], then.request?.body];
  if (request.body === undefined || before === undefined) return [];
  if (after === undefined) return [violationOf(then, 'body', GONE, 'the draft takes no body')];
  const type = plainType(request.contentType ?? '');
  const contents = after.contents ?? [];
  const types = contents.map(({ mediaType }) => mediaType).join(', ');
  const content =
    contents.find(({ mediaType }) => plainType(mediaType) === type) ??
    contents.find(({ mediaType }) => mediaType.includes('*') && mediaTypeFits(type, mediaType));
  if (content === undefined) {
    if (types === '') return [look('header/content-type', `gone: ${type}`)];
    const message = `the draft takes ${types}, not ${type}`;
    return [violationOf(then, 'header/content-type', 'content-type', message, `Send the body as ${types}`)];
  }
  const [schema, next] = [before.schema, content.schema];
  const [known, named] = [fieldNamesIn(schema), fieldNamesIn(next)];
  const sent = Object.keys(fieldsIn(request) ?? {});
  const isOpen =
    named.length === 0 || undecidedIn(next).some((each) => /^(?:additional|pattern)Properties:/.test(each));
  const lost = sent.filter((name) => known.includes(name) && !named.includes(name));
  const unseen = Object.entries(fieldsIn(request) ?? {}).flatMap(([name, value]) =>
    LONG_NUMBER.test(String(value)) || isNotRecorded(String(value)) ? name : [],
  );
  const [one, other] = [schema, next].map((each) => withoutProse(fieldsOf(each, unseen)));
  return [
    ...(content.mediaType.includes(';') ? [look('header/content-type', changeText(type, content.mediaType))] : []),
    ...lost.map((name) =>
      isOpen
        ? look(`body/${name}`, 'the draft does not name it')
        : violationOf(then, `body/${name}`, GONE, `the draft takes no body field ${name}`),
    ),
    ...(unseen.length > 0 && !isDeepStrictEqual(one, other)
      ? [look('body', `${changeText(one, other)}, which is not compared exactly`)]
      : []),
    ...lookAt('body', schema, next, (name) => name === '' || sent.includes(name)),
  ];
}

/** The schemas of some fields; the whole schema if it says of fields in another way. */
const fieldsOf = (schema: Node | undefined, names: readonly string[]): unknown =>
  isNode(schema?.['properties']) &&
  ['allOf', 'anyOf', 'oneOf', 'not', 'if'].every((each) => schema?.[each] === undefined)
    ? names.map((name) => (schema['properties'] as Node)[name])
    : schema;

/** A media type without its parameters. */
const plainType = (mediaType: string): string => (mediaType.split(';')[0] as string).trim().toLowerCase();

/** Whether a violation is one of a value that stands in for what was sent, or is not exact. */
function isHidden(request: RecordedRequest, { location, rule, message }: Violation): boolean {
  if (FORBIDDING.has(rule)) return false;
  if (EXACT.has(rule) && LONG_NUMBER.test(message)) return true;
  const [kind, name = ''] = location.split('/');
  if (kind === 'path') return pathOfTarget(request.target).includes(HIDDEN);
  const sent =
    kind === 'query' ? new URLSearchParams(queryIn(request.target)).getAll(name) : [fieldsIn(request)?.[name]];
  return sent.some((each) => String(each).includes(HIDDEN) || (EXACT.has(rule) && LONG_NUMBER.test(String(each))));
}

/** The rules about numbers, which are not exact in a validator. */
const EXACT = new Set('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf enum const not'.split(' '));

/** Names are case-sensitive, and Prism takes `?LIMIT=` for `limit`. */
function isSentInOtherCase({ target }: RecordedRequest, location: string): boolean {
  const [kind, name = ''] = location.split('/');
  const sent = kind === 'query' ? [...new URLSearchParams(queryIn(target)).keys()] : [];
  return !sent.includes(name) && sent.some((each) => each.toLowerCase() === name.toLowerCase());
}

/** A field that a schema forbids, at its own place. */
function namedViolation(violation: Violation): Violation {
  if (!FORBIDDING.has(violation.rule)) return violation;
  const name = /'([^']*)'$/.exec(violation.message)?.[1];
  return name === undefined ? violation : { ...violation, location: `${violation.location}/${name}` };
}

// Whether a request is authenticated as a draft wants it.

/** What is wrong with an authentication, or why that is not known; `undefined` for one that the draft takes.
 * @param headers by their names in lower case */
function authenticationOf(
  { target, authorization = '' }: RecordedRequest,
  headers: Readonly<Record<string, string>>,
  { security }: DraftOperation,
): DraftFinding | undefined {
  const used = (authorization.split(' ')[0] as string).toLowerCase();
  const query = new URLSearchParams(queryIn(target));
  const alternatives = security.map((schemes) => {
    const all = schemes.map((scheme) => findingOf(scheme, used, query, headers));
    return all.find((each) => each !== undefined && 'rule' in each) ?? all.find((each) => each !== undefined);
  });
  if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
  return alternatives.find((each) => each !== undefined && 'unknown' in each) ?? alternatives[0];
}

function findingOf(
  scheme: Scheme,
  used: string,
  query: URLSearchParams,
  headers: Readonly<Record<string, string>>,
): DraftFinding | undefined {
  const { key, type, name, in: place } = scheme;
  if (type !== 'apiKey') return tokenFinding(scheme, used);
  const id = place === 'header' ? String(name).toLowerCase() : `${place}/${name}`;
  if (id === 'authorization') return unknownScheme(key, 'the key without a scheme');
  if (place === 'query' ? query.get(String(name)) : headers[id]) return undefined;
  if (place === 'query') return missing(key, id, `?${name}=<API_KEY>`);
  if (headers['…'] !== undefined) return unknownScheme(key, `the ${place} ${name}, which is not recorded`);
  return place === 'cookie'
    ? missing(key, id, `Cookie: ${name}=<API_KEY>`)
    : missing(key, `header/${id}`, `${name}: <API_KEY>`);
}

function tokenFinding(
  { key, type, bearerFormat = '', scopes, ...scheme }: Scheme,
  used: string,
): DraftFinding | undefined {
  const wanted = type === 'http' ? String(scheme['scheme']).toLowerCase() : 'bearer';
  if (used !== wanted && type !== 'mutualTLS') {
    const form = `Authorization: ${wanted.charAt(0).toUpperCase()}${wanted.slice(1)} <CREDENTIALS>`;
    return missing(key, 'header/authorization', form);
  }
  const more = [bearerFormat, ...scopes].join(' ').trim();
  return type === 'http' && more === '' ? undefined : unknownScheme(key, `${type} ${more}`.trim());
}

const missing = (key: string, location: string, form: string): DraftFinding => ({
  ...{ side: 'request', location, pointer: inside('#/components/securitySchemes', key), rule: 'authentication' },
  message: `the draft needs \`${form}\` (${key})`,
  fix: `Send \`${form}\``,
});

const unknownScheme = (key: string, what: string): DraftFinding => ({
  unknown: `header/authorization: the draft takes ${what} (${key}); ask whether what you send is one`,
});

// The edits that correct a request which violates a draft: only ones after which it means what it meant.

/** The rule of a part of a request that a draft does not have. */
const GONE = 'gone';
/** The rules that forbid a field. */
const FORBIDDING = new Set(['additionalProperties', 'unevaluatedProperties']);

/**
 * Values that are written in another way, and fields that mean nothing today.
 * @returns `undefined` if a violation cannot be corrected: what is missing, and what replaces a part, someone must choose
 */
function editsFor(
  request: RecordedRequest,
  violations: readonly Violation[],
  { parameters, request: described }: DraftOperation,
): readonly Edit[] | undefined {
  const query = new URLSearchParams(queryIn(request.target));
  const body = withoutProse(described?.body?.contents?.[0]?.schema) as JsonSchema | undefined;
  const fields = fieldsIn(request) ?? {};
  const edits = violations.map(({ location: place, rule }): Edit | undefined => {
    const [kind, name = '', ...deeper] = place.split('/');
    if (rule === GONE || deeper.length > 0) return undefined;
    if (kind === 'body' && FORBIDDING.has(rule)) return { kind: 'remove', place };
    const sent =
      kind === 'query' ? query.getAll(name) : kind === 'body' && Object.hasOwn(fields, name) ? [fields[name]] : [];
    const [value, ...others] = sent;
    if (value === undefined || others.length > 0) return undefined;
    // Many leave the type out where an enumeration says it.
    const found =
      kind === 'query'
        ? parameters.find((each) => each.in === kind && each.name === name)?.schema
        : (body?.['properties'] as Node | undefined)?.[name];
    const schema = withoutProse({ type: 'string', ...(isNode(found) && found) }) as JsonSchema;
    const closest = closestValue(fieldFrom(name, true, schema), value);
    return closest === undefined ? undefined : { kind: 'set', place, value: closest };
  });
  return edits.includes(undefined) ? undefined : (edits as Edit[]);
}
