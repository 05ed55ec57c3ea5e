/** Reads the parameters and bodies of controls by their schemas in the document, and names all that is wrong. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Request } from 'express';
import { readTime } from '../clock.ts';
import type { Problem } from '../exchange.ts';
import { type BodyLimits, parsedBody, readBody, refusal, textOf } from '../http/body.ts';
import { type QueryPair, readQuery } from '../http/query.ts';
import { type JsonObject, type JsonValue, OtherNumber, readDecimal } from '../int64.ts';
import { compileSchema } from '../json-schema.ts';
import { notKnown, quoted, shorten } from '../wording.ts';
import { type Described, type Schema, schemas } from './described.ts';

/** What a control is handed of its request, checked. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** An empty object where no body was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same with every number by its digits. */
  readonly exact: JsonObject;
}

/** What stands for a body that was not sent; what a body has to hold is not asked of it. */
const NO_BODY: JsonObject = {};

/** Compiles schemas when they are first needed: a server that only serves pets never loads the validator. */
export class ControlParser {
  readonly #limits: BodyLimits;
  readonly #compiled = new Map<Schema, Promise<ValidateFunction>>();

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** @throws {ApiError} `invalid_request`, `unsupported_media_type`, `payload_too_large` */
  async parse(req: Request, described: Described): Promise<Input> {
    const problems: Problem[] = [];
    const params = req.params as Record<string, string>;
    for (const { name, schema } of described.params) await this.#check(schema, params[name], `path/${name}`, problems);
    const query = await this.#query(req, described, problems);
    const body = await this.#body(req, described, problems);
    if (problems.length > 0) throw refusal(req, 'invalid_request', bounded(problems));
    return { params, query, ...body };
  }

  async #query(req: Request, described: Described, problems: Problem[]): Promise<Input['query']> {
    const pairs = readQuery(req.exchange.request.target);
    const query: Record<string, string | number | boolean> = {};
    refuseUnknown(pairs, described, problems);
    for (const { name, schema } of described.query) {
      const values = pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]);
      const [text] = values;
      if (text === undefined) continue;
      const place = `query/${name}`;
      if (values.length > 1) {
        problems.push({
          place,
          message: `is given ${values.length} times; give it once`,
          difference: 'parameter-twice',
        });
      } else if (text === '') {
        problems.push({ place, message: 'is empty; give a value, or leave it out', difference: 'parameter-empty' });
      } else {
        const value = typed(text, schema);
        await this.#check(schema, value, place, problems, typeof value === 'string' && wantsNumber(schema));
        query[name] = value;
      }
    }
    return query;
  }

  async #body(req: Request, described: Described, problems: Problem[]): Promise<Pick<Input, 'body' | 'exact'>> {
    const bytes = described.body && (await readBody(req, this.#limits));
    if (!described.body || bytes === undefined) {
      if (described.bodyRequired) problems.push({ place: 'body', message: 'is missing; send a JSON object' });
      return { body: NO_BODY, exact: NO_BODY };
    }
    const { body: schema } = described;
    return req.exchange.inTurnWithBody(bytes.length, async () => {
      const exact = parsedBody(req, textOf(req, bytes));
      const body = plain(exact);
      await this.#check(schema, body, 'body', problems);
      // What fits its schema is an object; with a problem, nobody gets to see it.
      return { body: body as Input['body'], exact: exact as JsonObject };
    });
  }

  async #check(schema: Schema, value: unknown, place: string, problems: Problem[], otherForm = false): Promise<void> {
    let compiled = this.#compiled.get(schema);
    if (!compiled) {
      compiled = compileSchema(
        { ...schema, components: { schemas } },
        { allErrors: true, verbose: true, formats: { 'date-time': (text: string) => readTime(text) !== undefined } },
      );
      this.#compiled.set(schema, compiled);
    }
    const validate = await compiled;
    if (validate(value)) return;
    for (const error of validate.errors ?? []) {
      if (problems.length > MAX_PROBLEMS) return;
      const problem = problemOf(error, place);
      // A pattern and a format that both miss are one problem.
      if (!problem || problems.some((each) => each.place === problem.place && each.message === problem.message))
        continue;
      problems.push({ ...problem, ...(otherForm && { difference: 'integer-form' as const }) });
    }
  }
}

/** A body can be wrong in thousands of places: a message names this many. */
const MAX_PROBLEMS = 20;
/** Characters of a name that a message quotes. */
const MAX_NAME = 100;

