/** Parses the parameters and bodies of controls by their schemas in the specification, and reports all problems. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Request } from 'express';
import { type Described, type Schema, schemas } from '../api/control-operations.ts';
import type { Problem } from '../api/exchange.ts';
import { schemaCompiler } from '../api/json-schema.ts';
import { readTime, startOfDay } from '../core/clock.ts';
import { isObject, type JsonObject, type JsonValue, plain, readDecimal } from '../core/int64.ts';
import { kindOf, notKnown, shorten } from '../core/text.ts';
import { type BodyLimits, parsedBody, readBody, rejection, textOf } from '../http/body.ts';
import { onlyValue, type QueryPair, readQuery } from '../http/query.ts';
import type { Redact } from '../requests/redact.ts';
import { type FixtureContent, readInlineFixture } from '../sandbox/fixture-file.ts';
import { INLINE } from '../store/fixture.ts';

/** The validated input of a control. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** An empty object if no body was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same with every number as its digits. */
  readonly exact: JsonObject;
  /** The fixture that the body contains, if it names none. */
  readonly inline?: FixtureContent | undefined;
}

/** The value for a missing body, to which the schema is not applied. */
const NO_BODY: JsonObject = {};

/** Controls whose bodies are not JSON, or have errors of their own: they read them themselves. */
const READ_THEIR_OWN = new Set(['importRecording', 'previewDraft', 'reportHar', 'callMcp']);

export class ControlParser {
  readonly #limits: BodyLimits;
  readonly #checks = new SchemaChecks();

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** @throws {ApiError} `invalid_request`, `unsupported_media_type`, `payload_too_large` */
  async parse(req: Request, described: Described): Promise<Input> {
    const problems: Problem[] = [];
    const params = req.params as Record<string, string>;
    for (const { name, schema } of described.params)
      await this.#checks.check(schema, params[name], `path/${name}`, problems);
    const query = await this.#query(req, described, problems);
    const body = await this.#body(req, described, problems);
    if (problems.length > 0) throw rejection(req, 'invalid_request', bounded(problems));
    return { params, query, ...body };
  }

  async #query(req: Request, described: Described, problems: Problem[]): Promise<Input['query']> {
    const pairs = readQuery(req.exchange.request.target);
    const query: Record<string, string | number | boolean> = {};
    rejectUnknown(pairs, described, problems);
    for (const { name, schema } of described.query) {
      const text = onlyValue(pairs, name, problems);
      if (text === undefined) continue;
      const value = typed(text, schema);
      const isOtherForm = typeof value === 'string' && wantsNumber(schema);
      await this.#checks.check(schema, value, `query/${name}`, problems, isOtherForm);
      query[name] = value;
    }
    return query;
  }

  async #body(req: Request, described: Described, problems: Problem[]): Promise<Omit<Input, 'params' | 'query'>> {
    if (READ_THEIR_OWN.has(described.name)) return { body: NO_BODY, exact: NO_BODY };
    const bytes = described.body && (await readBody(req, this.#limits));
    if (!described.body || bytes === undefined) {
      if (described.bodyRequired) problems.push({ location: 'body', message: 'is missing; send a JSON object' });
      return { body: NO_BODY, exact: NO_BODY };
    }
    const { body: schema } = described;
    return req.exchange.inTurnWithBody(bytes.length, async () => {
      const exact = parsedBody(req, textOf(req, bytes), takesFixture(schema) ? membersOfFixture(bytes.length) : 0);
      const { rest, inline } = takesFixture(schema) ? takeFixture(exact, problems) : { rest: exact };
      const body = plain(rest);
      await this.#checks.check(schema, body, 'body', problems);
      // A body that fits its schema is an object; with a problem, the value is not used.
      return { body: body as Input['body'], exact: exact as JsonObject, inline };
    });
  }
}

/** Compiles schemas on first use: a server that only serves pets never loads the validator. */
export class SchemaChecks {
  readonly #compiled = new Map<Schema, ValidateFunction>();
  #compiler: ReturnType<typeof schemaCompiler> | undefined;

