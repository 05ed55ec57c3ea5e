/** Validates the exchanges of one operation: envelopes, parameters, bodies, and warnings. */

import { partsOfTarget, unescaped } from '../../base/address.ts';
import type { RecordedRequest, RecordedResponse, Verdict, Violation, Warning } from '../../base/api/exchange.ts';
import { isRequired, type JsonSchema } from '../../base/api/schema-problems.ts';
import { patternOf } from '../../base/api/specification.ts';
import { parseJson } from '../../base/int64.ts';
import { JsonError } from '../../base/json.ts';
import { shorten } from '../../base/text.ts';
import { Envelopes, type ExpectedBody } from './envelope.ts';
import { basePath, type Node, type Parameter, type PrismOperation } from './operations.ts';
import { missingName, Pointers } from './pointers.ts';
import { checkBody, checkParameters, type Diagnostic, type Side } from './prism.ts';
import { deprecation, doubtfulParameters, unknownFields } from './warnings.ts';

/** A message can have thousands of violations; a verdict lists at most this many. */
const MAX_VIOLATIONS = 50;
const MAX_MESSAGE = 500;

const GONE = 410;

export class OperationValidator {
  readonly operation: PrismOperation;
  readonly #pointers: Pointers;
  readonly #envelopes: Envelopes;
  readonly #path: readonly Parameter[];
  readonly #query: readonly Parameter[];
  readonly #template: RegExp;
  readonly #names: readonly string[];
  readonly #usual: readonly Warning[];
  readonly #clean: Verdict;
  readonly #isForeign: boolean;

  /** @param isForeign whether schemas may name what every object of JavaScript has, such as `constructor` */
  constructor(specification: Node, operation: PrismOperation, { isForeign = false } = {}) {
    this.#isForeign = isForeign;
    this.operation = operation;
    this.#pointers = new Pointers(specification, operation);
    this.#envelopes = new Envelopes(operation, this.#pointers);
    this.#path = operation.request?.path ?? [];
    this.#query = operation.request?.query ?? [];
    const path = `${basePath(operation)}${operation.path}`;
    this.#names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);
    this.#template = patternOf(path);
    const deprecated = deprecation(operation);
    this.#usual = deprecated ? [deprecated] : [];
    this.#clean = { violations: [], warnings: this.#usual };
  }

