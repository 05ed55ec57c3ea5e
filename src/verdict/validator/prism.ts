/**
 * The only file that uses Prism. It imports internal modules, which are not a public API: their versions are pinned,
 * and `test/verdict/validator/examples.test.ts` runs them on what the specifications give as examples.
 * Prism's validators are called part by part, because its public entry point parses media types, builds a URI template
 * with `Function()` and walks all responses each time: 28 µs for an exchange that the parts validate in 14.
 */
import { validateInput, validateOutput, validateSecurity } from '@stoplight/prism-http/dist/validator/index.js';
import { findOperationResponse } from '@stoplight/prism-http/dist/validator/utils/spec.js';
import { wildcardMediaTypeMatch } from '@stoplight/prism-http/dist/validator/utils/wildcardMediaTypeMatch.js';
import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { validateAgainstSchema } from '@stoplight/prism-http/dist/validator/validators/utils.js';
import type { Content, DescribedResponse, Node, Parameter, PrismOperation } from './operations.ts';

/** A diagnostic of Prism. */
export interface Diagnostic {
  /** `['body', 'pets', '0']`, `['query', 'limit']`; segments of a body's path are escaped as in a JSON pointer. */
  readonly path?: readonly string[];
  /** The keyword of the schema, or a status. */
  readonly code?: string | number;
  readonly message: string;
}

/** A request without its parameters; header names are in lower case. */
interface RequestElement {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Side = 'request' | 'response';

/** The result of Prism's validators: an `Either` of fp-ts. */
type PrismResult = { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] } | { readonly _tag: 'Right' };

// Prism's own types require far more of an operation than its validators read.
type Validator = (input: { resource: unknown; element: unknown }) => PrismResult;
type ParameterValidator = (values: unknown, specs: unknown, context: number, bundle: unknown) => PrismResult;
type BodyValidator = (
  body: unknown,
  contents: unknown,
  context: number,
  mediaType: string | undefined,
  boundary: undefined,
  bundle: unknown,
) => PrismResult;
/** Its result is an `Option` of fp-ts. */
type JsonValidator = (
  body: unknown,
  schema: Node,
  coerce: boolean,
  context: number,
  prefix: string,
  bundle: unknown,
) => { readonly _tag: 'Some'; readonly value: readonly Diagnostic[] } | { readonly _tag: 'None' };

const ofSecurity = validateSecurity as unknown as Validator;
const ofRequest = validateInput as unknown as Validator;
const ofResponse = validateOutput as unknown as Validator;
const ofParameters = {
  path: validators.validatePath as unknown as ParameterValidator,
  query: validators.validateQuery as unknown as ParameterValidator,
};
const ofBody = validators.validateBody as unknown as BodyValidator;
const ofJson = validateAgainstSchema as unknown as JsonValidator;

/** Prism's `ValidationContext`, by number: it determines the meaning of `readOnly` and `writeOnly`. */
const CONTEXT = { request: 0, response: 1 };

const NONE: readonly Diagnostic[] = [];

/**
 * Prism's warnings count as well: an undocumented error status is a warning, and a response that its specification does
 * not describe is a violation.
 */
const diagnosticsOf = (outcome: PrismResult): readonly Diagnostic[] => (outcome._tag === 'Left' ? outcome.left : NONE);

const elementOf = ({ method, path }: PrismOperation, { headers, body }: RequestElement) => ({
  method,
  url: { path, query: {} },
  headers,
  body,
});

export const checkSecurity = (operation: PrismOperation, request: RequestElement): readonly Diagnostic[] =>
  diagnosticsOf(ofSecurity({ resource: operation, element: elementOf(operation, request) }));

/**
 * Checks the presence and media type of a body, but neither its content nor parameters.
 * @throws for a malformed media type
 */
export function checkRequestFrame(operation: PrismOperation, request: RequestElement, bodyRequired: boolean) {
  const contents = operation.request?.body?.contents?.map(withoutSchema) ?? [];
  const framed = operation.request?.body ? { body: { required: bodyRequired, contents } } : {};
  const resource = { ...operation, request: framed };
  return diagnosticsOf(ofRequest({ resource, element: elementOf(operation, request) }));
}

/**
 * Checks the status and media type of a response, but neither its body nor its other headers, which are not recorded.
 * @throws for a malformed media type
 */
