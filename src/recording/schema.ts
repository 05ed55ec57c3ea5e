/** Checks a recording by its schema in `spec/control-api.yaml`, without its pets: `parts.ts` reads those. */
import type { ValidateFunction } from 'ajv';
import { isoTime, readTime } from '../core/clock.ts';
import { compileSchema } from '../core/json-schema.ts';
import { shorten } from '../core/text.ts';
import controls from '../generated/control-api.json' with { type: 'json' };
import { faultFields } from '../generated/facts.ts';
import type { FaultRecord } from '../store/record.ts';
import type { Complaints } from './problems.ts';
import type { RecordingFile } from './recording-file.ts';

const { schemas } = controls.components;

/** Checks of parts of a recording; each complains about the first place that is wrong. */
export interface RecordingChecks {
  /** Everything but pets and exchanges, which are not in it. */
  file(file: unknown, complaints: Complaints): void;
  /** A rule that no server accepts could not have been exported by one. */
  rules(file: RecordingFile, complaints: Complaints): void;
  exchange(exchange: unknown, location: string, complaints: Complaints): void;
}

/** The validators of a recording, compiled on first use and then kept. */
export class RecordingSchema {
  #checks: Promise<RecordingChecks> | undefined;

  checks(): Promise<RecordingChecks> {
    this.#checks ??= compileChecks();
    return this.#checks;
  }
}

async function compileChecks(): Promise<RecordingChecks> {
  const [file, rule, exchange] = await Promise.all([
    compile('Recording'),
    compile('NewFault'),
    compileWithParts(schemas.Recording.properties.requestLog.properties.exchanges.items),
  ]);
  return {
    file: (found, complaints) => complainOf(file, found, complaints),
    exchange: (found, location, complaints) => complainOf(exchange, found, complaints, location),
    rules: ({ start, now, snapshots }, complaints) => {
      const check = (faults: readonly FaultRecord[], location: string): void =>
        checkFaults(faults, { validate: rule, location, complaints });
      check(start.faults, 'start/faults');
      check(now.faults, 'now/faults');
      for (const [i, { faults }] of snapshots.entries()) check(faults, `snapshots[${i}]/faults`);
      for (const [i, step] of start.steps.entries())
        if ('faults' in step) check(step.faults, `start/steps[${i}]/faults`);
    },
  };
}

/** Complains about the first place that breaks a schema. */
export function complainOf(validate: ValidateFunction, file: unknown, complaints: Complaints, within = ''): void {
  if (validate(file)) return;
  const [error] = validate.errors ?? [];
  const { instancePath = '', message = 'is wrong', params = {} } = error ?? {};
  const name = (params as { additionalProperty?: string }).additionalProperty;
  const which = name === undefined ? '' : `: ${JSON.stringify(shorten(name, 40))}`;
  complaints.add(
    within === '' ? placeOf(instancePath) : `${within}${shorten(instancePath, 200)}`,
    `${message}${which}`,
  );
}

const compile = (name: string): Promise<ValidateFunction> => compileWithParts({ $ref: `#/components/schemas/${name}` });

/** Compiles a schema that may refer to those of `spec/control-api.yaml`. */
const compileWithParts = (schema: object): Promise<ValidateFunction> =>
  compileSchema(
    { ...schema, components: { schemas } },
    { allErrors: false, formats: { int64: true, 'date-time': isWritableTime } },
  );

/** Whether a time can be written again: in UTC its year has four digits, as RFC 3339 asks for. */
function isWritableTime(text: string): boolean {
  const time = readTime(text);
  return time !== undefined && isoTime(time).length === '2030-12-05T00:00:00.000Z'.length;
}

interface Checked {
  readonly validate: ValidateFunction;
  readonly location: string;
  readonly complaints: Complaints;
}

function checkFaults(faults: readonly FaultRecord[], { validate, location, complaints }: Checked): void {
  const ids = new Set<string>();
  const isAsked = ([name]: [string, unknown]): boolean => (faultFields as readonly string[]).includes(name);
  for (const [i, rule] of faults.entries()) {
    if (!validate(Object.fromEntries(Object.entries(rule).filter(isAsked)))) {
      const why = validate.errors?.[0]?.message ?? 'it contradicts itself';
      complaints.add(`${location}[${i}]`, `is no fault rule: ${why}`);
    }
    if (ids.has(rule.id)) complaints.add(`${location}[${i}]/id`, 'is taken by a rule before it');
    ids.add(rule.id);
  }
}

/** `/requestLog/exchanges/3/status` as `request log/exchanges[3]/status`. */
const placeOf = (pointer: string): string =>
  pointer === '' ? 'the file' : shorten(pointer.slice(1).replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]'), 200);
