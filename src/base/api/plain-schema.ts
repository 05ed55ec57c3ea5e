/**
 * Which schemas the service checks by its own code: type, enumeration, and the bounds of an int64. For any other schema,
 * `npm run generate` compiles a function into `generated/field-checks.js`.
 */

interface SchemaNode {
  readonly [keyword: string]: unknown;
}

/** Keywords that constrain nothing. */
const ANNOTATIONS = ['default', 'readOnly', 'writeOnly', '$comment', 'contentMediaType'];

const PLAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set(['type', 'enum', ...ANNOTATIONS]),
  integer: new Set(['type', 'format', 'minimum', 'maximum', ...ANNOTATIONS]),
  number: new Set(['type', ...ANNOTATIONS]),
  boolean: new Set(['type', ...ANNOTATIONS]),
};

/** Whether type, enumeration and bounds say all of a schema, whose references were followed. */
export function isPlain(schema: SchemaNode): boolean {
  const { type, format, minimum = 0, maximum = 0, enum: values = [] } = schema;
  const known = PLAIN[String(type)];
  return (
    known !== undefined &&
    Object.keys(schema).every((keyword) => known.has(keyword)) &&
    [undefined, 'int32', 'int64'].includes(format as string | undefined) &&
    Number.isSafeInteger(minimum) &&
    Number.isSafeInteger(maximum) &&
    (values as readonly unknown[]).every((value) => typeof value === 'string')
  );
}
