/** The JSON Schema validator, loaded on first use: a server that only serves pets never loads it. */

import type { Options, ValidateFunction } from 'ajv';
import { inside } from '../address.ts';
import { shorten } from '../text.ts';
import { isWritableTime } from '../time.ts';
import { SpecificationError } from './errors.ts';
import { problemOf } from './schema-problems.ts';

/**
 * A function that compiles schemas of draft 2020-12, and throws an `Error` for a bad one. The format `time-with-zone` is an
 * RFC 3339 time that can be written again.
 */
export async function schemaCompiler(options: Options = {}): Promise<(schema: object) => ValidateFunction> {
  // A CommonJS module: bundled or not, its exports are members of the default export.
  const { default: ajv } = await import('ajv/dist/2020.js');
  // `npm run lint` validates the schemas. Doing it here would compile the meta-schema at each start: 150 ms.
  const validator = new ajv.Ajv2020({ strict: false, meta: false, validateSchema: false, verbose: true, ...options });
  validator.addFormat('time-with-zone', isWritableTime);
  // Only pets use the other formats, and pets have their own checks.
  for (const name of [...OBEYED, ...COMPILED])
    if (validator.formats[name] === undefined) validator.addFormat(name, true);
  return (schema) => validator.compile(schema);
}

/** The first place of a value that breaks a schema, as `/set/clock is a JSON object; 5 was sent`. @param whole names the value itself */
export function firstProblem({ errors }: Pick<ValidateFunction, 'errors'>, whole: string): string {
  const [first] = (errors ?? []).flatMap((error) => problemOf(error, '') ?? []);
  return `${shorten(first?.location ?? '', 200) || whole} ${first?.message ?? 'is invalid'}`;
}

/** The formats of strings and integers that both service and validator obey. */
const OBEYED = ['int32', 'int64', 'date', 'date-time', 'uri'];
/** Formats of fields and parameters of the petstore API, which compiled checks obey as well. */
const COMPILED = ['float', 'double', 'time', 'duration', 'uuid', 'email', 'hostname', 'ipv4', 'ipv6'];
/** Members of a specification that contain values of an API, not parts of the specification. */
export const VALUES = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * Rejects formats that validators would silently ignore, anywhere in a specification.
 * @throws {SpecificationError} naming the first unknown format and its location
 */
export function rejectUnknownFormats(specification: string, node: unknown, pointer = () => '#'): void {
  if (typeof node !== 'object' || node === null) return;
  const obeyed = specification === 'openapi' ? [...OBEYED, ...COMPILED] : OBEYED;
  for (const [name, member] of Object.entries(node)) {
    if (VALUES.has(name)) continue;
    if (name === 'format' && typeof member === 'string' && !obeyed.includes(member)) {
      throw new SpecificationError(`spec/${specification}.yaml: ${pointer()} has a format unknown here: ${member}`);
    }
    rejectUnknownFormats(specification, member, () => inside(pointer(), name));
  }
}
