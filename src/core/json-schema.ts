/** The JSON Schema validator, loaded on first use: a server that only serves pets never loads it. */

import type { Options, ValidateFunction } from 'ajv';
import { readTime } from './clock.ts';
import { SpecificationError } from './errors.ts';

/**
 * Compiles a schema of draft 2020-12. The format `time-with-zone` is an RFC 3339 time.
 * @throws {Error} for a bad schema
 */
export async function compileSchema(schema: object, options: Options = {}): Promise<ValidateFunction> {
  return (await schemaCompiler(options))(schema);
}

/** As `compileSchema`, for several schemas that are compiled when they are needed. */
export async function schemaCompiler(options: Options = {}): Promise<(schema: object) => ValidateFunction> {
  // A CommonJS module: bundled or not, its exports are members of the default export.
  const { default: ajv } = await import('ajv/dist/2020.js');
  const validator = new ajv.Ajv2020({ strict: false, ...options });
  validator.addFormat('time-with-zone', (text: string) => readTime(text) !== undefined);
  return (schema) => validator.compile(schema);
}

/** The formats of strings and integers that both service and validator obey. */
const OBEYED = new Set(['int32', 'int64', 'date-time', 'uri']);
/** Members that contain values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * Rejects formats that validators would silently ignore, anywhere in a specification.
 * @throws {SpecificationError} naming the first unknown format and its location
 */
export function rejectUnknownFormats(specification: string, node: unknown, pointer = '#'): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, member] of Object.entries(node)) {
    if (VALUES.has(name)) continue;
    if (name === 'format' && typeof member === 'string' && !OBEYED.has(member)) {
      throw new SpecificationError(`spec/${specification}.yaml: ${pointer} has a format unknown here: ${member}`);
    }
    rejectUnknownFormats(specification, member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}
