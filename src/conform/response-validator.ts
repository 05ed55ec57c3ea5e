/**
 * Validates responses against the specification, `spec/openapi.yaml`. The validator is not used here: it takes half a
 * second and a worker to load, and it reads numbers as doubles. A JSON Schema validator does the same for three
 * operations, and no int64 is rounded.
 */

import type { ValidateFunction } from 'ajv';
import type { Problem } from '../api/exchange.ts';
import { schemaCompiler } from '../api/json-schema.ts';
import { checkField, fieldsOf, operationAt } from '../api/specification.ts';
import { pathOfTarget } from '../core/address.ts';
import { type JsonObject, type JsonValue, NumberLiteral, parseJson, plainValue, writeJson } from '../core/int64.ts';
import { countMembers, JsonError } from '../core/json.ts';
import { type OperationName, operationNames, operations } from '../generated/facts.ts';
import specification from '../generated/petstore.json' with { type: 'json' };
import type { ProbeRequest } from './cases.ts';
import type { ProbeResponse } from './http-probe.ts';
import type { ConformRule } from './rules.ts';

/** One difference of a response from the specification. */
export interface Mismatch {
  readonly rule: ConformRule;
  readonly expected: string;
  /** What is wrong, if the response itself does not show it. */
  readonly why?: string | undefined;
}

/** The result of validation; `value` is the body if it is valid. */
interface Validation {
  readonly mismatches: readonly Mismatch[];
  readonly value?: JsonValue;
}

type SchemaName = NonNullable<(typeof operations)[OperationName]['success']['schema']> | 'Error';
const SCHEMAS = [
  ...new Set<SchemaName>(['Error', ...operationNames.flatMap((name) => operations[name].success.schema ?? [])]),
];

const FIELDS = fieldsOf('Pet').filter(({ type, check }) => type === 'integer' || check !== undefined);

/** The operation that a request matches. */
export const operationOfProbe = ({ method = 'GET', path }: ProbeRequest): OperationName | undefined =>
  operationAt(method, pathOfTarget(path));

export class ResponseValidator {
  readonly #validators: Readonly<Record<SchemaName, ValidateFunction>>;

  private constructor(validators: Readonly<Record<SchemaName, ValidateFunction>>) {
    this.#validators = validators;
  }

  static async load(): Promise<ResponseValidator> {
    const compile = await schemaCompiler({
      allErrors: true,
      // The range of an int64 is checked below, on the digits, and so are other formats.
      logger: false,
      formats: { int32: { type: 'number', validate: (value) => (value | 0) === value }, int64: true },
    });
    const { components } = specification;
    const validators = SCHEMAS.map((name) => [name, compile({ $ref: `#/components/schemas/${name}`, components })]);
    return new ResponseValidator(Object.fromEntries(validators) as Record<SchemaName, ValidateFunction>);
  }

  /** Validates a response that may have a body. @param operation `undefined` if none matches */
  validate(operation: OperationName | undefined, response: ProbeResponse): Validation {
    const { status } = response;
    if (status >= 400) return this.#validateError(response);
    if (operation === undefined || status < 200 || status >= 300) return { mismatches: [] };
    const { success } = operations[operation];
    if (status !== success.status) {
      return {
        mismatches: [{ rule: 'schema', expected: `the success ${success.status}, the only one in the specification` }],
      };
    }
    if (success.schema === null) return { mismatches: [] };
    return this.#validateBody(response, success.schema, 'schema');
  }

  #validateError(response: ProbeResponse): Validation {
    const validated = this.#validateBody(response, 'Error', 'error-body');
    const said = (validated.value as JsonObject | undefined)?.['status'];
    if (said === undefined || said === BigInt(response.status)) return validated;
    return { mismatches: [{ rule: 'error-body', expected: `an Error body whose status is ${response.status}` }] };
  }

  #validateBody(response: ProbeResponse, schema: SchemaName, rule: ConformRule): Validation {
    const type = response.headers['content-type'];
    if (!/^application\/json\s*(?:;|$)/i.test(type ?? '') || /;\s*charset=(?!"?utf-8"?\s*(?:;|$))/i.test(type ?? '')) {
      return { mismatches: [{ rule: 'response-type', expected: 'Content-Type: application/json, in UTF-8' }] };
    }
    const expected = `a body of the schema ${schema}`;
    if (!response.isUtf8) return { mismatches: [{ rule, expected, why: 'it is not UTF-8' }] };
    let value: JsonValue;
    try {
      value = parseJson(response.text);
      if (membersIn(value) < countMembers(response.text))
        return { mismatches: [{ rule, expected, why: 'a field is given twice' }] };
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      return { mismatches: [{ rule, expected, why: error.message }] };
    }
    const validate = this.#validators[schema];
    if (!validate(plainValue(value))) {
      const why = (validate.errors ?? [])
        .slice(0, 5)
        .map((error) => `${error.instancePath || 'body'} ${error.message}`);
      return { mismatches: [{ rule, expected, why: why.join('; ') }] };
    }
    const beyond = schema === 'Error' ? [] : fieldsBeyond(value);
    return beyond.length === 0 ? { mismatches: [], value } : { mismatches: beyond };
  }
}

function membersIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return 0;
  return Object.values(value).reduce((count: number, each) => count + 1 + membersIn(each), 0);
}

/** Integers of pets that are not int64, and what only a check of the field says. */
function fieldsBeyond(value: JsonValue): Mismatch[] {
  const pets = (Array.isArray(value) ? value : [value]) as JsonObject[];
  return pets.flatMap((pet) =>
    FIELDS.flatMap((field): Mismatch[] => {
      const problems: Problem[] = [];
      const sent = pet[field.name];
      if (sent !== undefined) checkField(field, sent, field.name, problems);
      return problems.map(({ message, difference }) =>
        difference === 'int64-range'
          ? { rule: 'int64', expected: `${field.name} as an int64`, why: `${field.name} is ${writeJson(sent)}` }
          : { rule: 'schema', expected: 'a body of the schema Pet', why: `${field.name} ${message}` },
      );
    }),
  );
}