  /** Adds what is wrong with a value. @param otherForm whether it is a number in another form */
  async check(schema: Schema, value: unknown, location: string, problems: Problem[], otherForm = false): Promise<void> {
    this.#compiler ??= schemaCompiler({ allErrors: true, verbose: true, formats: FORMATS });
    const compile = await this.#compiler;
    const validate = this.#compiled.get(schema) ?? compile({ ...schema, components: { schemas } });
    this.#compiled.set(schema, validate);
    if (validate(value)) return;
    for (const error of validate.errors ?? []) {
      if (problems.length > MAX_PROBLEMS) return;
      const problem = problemOf(error, location);
      // A mismatch of both pattern and format is one problem.
      if (!problem || problems.some((each) => each.location === problem.location && each.message === problem.message))
        continue;
      problems.push({ ...problem, ...(otherForm && { difference: 'integer-form' as const }) });
    }
  }
}

/** Integers beyond 53 bits are only in fixtures, which are read exactly (see fixture-in-body.ts). */
const FORMATS = {
  date: (text: string) => startOfDay(text) !== undefined,
  'date-time': (text: string) => readTime(text) !== undefined,
  int64: () => true,
};

/** A body may have thousands of problems: a message reports at most this many. */
const MAX_PROBLEMS = 20;
/** Characters of a name that a message quotes. */
const MAX_NAME = 100;

