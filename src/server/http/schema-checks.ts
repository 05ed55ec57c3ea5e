/** Checks values by the schemas of the control API. */
import type { ValidateFunction } from 'ajv';
import { schemas, usedBy } from '../../base/api/control-operations.ts';
import type { Problem } from '../../base/api/exchange.ts';
import { schemaCompiler } from '../../base/api/json-schema.ts';
import { type JsonSchema, problemOf } from '../../base/api/schema-problems.ts';
import type { JsonValue } from '../../base/int64.ts';
import { readTime, startOfDay } from '../../base/time.ts';

/** A body may have thousands of problems: a message reports at most this many. */
export const MAX_PROBLEMS = 20;

/** Compiles schemas on first use: a server that only serves pets never loads the validator. */
export class SchemaChecks {
  readonly #compiled = new Map<JsonSchema, ValidateFunction>();
  #compiler: ReturnType<typeof schemaCompiler> | undefined;

  /**
   * Adds what is wrong with a value.
   * @param otherForm whether it is a number in another form
   * @param exact the value with every number as its digits
   */
  async check(
    schema: JsonSchema,
    value: unknown,
    location: string,
    problems: Problem[],
    { otherForm = false, exact }: { readonly otherForm?: boolean; readonly exact?: JsonValue } = {},
  ): Promise<void> {
    this.#compiler ??= schemaCompiler({ allErrors: true, formats: FORMATS });
    const compile = await this.#compiler;
    // Compiling takes time for each schema that it is given.
    const validate = this.#compiled.get(schema) ?? compile({ ...schema, components: { schemas: usedBy(schema) } });
    this.#compiled.set(schema, validate);
    if (validate(value)) return;
    for (const error of validate.errors ?? []) {
      if (problems.length > MAX_PROBLEMS) return;
      // A fixture was taken out before: only the name of one is left.
      if (error.parentSchema === schemas['InlineFixture']) continue;
      const problem = problemOf(error, location, exact);
      // A mismatch of both pattern and format is one problem.
      if (!problem || problems.some((each) => each.location === problem.location && each.message === problem.message))
        continue;
      problems.push({ ...problem, ...(otherForm && { difference: 'integer-form' as const }) });
    }
  }
}

/** Integers beyond 53 bits are only in fixtures, which are read exactly. */
const FORMATS = {
  date: (text: string) => startOfDay(text) !== undefined,
  'date-time': (text: string) => readTime(text) !== undefined,
  int64: () => true,
};
