/** Each server and command compiles the schemas of the control API, in a tenth of a second. Here a process compiles each once. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** By the schema, and the options that it is compiled with. */
const validators = new Map<string, ValidateFunction>();

const { compile } = Ajv2020.prototype;

Ajv2020.prototype.compile = function compileOnce(this: Ajv2020, schema: object): ValidateFunction {
  const { uriResolver: _, ...options } = this.opts;
  const key = JSON.stringify([options, this.formats, schema], (_name, value) =>
    typeof value === 'function' || value instanceof RegExp ? String(value) : value,
  );
  const validate = validators.get(key) ?? compile.call(this, schema);
  validators.set(key, validate);
  return validate;
} as typeof compile;