const bounded = (problems: readonly Problem[]): readonly Problem[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [...problems.slice(0, MAX_PROBLEMS), { place: 'and more', message: 'mend these first' }];

/** Parameters that the document does not describe: the referee lets them pass. */
function refuseUnknown(pairs: readonly QueryPair[], { query }: Described, problems: Problem[]): void {
  const names = query.map(({ name }) => name);
  for (const name of new Set(pairs.map((pair) => pair[0]))) {
    if (problems.length > MAX_PROBLEMS) return;
    if (names.includes(name)) continue;
    const place = `query/${shorten(name, MAX_NAME)}`;
    problems.push({ place, message: notKnown(name, names), difference: 'parameter-unknown' });
  }
}

/** No control takes an integer beyond 53 bits, so plain numbers do; one beyond stays beyond every maximum. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof OtherNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

const wantsNumber = (schema: Schema): boolean => schema.type === 'integer' || schema.type === 'number';

/** A parameter's text as its schema's type; the text itself where it is none of it. */
function typed(text: string, schema: Schema): string | number | boolean {
  if (schema.type === 'integer') return readDecimal(text) === undefined ? text : Number(text);
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** `undefined` for an error that another one says better. */
function problemOf(error: ErrorObject, place: string): Problem | undefined {
  const { keyword, instancePath, params } = error;
  const schema = error.parentSchema as Schema;
  const where = `${place}${instancePath}`;
  if (keyword === 'anyOf') {
    const names = oneRequiredOf(schema);
    return names && { place: where, message: `must have at least one of ${names.join(', ')}` };
  }
  if (keyword === 'oneOf' || keyword === 'if') return undefined;
  if (keyword === 'not') return { place: where, message: String((schema['not'] as Schema)['description']) };
  if (keyword === 'additionalProperties') {
    const { additionalProperty } = params as { additionalProperty: string };
    const known = Object.keys(schema['properties'] as object);
    return { place: `${where}/${shorten(additionalProperty, MAX_NAME)}`, message: notKnown(additionalProperty, known) };
  }
  if (keyword === 'dependentRequired') {
    const { property, missingProperty } = params as { property: string; missingProperty: string };
    return { place: `${where}/${missingProperty}`, message: `is required beside ${property}` };
  }
  if (keyword === 'required') {
    // Each branch of such an `anyOf` misses its own member.
    if (error.schemaPath.includes('/anyOf/')) return undefined;
    const { missingProperty } = params as { missingProperty: string };
    const wanted = (schema['properties'] as Record<string, Schema> | undefined)?.[missingProperty];
    return { place: `${where}/${missingProperty}`, message: `is required${wanted ? `: ${wantedOf(wanted)}` : ''}` };
  }
  // A string that breaks this may well be like its pattern.
  if (keyword === 'maxLength' && schema['pattern'] !== undefined) {
    return { place: where, message: `must be of at most ${schema['maxLength']} characters; got ${kindOf(error.data)}` };
  }
  return { place: where, message: `must be ${wantedOf(schema)}; got ${kindOf(error.data)}` };
}

/** The names in an `anyOf` that asks for one member of several; `undefined` for any other. */
function oneRequiredOf({ anyOf }: Schema): readonly string[] | undefined {
  const branches = anyOf as readonly Schema[];
  const names = branches.flatMap((branch) => (Object.keys(branch).join() === 'required' ? branch['required'] : []));
  return names.length === branches.length ? (names as string[]) : undefined;
}

/** What a schema asks for, in words. */
function wantedOf(schema: Schema): string {
  const { type, enum: values, const: only } = schema;
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if (only !== undefined) return JSON.stringify(only);
  if (type === 'integer' || type === 'number')
    return wantedNumber(type === 'integer' ? 'an integer' : 'a number', schema);
  if (type === 'string') return wantedText(schema);
  if (type === 'object') return schema['minProperties'] === undefined ? 'a JSON object' : 'a JSON object with a member';
  return type === undefined ? 'as the document says' : `of type ${type}`;
}

function wantedNumber(kind: string, { minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  return minimum === undefined ? kind : `${kind} of at least ${minimum}`;
}

function wantedText({ format, pattern, minLength, maxLength, description, examples }: Schema): string {
  const described = asClause(description);
  if (format === 'date-time') return `${described ?? 'an RFC 3339 time with a zone'}, like 2030-12-05T00:00:00Z`;
  if (described !== undefined && Array.isArray(examples)) return `${described}, like ${examples.join(', ')}`;
  if (typeof pattern === 'string') return `a string like ${pattern}`;
  return maxLength === undefined ? 'a string' : `a string of ${minLength ?? 0} to ${maxLength} characters`;
}

/** `An ISO 8601 duration.` as it stands within a sentence. */
const asClause = (description: unknown): string | undefined =>
  typeof description === 'string' && /^An? [^\n]+\.$/.test(description) ? `a${description.slice(1, -1)}` : undefined;

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value, 60);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}
