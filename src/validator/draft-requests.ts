/** What a draft says of one request: everything that it used is compared, or counts as unknown. */

import type { RecordedRequest, RecordedResponse, Violation } from '../api/exchange.ts';
import { patternOf } from '../api/specification.ts';
import { isObject, parseIfJson } from '../core/int64.ts';
import { inside, partAt, pointerTo } from '../core/pointer.ts';
import { queryIn } from '../core/text.ts';
import { corrected, describedValue, FORBIDDING, GONE } from './correction.ts';
import type { DraftOperation } from './draft-operations.ts';
import { type DraftResult, fixKey } from './draft-result.ts';
import { authenticationOf } from './draft-security.ts';
import { OperationValidator } from './operation-validator.ts';
import { type Content, isNode, type Node, type Parameter, type PrismOperation } from './operations.ts';
import { checkParameters, mediaTypeFits } from './prism.ts';

/** A request that today's specification accepts. */
export interface AcceptedRequest {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  /** Its shown headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers that a log always shows, so that a missing one was not sent. */
const SHOWN = new Set(['user-agent', 'idempotency-key']);
/** The log keeps this much of a header. */
const MAX_SHOWN = 200;
/** JSON numbers from here on are not exact in a validator. */
const MAX_EXACT = 2n ** 53n;

/** The operations of a draft, and those of today. */
export class Drafted {
  readonly #document: Node;
  readonly #operations: readonly DraftOperation[];
  readonly #today: readonly DraftOperation[];
  readonly #base: string;
  readonly #validators = new Map<DraftOperation, OperationValidator>();
  readonly #patterns = new Map<string, RegExp>();

  constructor(document: Node, operations: readonly DraftOperation[], today: readonly DraftOperation[], base: string) {
    this.#document = document;
    this.#operations = operations;
    this.#today = today;
    this.#base = base;
  }

