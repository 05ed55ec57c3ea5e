/**
 * The validator's self-check of an operation, before its first verdict. Prism's internal modules are not a public API,
 * and Prism silently accepts everything for a schema that it cannot compile. It also warms everything up: a first call
 * can cost 27 ms.
 */
import type { RecordedRequest, RecordedResponse } from '../api/exchange.ts';
import { isJson, type OperationValidator } from './operation-validator.ts';
import { basePath, type Content, type Node, type Parameter, type PrismOperation } from './operations.ts';
import { compiles, parameterCompiles, type Side } from './prism.ts';

/**
 * Compiles every schema of an operation, and runs every example of the specification, and invalid messages, through its
 * validator.
 * @param seen schemas that were compiled for another operation; this one's are added
 * @throws an error that names the operation and the part of it
 */
export function selfCheck(name: string, validator: OperationValidator, seen: Set<Node>): void {
  const { operation } = validator;
  compileAll(name, operation, seen);
  const request = exampleRequest(name, operation);
  for (const response of operation.responses) {
    const status = Number(response.code.replaceAll('X', '9')) || 599;
    const contents = response.contents ?? [];
    if (contents.length === 0) mustPass(name, validator, request, { status, contentType: undefined, body: '' });
    for (const content of contents) {
      const received = { status, contentType: content.mediaType, body: '' };
      for (const value of exampleValues(content))
        mustPass(name, validator, request, { ...received, body: exampleBody(value) });
      if (content.schema && isJson(content.mediaType))
        mustFail(name, validator, request, received, 'an empty response');
      mustFail(
        name,
        validator,
        request,
        { ...received, contentType: 'x/unheard-of' },
        'a response of a wrong media type',
      );
    }
  }
  const received = { status: 599, contentType: 'application/json', body: '' };
  if (isJson(request.contentType)) mustFail(name, validator, { ...request, body: '{' }, received, 'half a body');
  if (request.authorization !== undefined) {
    mustFail(name, validator, { ...request, authorization: undefined }, received, 'a request without its key');
  }
}

/** Compiles every schema of an operation. @throws an error that names the part */
export function compileAll(name: string, operation: PrismOperation, seen: Set<Node>): void {
  const { request, responses } = operation;
  const bundle = operation.__bundled__;
  for (const parameters of [request?.path ?? [], request?.query ?? [], request?.headers ?? []]) {
    for (const parameter of parameters) {
      if (!parameter.schema || seen.has(parameter.schema)) continue;
      if (!parameterCompiles(parameter, bundle)) throw uncompilable(name, `parameter ${parameter.name}`);
      seen.add(parameter.schema);
    }
  }
  const check = (side: Side, contents: readonly Content[] | undefined, part: string): void => {
    for (const { schema } of contents ?? []) {
      if (!schema || seen.has(schema)) continue;
      if (!compiles(side, schema, bundle)) throw uncompilable(name, part);
      seen.add(schema);
    }
  };
  check('request', request?.body?.contents, 'request body');
  for (const response of responses) check('response', response.contents, `response ${response.code}`);
}

const uncompilable = (name: string, part: string): Error =>
  new Error(`${name}: the schema of its ${part} does not compile, so it would accept everything`);

/** A request built from the specification's examples. */
function exampleRequest(name: string, operation: PrismOperation): RecordedRequest {
  const exampleOf = (parameter: Parameter): string => {
    const example = parameter.examples?.find(({ value }) => value !== undefined);
    if (!example) throw new Error(`${name}: parameter ${parameter.name} needs an example in its specification`);
    return encodeURIComponent(String(example.value));
  };
  const byName = new Map(operation.request?.path?.map((parameter) => [parameter.name, parameter]));
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, parameter) => {
    const described = byName.get(parameter);
    if (!described) throw new Error(`${name}: path parameter ${parameter} is not described`);
    return exampleOf(described);
  });
  const required = operation.request?.query?.filter((parameter) => parameter.required) ?? [];
  const query = required.map((parameter) => `${parameter.name}=${exampleOf(parameter)}`).join('&');
  const content = operation.request?.body?.contents?.[0];
  const [body] = content ? exampleValues(content).map(exampleBody) : [];
  if (content && body === undefined) throw new Error(`${name}: its request body needs an example in its specification`);
  return {
    method: operation.method.toUpperCase(),
    target: `${basePath(operation)}${path}${query === '' ? '' : `?${query}`}`,
    authorization: operation.security?.some((schemes) => schemes.length > 0) ? 'Bearer …' : undefined,
    contentType: content?.mediaType,
    bodyBytes: body?.length ?? 0,
    body,
    bodyUnread: false,
  };
}

const exampleValues = ({ examples }: Content): readonly unknown[] =>
  examples?.map(({ value }) => value).filter((value) => value !== undefined) ?? [];

const exampleBody = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function mustPass(
  name: string,
  validator: OperationValidator,
  request: RecordedRequest,
  received: RecordedResponse,
): void {
  const [violation] = validator.validate(request, received).violations;
  if (!violation) return;
  const { side, location, message } = violation;
  throw new Error(
    `${name}: an example of its specification (${received.status}) is rejected: ${side} ${location}: ${message}`,
  );
}

function mustFail(
  name: string,
  validator: OperationValidator,
  request: RecordedRequest,
  received: RecordedResponse,
  what: string,
): void {
  if (validator.validate(request, received).violations.length === 0) throw new Error(`${name}: ${what} passes`);
}
