/** What Prism's internal modules say of the examples of both specifications, and of messages that are none. */
import { expect, test } from 'vitest';
import type { RecordedRequest, RecordedResponse } from '../../../src/base/api/exchange.ts';
import { isJson, OperationValidator } from '../../../src/verdict/validator/operation-validator.ts';
import {
  basePath,
  type Content,
  type Parameter,
  type PrismOperation,
} from '../../../src/verdict/validator/operations.ts';
import { describedControls } from '../../support/control-check.ts';
import { described } from './validators/specifications.ts';

const operations = [described, await describedControls()].flatMap(({ specification, operations }) =>
  operations.map((operation) => [operation.iid, new OperationValidator(specification, operation)] as const),
);

test.each(operations)('%s takes its examples, and nothing that is none', (_, validator) => {
  const { operation } = validator;
  const request = exampleRequest(operation);
  const valid: [RecordedRequest, RecordedResponse][] = [];
  const invalid: [RecordedRequest, RecordedResponse][] = [];
  for (const response of operation.responses) {
    const status = Number(response.code.replaceAll('X', '9')) || 599;
    const contents = response.contents ?? [];
    if (contents.length === 0) valid.push([request, { status, contentType: undefined, body: '' }]);
    for (const content of contents) {
      const received = { status, contentType: content.mediaType, body: '' };
      for (const value of exampleValues(content)) valid.push([request, { ...received, body: exampleBody(value) }]);
      if (content.schema && isJson(content.mediaType)) invalid.push([request, received]);
      invalid.push([request, { ...received, contentType: 'x/unheard-of' }]);
    }
  }
  const received = { status: 599, contentType: 'application/json', body: '' };
  if (isJson(request.contentType)) invalid.push([{ ...request, body: '{' }, received]);
  if (request.authorization !== undefined) invalid.push([{ ...request, authorization: undefined }, received]);
  expect(valid.map((message) => validator.validate(...message).violations)).toEqual(valid.map(() => []));
  for (const message of invalid)
    expect([message, validator.validate(...message).violations]).not.toEqual([message, []]);
});

/** A request built from the specification's examples. */
function exampleRequest(operation: PrismOperation): RecordedRequest {
  const exampleOf = ({ name, examples }: Parameter): string => {
    const example = examples?.find(({ value }) => value !== undefined);
    expect([name, example]).toEqual([name, expect.anything()]);
    return encodeURIComponent(String(example?.value));
  };
  const byName = new Map(operation.request?.path?.map((parameter) => [parameter.name, parameter]));
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name) => exampleOf(byName.get(name) as Parameter));
  const required = operation.request?.query?.filter((parameter) => parameter.required) ?? [];
  const query = required.map((parameter) => `${parameter.name}=${exampleOf(parameter)}`).join('&');
  const content = operation.request?.body?.contents?.[0];
  const [body] = content ? exampleValues(content).map(exampleBody) : [];
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
