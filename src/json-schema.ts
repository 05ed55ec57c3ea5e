/** The JSON Schema validator, loaded when it is first needed: a server that only serves pets never loads it. */
import type { Options, ValidateFunction } from 'ajv';
import { readTime } from './clock.ts';

/** Compiles a schema of draft 2020-12. The format `time-with-zone` is an RFC 3339 time. @throws {Error} for a bad schema */
export async function compileSchema(schema: object, options: Options = {}): Promise<ValidateFunction> {
  // A CommonJS module: bundled or not, its exports are members of the default one.
  const { default: ajv } = await import('ajv/dist/2020.js');
  const validator = new ajv.Ajv2020({ strict: false, ...options });
  validator.addFormat('time-with-zone', (text: string) => readTime(text) !== undefined);
  return validator.compile(schema);
}
