/**
 * Holds answers against the document, `spec/openapi.yaml`. Prism, which judges what the sandbox serves, loads half a
 * second of packages and a worker; the schemas of three operations are judged as well by the JSON Schema validator, and
 * exactly: no int64 is rounded on the way.
 */
import type { ValidateFunction } from 'ajv';
import { fieldsOf } from '../document.ts';
import { type OperationName, operationNames, operations } from '../generated/facts.ts';
import document from '../generated/interface.json' with { type: 'json' };
import { type JsonObject, type JsonValue, OtherNumber, parseJson } from '../int64.ts';
import { JsonError } from '../json.ts';
import { compileSchema } from '../json-schema.ts';
import type { Rule } from './cases/case.ts';
import type { Answer } from './probe.ts';

/** One breach of the description. */
export interface Breach {
  readonly rule: Rule;
  readonly expected: string;
  /** Said beside the answer itself, where that does not show it. */
  readonly why?: string;
}

type SchemaName = NonNullable<(typeof operations)[OperationName]['success']['schema']> | 'Error';
const SCHEMAS = [
  ...new Set<SchemaName>(['Error', ...operationNames.flatMap((name) => operations[name].success.schema ?? [])]),
];

/** The address of each operation. */
const ADDRESSES = operationNames.map((name) => ({
  name,
  method: operations[name].method.toUpperCase(),
  path: new RegExp(`^${operations[name].path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));
const INTEGERS = fieldsOf('Pet').filter(({ type }) => type === 'integer');

/** The operation of a request, by its place in the document. */
export function operationOf(method: string, path: string): OperationName | undefined {
  const [plain = ''] = path.split('?');
  return ADDRESSES.find((address) => address.method === method && address.path.test(plain))?.name;
}

export class Description {
  readonly #validators: Readonly<Record<SchemaName, ValidateFunction>>;

  private constructor(validators: Readonly<Record<SchemaName, ValidateFunction>>) {
    this.#validators = validators;
  }

  static async load(): Promise<Description> {
    const compiled = (name: SchemaName): Promise<ValidateFunction> =>
      compileSchema(
        { $ref: `#/components/schemas/${name}`, components: document.components },
        // The range of an int64 is looked at below, on the digits.
        {
          allErrors: true,
          formats: { int32: { type: 'number', validate: (value) => (value | 0) === value }, int64: true },
        },
      );
    const validators = await Promise.all(SCHEMAS.map(async (name) => [name, await compiled(name)] as const));
    return new Description(Object.fromEntries(validators) as Record<SchemaName, ValidateFunction>);
  }

  /** All that an answer with a body breaks of the description, and what it holds where it breaks nothing. */
  judge(operation: OperationName | undefined, answer: Answer): { breaches: readonly Breach[]; value?: JsonValue } {
    const { status } = answer;
    if (status >= 400) return this.#judgeError(answer);
    if (operation === undefined || status < 200 || status >= 300) return { breaches: [] };
    const { success } = operations[operation];
    if (status !== success.status) {
      return { breaches: [{ rule: 'schema', expected: `no success but ${success.status} is described` }] };
    }
    if (success.schema === null) return { breaches: [] };
    return this.#judgeBody(answer, success.schema, 'schema');
  }

  #judgeError(answer: Answer): { breaches: readonly Breach[]; value?: JsonValue } {
    const judged = this.#judgeBody(answer, 'Error', 'error-body');
    const said = (judged.value as JsonObject | undefined)?.['status'];
    if (said === undefined || said === BigInt(answer.status)) return judged;
    return { breaches: [{ rule: 'error-body', expected: `an Error body whose status is ${answer.status}` }] };
  }

  #judgeBody(answer: Answer, schema: SchemaName, rule: Rule): { breaches: readonly Breach[]; value?: JsonValue } {
    const type = answer.headers['content-type'];
    if (!/^application\/json\s*(?:;|$)/i.test(type ?? '')) {
      return { breaches: [{ rule: 'answer-type', expected: 'Content-Type: application/json' }] };
    }
    const expected = `a body that fits the schema ${schema}`;
    let value: JsonValue;
    try {
      value = parseJson(answer.text);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      return { breaches: [{ rule, expected, why: error.message }] };
    }
    const validate = this.#validators[schema];
    if (!validate(plain(value))) {
      const why = (validate.errors ?? [])
        .slice(0, 5)
        .map((error) => `${error.instancePath || 'body'} ${error.message}`);
      return { breaches: [{ rule, expected, why: why.join('; ') }] };
    }
    const beyond = schema === 'Error' ? [] : integersBeyond(value);
    return beyond.length === 0 ? { breaches: [], value } : { breaches: beyond };
  }
}

/** Integers of pets that are no int64. */
function integersBeyond(value: JsonValue): Breach[] {
  const pets = (Array.isArray(value) ? value : [value]) as JsonObject[];
  const beyond = pets.flatMap((pet) => INTEGERS.map(({ name }) => [name, pet[name]] as const));
  return beyond.flatMap(([name, number]) =>
    number instanceof OtherNumber
      ? [{ rule: 'int64', expected: `${name} as an int64`, why: `${name} is ${number.text}` } as const]
      : [],
  );
}

/** For the validator: an integer of any size as an integer, rounded where it must be, and a fraction as one. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof OtherNumber) {
    const number = Number(value.text);
    return Number.isFinite(number) ? number : 0.5;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