  resultOf({ request, response, headers }: AcceptedRequest): DraftResult {
    const [path = ''] = request.target.split('?', 1);
    const route = this.#routeOf(request.method.toLowerCase(), path);
    if (route === undefined) return { isRemoved: true, validated: [], found: [], fixes: {} };
    const { operation, base } = route;
    const today = this.#today.find((each) =>
      this.#isMatch(each, request.method.toLowerCase(), path.slice(this.#base.length)),
    );
    if (today === undefined) return { isRemoved: true, validated: [], found: [], fixes: {} };
    const found = new RequestFindings();
    this.#compareBase(operation, base, path, found);
    found.add(authenticationOf(request, operation));
    compareParameters(request, today, operation, found);
    compareHeaders(headers, operation, found);
    compareBody(request, today, operation, found);
    const validator = this.#validatorOf(operation);
    const moved = {
      ...request,
      target: `${this.#base}${this.#relative(base, path)}${request.target.slice(path.length)}`,
    };
    const validated = collapsed(validator.validate(moved, response).violations.filter(isOfValidator))
      .map(namedViolation)
      .filter(({ location }) => !found.violations.some((each) => each.rule === GONE && each.location === location));
    for (const violation of validated) found.fix(violation, this.#fixFor(violation));
    const instead = this.#insteadOf(moved, response, validator, base ?? operation.bases.paths[0] ?? this.#base, [
      ...found.violations,
      ...validated,
    ]);
    return {
      operation: today.iid,
      validated,
      found: found.violations,
      fixes: found.fixes,
      ...(found.unknown !== undefined && { unknown: found.unknown }),
      ...(instead !== undefined && { instead }),
    };
  }

  /** @param base `undefined` if the draft has the operation below another base path */
  #routeOf(method: string, path: string): { operation: DraftOperation; base: string | undefined } | undefined {
    const fitting: { operation: DraftOperation; base: string | undefined }[] = [];
    for (const operation of this.#operations) {
      for (const base of operation.bases.paths)
        if (path.startsWith(base) && this.#isMatch(operation, method, path.slice(base.length)))
          fitting.push({ operation, base });
    }
    const relative = path.slice(this.#base.length);
    if (fitting.length === 0)
      for (const operation of this.#operations)
        if (this.#isMatch(operation, method, relative)) fitting.push({ operation, base: undefined });
    // A path without parameters comes before a template that it matches as well (OpenAPI, Paths Object).
    const parameters = ({ operation }: { operation: DraftOperation }): number => operation.path.split('{').length;
    return fitting.sort((a, b) => parameters(a) - parameters(b))[0];
  }

  #isMatch(operation: PrismOperation, method: string, path: string): boolean {
    if (operation.method !== method) return false;
    const pattern = this.#patterns.get(operation.path) ?? patternOf(operation.path);
    this.#patterns.set(operation.path, pattern);
    return pattern.test(path);
  }

  #compareBase(
    { bases, path: template, method }: DraftOperation,
    base: string | undefined,
    path: string,
    found: RequestFindings,
  ): void {
    if (base !== undefined) return;
    if (bases.unknown !== undefined) {
      found.add({ unknown: `${bases.unknown}, so its base path is not known; ask whether it stays ${this.#base}` });
      return;
    }
    const then = bases.paths.map((each) => each || '/').join(' or ');
    const message = `the base path is ${then}, and today it is ${this.#base}`;
    const pointer = Array.isArray(this.#document['servers']) ? '#/servers' : pointerTo({ path: template, method });
    const fix = `Send it to ${bases.paths[0]}${path.slice(this.#base.length)}`;
    found.add({ violation: { side: 'request', location: 'path', pointer, rule: 'base-path', message }, fix });
  }

  #relative(base: string | undefined, path: string): string {
    return path.slice((base ?? this.#base).length);
  }

  /** The validator of an operation below today's base path. */
  #validatorOf(operation: DraftOperation): OperationValidator {
    const known = this.#validators.get(operation);
    if (known) return known;
    const validator = new OperationValidator(this.#document, { ...operation, servers: [{ url: this.#base }] });
    this.#validators.set(operation, validator);
    return validator;
  }

  #fixFor({ location, rule, pointer }: Violation): string | undefined {
    const parts = pointer.split('/');
    const owner = partAt(this.#document, parts.slice(0, -1).join('/'));
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
    violations: readonly Violation[],
  ): string | undefined {
    if (violations.length === 0 || violations.some(({ rule }) => rule === 'authentication' || rule === 'content-type'))
      return undefined;
    const ofMessage = violations.filter(({ rule }) => rule !== 'base-path');
    const better = corrected(moved, ofMessage, this.#document);
    if (!better || validator.validate(better, response).violations.some(isOfValidator)) return undefined;
    const target = `${base}${better.target.slice(this.#base.length)}`;
    return `${better.method} ${target}${better.body === undefined ? '' : ` ${better.body}`}`;
  }
}

/** What was found in a request so far. */
class RequestFindings {
  readonly violations: Violation[] = [];
  readonly fixes: Record<string, string> = {};
  unknown: string | undefined;

  add(
    found:
      | { readonly violation: Violation; readonly fix: string | undefined }
      | { readonly unknown: string }
      | undefined,
  ): void {
    if (found === undefined) return;
    if ('unknown' in found) this.unknown ??= found.unknown;
    else {
      this.violations.push(found.violation);
      this.fix(found.violation, found.fix);
    }
  }

  fix(violation: Violation, fix: string | undefined): void {
    if (fix !== undefined) this.fixes[fixKey(violation)] = fix;
  }

  gone(location: string, pointer: string, message: string, fix: string): void {
    this.add({ violation: { side: 'request', location, pointer, rule: GONE, message }, fix });
  }
}

/** Decided above: the validator sees one header of several, and takes media types for equal that differ. */
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
  today: DraftOperation,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const operation = pointerTo(then);
  const sent = new URLSearchParams(queryIn(request.target));
  const described = then.request.query ?? [];
  const added = described.filter(({ name }) => !today.request.query?.some((each) => each.name === name));
  for (const { name } of today.request.query ?? []) {
    if (!sent.has(name)) continue;
    const next = described.find((each) => each.name === name);
    if (next !== undefined) {
      found.add(unknownForm('query', next));
      continue;
    }
    const names = added.map((each) => each.name).join(', ');
    const hint =
      names === '' ? 'Leave it out, or ask what replaces it' : `See whether ${names} replaces it; the draft adds that`;
    found.gone(`query/${name}`, operation, `the draft has no query parameter ${name}`, hint);
  }
  for (const parameter of added) if (sent.has(parameter.name)) found.add(unknownForm('query', parameter));
  for (const parameter of then.request.path ?? []) found.add(unknownForm('path', parameter));
  const cookie = then.cookies.find(({ required }) => required);
  if (cookie)
    found.add({ unknown: `it needs the cookie ${cookie.name}, which is not recorded; check that the client sends it` });
}

/** Whether a parameter has a form that a validator does not read as a server does. */
function unknownForm(kind: 'path' | 'query', parameter: Parameter): { unknown: string } | undefined {
  const {
    name,
    writtenAs: style,
    content,
  } = parameter as Parameter & { readonly writtenAs?: unknown; readonly content?: unknown };
  const where = `${kind} parameter ${name}`;
  if (content !== undefined)
    return { unknown: `the draft describes ${where} by a media type, which is not compared; compare it by hand` };
  if (style === (kind === 'query' ? 'form' : 'simple')) return undefined;
  // A list of one value, or a plain one, is written in the same way in these.
  if (style === 'spaceDelimited' || style === 'pipeDelimited') return undefined;
  return {
    unknown: `the draft writes ${where} in the style ${String(style)}, which is not compared; compare it by hand`,
  };
}

function compareHeaders(headers: AcceptedRequest['headers'], then: DraftOperation, found: RequestFindings): void {
  for (const parameter of then.request.headers ?? []) {
    const name = parameter.name.toLowerCase();
    const value = headers[name];
    if (!SHOWN.has(name)) {
      if (parameter.required)
        found.add({
          unknown: `it needs the header ${parameter.name}, which is not recorded; check that the client sends it`,
        });
      continue;
    }
    const location = `header/${name}`;
    const pointer = pointerTo(then);
    if (value === undefined) {
      if (!parameter.required) continue;
      const message = `the draft needs the header ${parameter.name}`;
      found.add({
        violation: { side: 'request', location, pointer, rule: 'required', message },
        fix: `Send the header ${parameter.name}`,
      });
    } else if (value.length > MAX_SHOWN)
      found.add({ unknown: `its header ${parameter.name} is recorded in part; compare it by hand` });
    else {
      const [problem] = checkParameters('path', { [parameter.name]: value }, [parameter], then.__bundled__);
      if (problem === undefined) continue;
      const rule = String(problem.code);
      const message = problem.message.replace(/^Request path parameter \S+/, `Request header ${parameter.name}`);
      found.add({ violation: { side: 'request', location, pointer, rule, message }, fix: undefined });
    }
  }
}

function compareBody(
  request: RecordedRequest,
  today: DraftOperation,
  then: DraftOperation,
  found: RequestFindings,
): void {
  const { body, contentType } = request;
  if (body === undefined || today.request.body === undefined) return;
  const pointer = pointerTo(then);
  const contents = then.request.body?.contents ?? [];
  if (then.request.body === undefined) {
    found.gone('body', pointer, 'the draft takes no body', 'Ask where these values are sent instead');
    return;
  }
  const type = plainType(contentType ?? '');
  const content =
    contents.find(({ mediaType }) => plainType(mediaType) === type) ??
    contents.find(({ mediaType }) => mediaType.includes('*') && mediaTypeFits(type, mediaType));
  if (content === undefined) {
    found.add(otherType(contents, type, inside(pointer, 'requestBody', 'content')));
    return;
  }
  if (content.mediaType.includes(';'))
    found.add({
      unknown: `the draft takes ${content.mediaType}, whose parameters are not compared; compare them by hand`,
    });
  if (content.schema === undefined) {
    found.add({ unknown: 'the draft does not describe the body; ask what it may contain' });
    return;
  }
  if (has(content.schema, 'discriminator'))
    found.add({
      unknown: 'the draft chooses the schema of the body by a discriminator, which is not compared; compare it by hand',
    });
  const properties = today.request.body.contents?.find(({ mediaType }) => mediaType === type)?.schema?.['properties'];
  const sent = parseIfJson(body);
  if (!isObject(sent) || !isNode(properties)) return;
  const place = inside(pointer, 'requestBody', 'content', content.mediaType, 'schema');
  for (const name of Object.keys(properties))
    if (Object.hasOwn(sent, name))
      compareField(name, sent[name], propertiesOf(content.schema, name, then.__bundled__), place, found);
}

const plainType = (mediaType: string): string => (mediaType.split(';')[0] as string).trim().toLowerCase();

function otherType(contents: readonly Content[], type: string, pointer: string) {
  const types = contents.map(({ mediaType }) => mediaType).join(', ');
  if (types === '')
    return { unknown: 'the draft does not say of which media type the body is; ask whether it stays JSON' };
  const message = `the draft takes ${types}, not ${type}`;
  const violation: Violation = {
    side: 'request',
    location: 'header/content-type',
    pointer,
    rule: 'content-type',
    message,
  };
  return { violation, fix: `Send the body as ${types}` };
}

/** @param described what the draft says of the field; `undefined` if it takes any */
function compareField(
  name: string,
  value: unknown,
  described: readonly Node[] | undefined,
  pointer: string,
  found: RequestFindings,
): void {
  if (described === undefined) return;
  const location = `body/${name}`;
  if (described.length === 0)
    found.gone(location, pointer, `the draft has no body field ${name}`, 'Leave it out, or see what replaces it');
  else if (described.some((each) => has(each, 'readOnly')))
    found.gone(location, pointer, `body field ${name} is read-only in the draft`, 'Leave it out: the server sets it');
  const isLarge = typeof value === 'bigint' && (value > MAX_EXACT || value < -MAX_EXACT);
  if (isLarge && described.some((each) => EXACT.some((keyword) => has(each, keyword))))
    found.add({
      unknown: `body field ${name} is beyond 53 bits, so its bounds are not compared exactly; compare them by hand`,
    });
}

const EXACT = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'enum', 'const', 'multipleOf'];

/** Whether a keyword is anywhere in a schema. */
function has(schema: unknown, keyword: string, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  return Object.entries(schema).some(([name, value]) => name === keyword || has(value, keyword, seen));
}

const MAX_DEPTH = 20;

/** What a schema says of a property; `undefined` if it takes any, as it says by itself. */
function propertiesOf(schema: unknown, name: string, bundle: Node | undefined, depth = 0): Node[] | undefined {
  if (!isNode(schema) || depth > MAX_DEPTH) return [];
  const { $ref, properties, additionalProperties, patternProperties } = schema;
  const found: Node[] = [];
  if (typeof $ref === 'string') {
    const inner = propertiesOf(bundle?.[$ref.split('/').pop() as string], name, bundle, depth + 1);
    if (inner === undefined) return undefined;
    found.push(...inner);
  }
  const own = isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (isNode(own)) found.push(own);
  else if (own === true) return undefined;
  else if (isNode(additionalProperties)) return undefined;
  else if (isNode(patternProperties) && Object.keys(patternProperties).some((each) => new RegExp(each, 'u').test(name)))
    return undefined;
  for (const keyword of ['allOf', 'oneOf', 'anyOf', 'then', 'else']) {
    for (const branch of [schema[keyword] ?? []].flat()) {
      const inner = propertiesOf(branch, name, bundle, depth + 1);
      if (inner === undefined) return undefined;
      found.push(...inner);
    }
  }
  return found;
}
