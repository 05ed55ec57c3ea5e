/**
 * The only file that knows Prism, and it knows it by its deep modules, which are no public API: their versions are
 * pinned, and `self-check.ts` tries them at every start.
 *
 * Prism's validators are called part by part, because the way through its front door parses media types, makes a URI
 * template with `Function()` and walks all responses each time: 28 µs for an exchange that the parts judge in 14.
 */
import { validateInput, validateOutput, validateSecurity } from '@stoplight/prism-http/dist/validator/index.js';
import { findOperationResponse } from '@stoplight/prism-http/dist/validator/utils/spec.js';
import { wildcardMediaTypeMatch } from '@stoplight/prism-http/dist/validator/utils/wildcardMediaTypeMatch.js';
import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import type { Content, Node, Operation, Parameter, Response } from './operations.ts';

/** Prism's word on one thing that is wrong. */
export interface Diagnostic {
  /** `['body', 'pets', '0']`, `['query', 'limit']`; segments of a body's path are escaped as in a JSON pointer. */
  readonly path?: readonly string[];
  /** The keyword of the schema, or a status. */
  readonly code?: string | number;
  readonly message: string;
}

/** A request without its parameters: names of headers in lower case. */
export interface RequestElement {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Side = 'request' | 'answer';

/** What Prism gives back: an `Either` of fp-ts. */
type Outcome = { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] } | { readonly _tag: 'Right' };

// Prism's own types ask for far more of an operation than its validators read.
type Validator = (given: { resource: unknown; element: unknown }) => Outcome;
type ParameterValidator = (values: unknown, specs: unknown, context: number, bundle: unknown) => Outcome;
type BodyValidator = (
  body: unknown,
  contents: unknown,
  context: number,
  mediaType: string | undefined,
  boundary: undefined,
  bundle: unknown,
) => Outcome;

const ofSecurity = validateSecurity as unknown as Validator;
const ofRequest = validateInput as unknown as Validator;
const ofAnswer = validateOutput as unknown as Validator;
const ofParameters = {
  path: validators.validatePath as unknown as ParameterValidator,
  query: validators.validateQuery as unknown as ParameterValidator,
};
const ofBody = validators.validateBody as unknown as BodyValidator;

/** Prism's `ValidationContext`, by number: what `readOnly` and `writeOnly` mean depends on it. */
const CONTEXT = { request: 0, answer: 1 };

const NONE: readonly Diagnostic[] = [];

/**
 * Prism's warnings count as well: an undocumented error status is one, and an answer that its document does not know
 * is a breach.
 */
const diagnosticsOf = (outcome: Outcome): readonly Diagnostic[] => (outcome._tag === 'Left' ? outcome.left : NONE);

const elementOf = ({ method, path }: Operation, { headers, body }: RequestElement) => ({
  method,
  url: { path, query: {} },
  headers,
  body,
});

export const checkSecurity = (operation: Operation, request: RequestElement): readonly Diagnostic[] =>
  diagnosticsOf(ofSecurity({ resource: operation, element: elementOf(operation, request) }));

/**
 * Whether a body is there and of a described media type; not what it holds, and no parameters.
 * @throws where the media type cannot be parsed
 */
export function checkRequestFrame(operation: Operation, request: RequestElement, bodyRequired: boolean) {
  const contents = operation.request?.body?.contents?.map(withoutSchema) ?? [];
  const framed = operation.request?.body ? { body: { required: bodyRequired, contents } } : {};
  const resource = { ...operation, request: framed };
  return diagnosticsOf(ofRequest({ resource, element: elementOf(operation, request) }));
}

/**
 * Status and media type of an answer; neither its body nor its other headers, which are not recorded.
 * @throws where the media type cannot be parsed
 */
export function checkAnswerFrame(operation: Operation, status: number, contentType: string | undefined) {
  const responses = operation.responses.map(({ code, contents }) => ({ code, contents: contents?.map(withoutSchema) }));
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return diagnosticsOf(ofAnswer({ resource: { ...operation, responses }, element: { statusCode: status, headers } }));
}

const withoutSchema = ({ mediaType }: Content): Content => ({ mediaType });

/** The response that a status falls to: its own, its class's (`4XX`), or `default`. */
export function responseFor(operation: Operation, status: number): Response | undefined {
  const found = findOperationResponse(operation.responses as never, status) as { _tag: string; value?: Response };
  return found._tag === 'Some' ? found.value : undefined;
}

/** Whether a media type is described by another, which may have wildcards. */
export const mediaTypeFits = (mediaType: string, described: string): boolean =>
  wildcardMediaTypeMatch(mediaType, described);

/** Path or query parameters, by their decoded values. Keep `parameters` the same list: Prism caches by identity. */
export const checkParameters = (
  kind: 'path' | 'query',
  values: object,
  parameters: readonly Parameter[],
  bundle: unknown,
): readonly Diagnostic[] => diagnosticsOf(ofParameters[kind](values, parameters, CONTEXT.request, bundle));

/**
 * What a body holds; also one of `null`, `0`, `false` or `""`, which Prism's front door would take for no body at all.
 * `contents` is a list of the one content that fits the media type; `mediaType` is only wanted where
 * that is no JSON: told of it, Prism parses it twice more.
 */
export const checkBody = (
  side: Side,
  body: unknown,
  contents: readonly Content[],
  mediaType: string | undefined,
  bundle: unknown,
): readonly Diagnostic[] => diagnosticsOf(ofBody(body, contents, CONTEXT[side], mediaType, undefined, bundle));

/**
 * Whether Prism can compile a schema. One that it cannot it takes for one that everything fits, so a `not` is added
 * that nothing fits: where something still does, the schema was not compiled.
 */
export const compiles = (side: Side, schema: Node, bundle: unknown): boolean =>
  checkBody(side, {}, [{ mediaType: 'application/json', schema: { ...schema, not: {} } }], undefined, bundle).length >
  0;

/** The same for a parameter, by another one that is required and not sent. */
export const parameterCompiles = (parameter: Parameter, bundle: unknown): boolean =>
  checkParameters('path', {}, [{ ...parameter, required: false }, NEVER_SENT], bundle).length > 0;

const NEVER_SENT: Parameter = { name: 'never-sent', required: true, schema: {} };