const bounded = (problems: readonly Problem[]): readonly Problem[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [...problems.slice(0, MAX_PROBLEMS), { location: 'and more', message: 'mend these first' }];

/** Parameters that the specification does not describe; the validator accepts them. */
function rejectUnknown(pairs: readonly QueryPair[], { query }: Described, problems: Problem[]): void {
  const names = query.map(({ name }) => name);
  for (const name of new Set(pairs.map((pair) => pair[0]))) {
    if (problems.length > MAX_PROBLEMS) return;
    if (names.includes(name)) continue;
    const location = `query/${shorten(name, MAX_NAME)}`;
    problems.push({ location, message: notKnown(name, names), difference: 'parameter-unknown' });
  }
}

const wantsNumber = (schema: Schema): boolean => schema.type === 'integer' || schema.type === 'number';

/** Converts a parameter's text to its schema's type; returns the text itself if that is impossible. */
function typed(text: string, schema: Schema): string | number | boolean {
  if (schema.type === 'integer') return readDecimal(text) === undefined ? text : Number(text);
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** `undefined` for an error that another error explains better. */
function problemOf(error: ErrorObject, location: string): Problem | undefined {
  const { keyword, instancePath, params } = error;
  const schema = error.parentSchema as Schema;
  const where = `${location}${instancePath}`;
  if (keyword === 'anyOf') {
    const names = oneRequiredOf(schema);
    return names && { location: where, message: `must have at least one of ${names.join(', ')}` };
  }
  // A fixture was taken out before: only the name of one is left.
  if (error.schemaPath.includes('/InlineFixture/')) return undefined;
  if (keyword === 'oneOf' || keyword === 'if') return undefined;
  if (keyword === 'not') return { location: where, message: String((schema['not'] as Schema)['description']) };
  if (keyword === 'additionalProperties') {
    const { additionalProperty } = params as { additionalProperty: string };
    const known = Object.keys(schema['properties'] as object);
    return {
      location: `${where}/${shorten(additionalProperty, MAX_NAME)}`,
      message: notKnown(additionalProperty, known),
    };
  }
  if (keyword === 'dependentRequired') {
    const { property, missingProperty } = params as { property: string; missingProperty: string };
    return { location: `${where}/${missingProperty}`, message: `is required beside ${property}` };
  }
  if (keyword === 'required') {
    // Each branch of such an `anyOf` reports its own missing member.
    if (error.schemaPath.includes('/anyOf/')) return undefined;
    const { missingProperty } = params as { missingProperty: string };
    const wanted = (schema['properties'] as Record<string, Schema> | undefined)?.[missingProperty];
    return { location: `${where}/${missingProperty}`, message: `is required${wanted ? `: ${wantedOf(wanted)}` : ''}` };
  }
  // A string that violates this may still match its pattern.
  if (keyword === 'maxLength' && schema['pattern'] !== undefined) {
    return {
      location: where,
      message: `must be of at most ${schema['maxLength']} characters; got ${kindOf(error.data, 60)}`,
    };
  }
  return { location: where, message: `must be ${wantedOf(schema)}; got ${kindOf(error.data, 60)}` };
}

/** The names in an `anyOf` that requires one of several members; `undefined` for any other. */
function oneRequiredOf({ anyOf }: Schema): readonly string[] | undefined {
  const branches = anyOf as readonly Schema[];
  const names = branches.flatMap((branch) => (Object.keys(branch).join() === 'required' ? branch['required'] : []));
  return names.length === branches.length ? (names as string[]) : undefined;
}

/** The requirement of a schema, as text. */
function wantedOf(schema: Schema): string {
  const { type, enum: values, const: only } = schema;
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (only !== undefined) return JSON.stringify(only);
  if (type === 'integer' || type === 'number')
    return wantedNumber(type === 'integer' ? 'an integer' : 'a number', schema);
  if (type === 'string') return wantedText(schema);
  if (type === 'object') return schema['minProperties'] === undefined ? 'a JSON object' : 'a JSON object with a field';
  if (type === 'array' && schema['minItems'] !== undefined)
    return `an array of ${schema['minItems']} to ${schema['maxItems']} items`;
  return type === undefined ? 'as the specification says' : `of type ${type}`;
}

function wantedNumber(kind: string, { minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind} of at least ${minimum}`;
}

function wantedText({ format, pattern, minLength, maxLength, description, examples }: Schema): string {
  const described = asClause(description);
  if (format === 'date-time') return `${described ?? 'an RFC 3339 time with a zone'}, like 2030-12-05T00:00:00Z`;
  if (described !== undefined && Array.isArray(examples)) return `${described}, like ${examples.join(', ')}`;
  // An example tells a reader more than a regular expression. A test holds that every such schema has one, or a
  // description.
  if (typeof pattern === 'string') return described ?? `a string like ${(examples as string[]).join(' or ')}`;
  return maxLength === undefined ? 'a string' : `a string of ${minLength ?? 0} to ${maxLength} characters`;
}

/** `An ISO 8601 duration.` as a clause within a sentence. */
const asClause = (description: unknown): string | undefined =>
  typeof description === 'string' && /^An? [^\n]+\.$/.test(description) ? `a${description.slice(1, -1)}` : undefined;

/**
 * The maximum of members and array items in such a body: more than pets of so many bytes have. Only the fixture itself
 * may have that many.
 */
const membersOfFixture = (bytes: number): number => Math.ceil(bytes / 8);

/** Whether a body of this schema may contain a fixture. */
function takesFixture({ $ref }: Schema): boolean {
  const schema = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined;
  const { fixture } = (schema as { properties?: { fixture?: { anyOf?: unknown } } } | undefined)?.properties ?? {};
  return Array.isArray(fixture?.anyOf);
}

/** @returns the fixture, and the rest of the body with a name in its place */
function takeFixture(body: JsonValue, problems: Problem[]): { rest: JsonValue; inline?: FixtureContent } {
  if (!isObject(body) || !Object.hasOwn(body, 'fixture') || typeof body['fixture'] === 'string') return { rest: body };
  const rest = { ...body, fixture: INLINE };
  const reading = readInlineFixture(body['fixture'] as JsonValue, 'body/fixture');
  if (reading.ok) return { rest, inline: reading.value };
  problems.push(...reading.problems);
  return { rest };
}

/** @throws {ApiError} `invalid_request` for a text with a key or the admin token in it */
export function rejectSecret(req: Request, location: string, text: string | undefined, redact: Redact): void {
  if (text === undefined || redact(text) === text) return;
  const message = 'must not contain a key or the admin token, because it is stored and shown; send other words';
  throw rejection(req, 'invalid_request', [{ location, message, difference: 'secret-inside' }]);
}
