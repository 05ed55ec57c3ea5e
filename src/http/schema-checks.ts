/** Checks values by the schemas of the control API, and reports what is wrong in words. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { type Schema, schemas } from '../api/control-operations.ts';
import type { Problem } from '../api/exchange.ts';
import { schemaCompiler } from '../api/json-schema.ts';
import { kindOf, notKnown, shorten } from '../core/text.ts';
import { readTime, startOfDay } from '../core/time.ts';

/** A body may have thousands of problems: a message reports at most this many. */
export const MAX_PROBLEMS = 20;
/** Characters of a name that a message quotes. */
export const MAX_NAME = 100;

/** Compiles schemas on first use: a server that only serves pets never loads the validator. */
export class SchemaChecks {
  readonly #compiled = new Map<Schema, ValidateFunction>();
  #compiler: ReturnType<typeof schemaCompiler> | undefined;

  /** Adds what is wrong with a value. @param otherForm whether it is a number in another form */
  async check(schema: Schema, value: unknown, location: string, problems: Problem[], otherForm = false): Promise<void> {
    this.#compiler ??= schemaCompiler({ allErrors: true, verbose: true, formats: FORMATS });
    const compile = await this.#compiler;
    const validate = this.#compiled.get(schema) ?? compile({ ...schema, components: { schemas: usedBy(schema) } });
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

/** The shared schemas that a schema refers to, directly or not: compiling takes time for each that it is given. */
function usedBy(schema: Schema): Record<string, unknown> {
  const used: Record<string, unknown> = {};
  const follow = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)/g)) {
      if (name in used) continue;
      used[name] = schemas[name];
      follow(schemas[name]);
    }
  };
  follow(schema);
  return used;
}

/** Integers beyond 53 bits are only in fixtures, which are read exactly. */
const FORMATS = {
  date: (text: string) => startOfDay(text) !== undefined,
  'date-time': (text: string) => readTime(text) !== undefined,
  int64: () => true,
};

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