export function checkResponseFrame(operation: PrismOperation, status: number, contentType: string | undefined) {
  const responses = operation.responses.map(({ code, contents }) => ({ code, contents: contents?.map(withoutSchema) }));
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return diagnosticsOf(ofResponse({ resource: { ...operation, responses }, element: { statusCode: status, headers } }));
}

const withoutSchema = ({ mediaType }: Content): Content => ({ mediaType });

/** The response that describes a status: its own, its class's (`4XX`), or `default`. */
export function responseFor(operation: PrismOperation, status: number): DescribedResponse | undefined {
  const found = findOperationResponse(operation.responses as never, status) as {
    _tag: string;
    value?: DescribedResponse;
  };
  return found._tag === 'Some' ? found.value : undefined;
}

/** Whether a media type matches a described one, which may have wildcards. */
export const mediaTypeFits = (mediaType: string, described: string): boolean =>
  wildcardMediaTypeMatch(mediaType, described);

/**
 * Checks path or query parameters, by their decoded values. Always pass the same `parameters`: Prism caches by
 * identity.
 */
export const checkParameters = (
  kind: 'path' | 'query',
  values: object,
  parameters: readonly Parameter[],
  bundle: unknown,
): readonly Diagnostic[] => diagnosticsOf(ofParameters[kind](values, parameters, CONTEXT.request, bundle));

/** A content whose schema bodies are checked against. */
export interface Expected {
  readonly content: Content;
  /** See `isReadyForPrism`. */
  readonly isPlain: boolean;
}

/**
 * Checks the content of a body, including `null`, `0`, `false` and `""`, which Prism's public entry point would treat
 * as a missing body.
 * JSON goes directly to Prism's last step. The steps before it parse media types, which costs eight times as much as
 * the check itself, and rewrite some schemas.
 * @param mediaType only for a body that is not JSON
 */
export function checkBody(
  side: Side,
  body: unknown,
  { content, isPlain }: Expected,
  mediaType: string | undefined,
  bundle: unknown,
): readonly Diagnostic[] {
  if (mediaType === undefined && isPlain && content.schema) {
    const found = ofJson(body, content.schema, false, CONTEXT[side], 'body', bundle);
    return found._tag === 'Some' ? found.value : NONE;
  }
  return diagnosticsOf(ofBody(body, [content], CONTEXT[side], mediaType, undefined, bundle));
}

/** Keywords of schemas that Prism rewrites before it checks a body, with another meaning. */
const REWRITTEN = new Set(['readOnly', 'writeOnly', '$ref']);

/**
 * Whether Prism's last step can use a schema as it stands. Prism merges an `allOf` into one schema before that, which
 * accepts the same values; its last step compiles an `allOf` as well, without that.
 */
export const isReadyForPrism = (schema: unknown): boolean =>
  typeof schema !== 'object' ||
  schema === null ||
  Object.entries(schema).every(([keyword, value]) => !REWRITTEN.has(keyword) && isReadyForPrism(value));

/** A schema that accepts all of these accepts everything, or was not compiled. */
const ONE_OF_EACH_TYPE = [null, true, 0, '', [], {}];

/**
 * Whether Prism can compile a schema. Prism silently accepts everything for a schema that it cannot compile. Where a
 * schema accepts a value of each type, a copy with a `not` that matches nothing tells the two cases apart.
 */
export function compiles(side: Side, schema: Node, bundle: unknown): boolean {
  const rejects = (tried: Node, value: unknown): boolean => {
    const content = { mediaType: 'application/json', schema: tried };
    return checkBody(side, value, { content, isPlain: isReadyForPrism(tried) }, undefined, bundle).length > 0;
  };
  return ONE_OF_EACH_TYPE.some((value) => rejects(schema, value)) || rejects({ ...schema, not: {} }, {});
}

/** The same for a parameter, with an additional required parameter that is not sent. */
export const parameterCompiles = (parameter: Parameter, bundle: unknown): boolean =>
  // Prism takes the value of a list apart, whether it is there or not.
  checkParameters(
    'path',
    { [parameter.name.toLowerCase()]: '' },
    [{ ...parameter, required: false }, NEVER_SENT],
    bundle,
  ).length > 0;

const NEVER_SENT: Parameter = { name: 'never-sent', required: true, schema: {} };
