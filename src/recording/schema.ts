/** The schemas of a recording's own lines, from `spec/control-api.yaml`. */
import type { ValidateFunction } from 'ajv';
import { firstProblem, isWritableTime, schemaCompiler } from '../core/json-schema.ts';
import controls from '../generated/control-api.json' with { type: 'json' };
import { EntryReader } from '../store/entries.ts';
import { RecordingError } from './recording.ts';

const { schemas } = controls.components;
const NAMES = ['RecordingHead', 'RecordingFixture', 'RecordingExchange', 'RecordingEnd', 'NewFault'] as const;
type Name = (typeof NAMES)[number];

/** Checks of the parts of a recording. */
export class RecordingChecks {
  /** Reads the lines of the log. */
  readonly entries: EntryReader;
  readonly #validators: ReadonlyMap<string, ValidateFunction>;

  private constructor(entries: EntryReader, validators: ReadonlyMap<string, ValidateFunction>) {
    this.entries = entries;
    this.#validators = validators;
  }

  /** Compiles the schemas. */
  static async create(): Promise<RecordingChecks> {
    const formats = { int64: true, 'date-time': isWritableTime } as const;
    const compile = await schemaCompiler({ formats });
    const validators = NAMES.map(
      (name) => [name, compile({ $ref: `#/components/schemas/${name}`, components: { schemas } })] as const,
    );
    return new RecordingChecks(await EntryReader.create(), new Map(validators));
  }

  /** @throws {RecordingError} naming the first place that is wrong @param whole names the value itself */
  check(name: Name, value: unknown, whole: string): void {
    const validate = this.#validators.get(name) as ValidateFunction;
    if (!validate(value)) throw new RecordingError(firstProblem(validate, whole));
  }
}