  /** Throws if Prism throws: then nothing is known about the exchange. */
  validate(request: RecordedRequest, response: RecordedResponse): Verdict {
    const asked = this.#envelopes.ofRequest(request);
    const said = this.#envelopes.ofResponse(response);
    const violations: Violation[] = [...asked.violations];
    const doubts: Warning[] = [];

    const { path, query } = partsOfTarget(request.target);
    if (this.#path.length > 0) this.#checkPath(path, violations);
    if (this.#query.length > 0 || query !== undefined) this.#checkQuery(query ?? '', violations, doubts);
    if (asked.body && request.body !== undefined) {
      this.#checkRequestBody(asked.body, request, request.body, violations, doubts);
    }
    violations.push(...said.violations);
    if (said.body) {
      const json = isJson(response.contentType);
      const body = json ? parsedJson(response.body) : response.body;
      this.#checkBody('response', said.body, body, json ? undefined : response.contentType, violations);
    }
    // A 410 says more than that the operation is deprecated.
    const usual = response.status === GONE ? [] : this.#usual;
    if (violations.length === 0 && doubts.length === 0 && usual === this.#usual) return this.#clean;
    return { violations: violations.slice(0, MAX_VIOLATIONS), warnings: [...usual, ...doubts] };
  }

  #checkRequestBody(
    expected: ExpectedBody,
    { contentType = '' }: RecordedRequest,
    text: string,
    violations: Violation[],
    doubts: Warning[],
  ): void {
    const described = expected.content.mediaType;
    const mediaType = described.includes('*') ? contentType : described;
    if (!isJson(mediaType)) {
      this.#checkBody('request', expected, text, mediaType, violations);
      return;
    }
    const body = parsedJson(text, this.#isForeign);
    const wrong = typeof body === 'string' ? syntaxErrorIn(text) : undefined;
    if (wrong !== undefined) {
      const { pointer } = expected.schema;
      violations.push({
        side: 'request',
        location: 'body',
        pointer,
        rule: 'syntax',
        message: `is ${wrong}`,
      });
      return;
    }
    this.#checkBody('request', expected, body, undefined, violations);
    const { schema } = expected.content;
    if (schema && typeof body === 'object') doubts.push(...unknownFields(body, schema));
  }

  #checkPath(path: string, violations: Violation[]): void {
    const match = this.#template.exec(path);
    const values: Record<string, string> = Object.create(null);
    for (const [index, name] of this.#names.entries()) {
      const sent = match?.[index + 1];
      try {
        if (sent !== undefined) values[name] = decodeURIComponent(sent);
      } catch {
        const { pointer } = this.#pointers.parameter('path', name);
        const message = 'is badly percent-encoded';
        violations.push({ side: 'request', location: `path/${name}`, pointer, rule: 'percent-encoding', message });
        return;
      }
    }
    const diagnostics = checkParameters('path', values, this.#path, this.operation.__bundled__);
    for (const diagnostic of diagnostics) violations.push(this.#parameterViolation('path', diagnostic, this.#path));
  }

  #checkQuery(text: string, violations: Violation[], doubts: Warning[]): void {
    const query = queryObject(text);
    if (text !== '') doubts.push(...doubtfulParameters(Object.keys(query), this.#query));
    if (this.#query.length === 0) return;
    for (const diagnostic of checkParameters('query', query, this.#query, this.operation.__bundled__)) {
      // Prism's only warning about a parameter, which `warnings.ts` covers.
      if (diagnostic.code === 'deprecated') continue;
      violations.push(this.#parameterViolation('query', diagnostic, this.#query));
    }
  }

  #parameterViolation(kind: 'path' | 'query', diagnostic: Diagnostic, parameters: readonly Parameter[]): Violation {
    const { path = [], code = kind, message } = diagnostic;
    const missing = path.length > 1 ? undefined : missingName(message);
    // Prism identifies parameters by their names in lower case.
    const lower = missing ?? path[1] ?? '';
    const name = parameters.find((parameter) => parameter.name.toLowerCase() === lower)?.name ?? lower;
    const parameter = this.#pointers.parameter(kind, name);
    const schema = this.#pointers.inside(parameter, 'schema');
    const words =
      missing === undefined
        ? this.#pointers.rule(schema, path.slice(2), diagnostic)
        : {
            pointer: this.#pointers.inside(parameter, 'required').pointer,
            message: isRequired(schema.node as JsonSchema),
          };
    return {
      side: 'request',
      location: [kind, name, ...path.slice(2)].join('/'),
      pointer: words.pointer,
      rule: String(code),
      message: cutMessage(words.message),
    };
  }

  #checkBody(
    side: Side,
    expected: ExpectedBody,
    body: unknown,
    mediaType: string | undefined,
    violations: Violation[],
  ): void {
    const diagnostics = checkBody(side, body, expected, mediaType, this.operation.__bundled__);
    for (const diagnostic of diagnostics.slice(0, MAX_VIOLATIONS)) {
      const { path = [], code = 'body' } = diagnostic;
      const inside = path.slice(1).map(unescaped);
      const missing = code === 'required' ? missingName(diagnostic.message) : undefined;
      const { pointer, message } = this.#pointers.rule(expected.schema, inside, diagnostic);
      violations.push({
        side,
        location: cutMessage(['body', ...inside, ...(missing === undefined ? [] : [missing])].join('/')),
        pointer,
        rule: String(code),
        message: cutMessage(message),
      });
    }
  }
}

export const isJson = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);

/** Values by name, a list for a repeated name: as Prism's server parses them. */
function queryObject(text: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  if (text === '') return query;
  // It drops a first question mark. A second one, as in `/v1/pets??limit=5`, is a part of the name.
  for (const [name, value] of new URLSearchParams(`?${text}`)) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}

/** Text that is not JSON goes to Prism as a string, which matches no schema of a JSON body. */
function parsedJson(text: string, isForeign = false): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text, isForeign ? withoutPrototype : undefined);
  } catch {
    return text;
  }
}

const withoutPrototype = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value;

/** Why a text is not JSON, with the position; `undefined` for valid JSON. Prism would only report a non-object. */
function syntaxErrorIn(text: string): string | undefined {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonError && error.reason === 'syntax') return cutMessage(error.message);
    if (!(error instanceof JsonError)) throw error;
  }
  return undefined;
}

const cutMessage = (text: string): string => shorten(text, MAX_MESSAGE);
