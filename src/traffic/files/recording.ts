/**
 * A recording: one sandbox as JSON lines, which any server opens. It is the journal and the request log of a sandbox, with the fixtures
 * that they name. `RecordingHead`, `RecordingFixture`, `RecordingExchange` and `RecordingEnd` of `spec/control-api.yaml`
 * are the schemas of its own lines; `sandbox/store/entries.ts` has those of the journal.
 *
 *     {"recording":2,"about":"…","program":"…","exportedAt":"…","dropped":[],"isRunBegun":false}
 *     {"fixture":"default","description":"…","nextId":"13"}     a fixture, then its pets:
 *     {"pets":[{"id":1,…},…]}
 *     {"begin":{"id":"sbx_…",…},"seed":"default",…}             the journal that leads to the state, without keys
 *     {"pets":[{"id":13,…}]}
 *     {"exchange":{"id":"req_…",…}}                             the request log, the oldest first
 *     {"end":6}                                                 the number of the lines before it: nothing was cut off
 */
import type { ValidateFunction } from 'ajv';
import { firstProblem, schemaCompiler } from '../../base/api/json-schema.ts';
import controls from '../../base/generated/control-api.json' with { type: 'json' };
import { writtenTimes } from '../../base/time.ts';
import type { Fixture } from '../../sandbox/store/fixture.ts';
import type { State } from '../../sandbox/store/state.ts';
import type { LogRemains } from '../request-log.ts';
import type { RecordingExchange } from '../shown.ts';

/** The version of the format. A program only reads its own. */
export const RECORDING_VERSION = 2;

export interface Recording extends LogRemains {
  /** Versions of the program and of the petstore API's specification. */
  readonly program: string;
  readonly specification: string;
  /** In milliseconds since 1970. */
  readonly exportedAt: number;
  /** By their names in the state. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly state: State;
  /** In the order of the request log, the oldest first. */
  readonly exchanges: readonly RecordingExchange[];
}

/** A text that isn't a recording; the message names the line, and says what was expected. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** The schemas of a recording's own lines, from `spec/control-api.yaml`. */
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
