/** The schemas of a recording's own lines, from `spec/control-api.yaml`. */
import type { ValidateFunction } from 'ajv';
import { firstProblem, schemaCompiler } from '../../base/api/json-schema.ts';
import controls from '../../base/generated/control-api.json' with { type: 'json' };
import { writtenTimes } from '../../base/time.ts';
import { RecordingError } from './recording.ts';

const { schemas } = controls.components;
const NAMES = ['RecordingHead', 'RecordingFixture', 'RecordingExchange', 'RecordingEnd', 'NewFault'] as const;
type Name = (typeof NAMES)[number];

/** Checks of the parts of a recording. */
export interface RecordingChecks {
  /** @throws {RecordingError} naming the first place that is wrong @param whole names the value itself */
  check(name: Name, value: unknown, whole: string): void;
}

/** Compiles the schemas. */
export async function recordingChecks(): Promise<RecordingChecks> {
  const compile = await schemaCompiler({ formats: { int64: true, ...writtenTimes } });
  const compiled = (name: Name) => compile({ $ref: `#/components/schemas/${name}`, components: { schemas } });
  const validators = new Map(NAMES.map((name) => [name, compiled(name)]));
  return {
    check: (name, value, whole) => {
      const validate = validators.get(name) as ValidateFunction;
      if (!validate(value)) throw new RecordingError(firstProblem(validate, whole));
    },
  };
}
