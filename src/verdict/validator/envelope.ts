/**
 * Validates a message without its parameters and its body: security, status, media types. The result depends on little, so
 * each shape is validated once and cached.
 */

import type { RecordedRequest, RecordedResponse, Violation } from '../../base/api/exchange.ts';
import { isRequired } from '../../base/api/schema-problems.ts';
import { shorten } from '../../base/text.ts';
import type { PrismOperation } from './operations.ts';
import type { Pointers, SpecificationPart } from './pointers.ts';
import {
  checkRequestFrame,
  checkResponseFrame,
  checkSecurity,
  type Diagnostic,
  type Expected,
  isReadyForPrism,
  mediaTypeFits,
  responseFor,
} from './prism.ts';

interface Envelope {
  readonly violations: readonly Violation[];
  /** The schema to validate the body against; `undefined` if there is none. */
  readonly body: ExpectedBody | undefined;
}

export interface ExpectedBody extends Expected {
  readonly schema: SpecificationPart;
}

/** Shapes cached for one operation. Clients determine them, so they are limited. */
const MAX_SHAPES = 300;
const MAX_SHAPE_LENGTH = 300;

/** Characters of a media type that Prism parses. The service rejects shorter ones already. */
const MAX_PARSED_TYPE = 300;

/** The envelopes of one operation's messages. */
export class Envelopes {
  readonly #operation: PrismOperation;
  readonly #pointers: Pointers;
  readonly #requests = new Map<string, Envelope>();
  readonly #responses = new Map<string, Envelope>();

  constructor(operation: PrismOperation, pointers: Pointers) {
    this.#operation = operation;
    this.#pointers = pointers;
  }

  ofRequest(request: RecordedRequest): Envelope {
    const state = request.bodyUnread ? 'unread' : request.body === undefined ? 'none' : 'read';
    const shape = `${state} ${request.bodyBytes > 0} ${request.authorization}\n${request.contentType}`;
    return remembered(this.#requests, shape, () => this.#checkRequest(request));
  }

  ofResponse(received: RecordedResponse): Envelope {
    return remembered(this.#responses, `${received.status} ${received.contentType}`, () =>
      this.#checkResponse(received),
    );
  }

  #checkRequest(request: RecordedRequest): Envelope {
    const hasBody = request.bodyUnread || request.bodyBytes > 0;
    // Without a body its type has no meaning, but Prism would fail on a malformed one.
    const contentType = hasBody ? request.contentType : undefined;
    const headers: Record<string, string> = {};
    if (request.authorization !== undefined) headers['authorization'] = request.authorization;
    if (contentType !== undefined) headers['content-type'] = contentType;
    // Prism only checks whether the length is zero. That of an unread body may be unknown.
    if (hasBody) headers['content-length'] = String(Math.max(1, request.bodyBytes));
    const element = { headers, body: request.body === undefined ? undefined : {} };

    const security = checkSecurity(this.#operation, element).map(
      (): Violation => ({
        side: 'request',
        location: 'header/authorization',
        pointer: this.#pointers.security(),
        rule: 'security',
        message: request.authorization === undefined ? 'is required' : 'fits no security scheme of the operation',
      }),
    );
    const described = this.#operation.request?.body;
    const frame = parsing(contentType, () =>
      // A body that was rejected unread was sent anyway.
      checkRequestFrame(this.#operation, element, described?.required === true && !request.bodyUnread),
    );
    const violations = [...security, ...frame.map((diagnostic) => this.#requestViolation(diagnostic))];
    if (frame.length > 0 || request.bodyUnread) return { violations, body: undefined };
    const contents = described?.contents ?? [];
    // Prism parses a media type in two ways; `application/json;` matches in only one of them. Then it takes the first.
    const content =
      contents.find(({ mediaType }) => !contentType || mediaTypeFits(contentType, mediaType)) ?? contents[0];
    if (!content?.schema) return { violations, body: undefined };
    const schema = this.#pointers.requestBody('content', content.mediaType, 'schema');
    return { violations, body: { content, isPlain: isReadyForPrism(content.schema), schema } };
  }

  #requestViolation({ code, message }: Diagnostic): Violation {
    const side = 'request';
    if (!this.#operation.request?.body) {
      return { side, location: 'body', pointer: this.#pointers.operation(), rule: 'body', message };
    }
    if (code === 'required') {
      const { pointer } = this.#pointers.requestBody('required');
      return { side, location: 'body', pointer, rule: code, message: isRequired(undefined) };
    }
    const { pointer } = this.#pointers.requestBody('content');
    const { contents = [] } = this.#operation.request.body;
    return wrongType(side, pointer, contents, message);
  }

  #checkResponse({ status, contentType }: RecordedResponse): Envelope {
    const response = responseFor(this.#operation, status);
    const { pointer } = this.#pointers.response(response?.code, 'content');
    const frame = parsing(contentType, () => checkResponseFrame(this.#operation, status, contentType));
    const violations = frame.map(({ message }): Violation => {
      const side = 'response';
      if (!response) return { side, location: 'status', pointer, rule: 'status', message };
      const { contents = [] } = response;
      return wrongType(side, pointer, contents, message);
    });
    const content = contentFor(response?.contents ?? [], contentType ?? '');
    if (frame.length > 0 || !response || !content?.schema) return { violations, body: undefined };
    const schema = this.#pointers.response(response.code, 'content', content.mediaType, 'schema');
    return { violations, body: { content, isPlain: isReadyForPrism(content.schema), schema } };
  }
}

/** The violation of a media type that is none of those of a body. @param otherwise the message for a body without any */
const wrongType = (
  side: Violation['side'],
  pointer: string,
  contents: readonly { readonly mediaType: string }[],
  otherwise: string,
): Violation => ({
  side,
  location: 'header/content-type',
  pointer,
  rule: 'content-type',
  message: contents.length === 0 ? otherwise : `is ${contents.map(({ mediaType }) => mediaType).join(' or ')}`,
});

/** Prism treats `application/problem+json` and `application/json` as equal: the type with the exact name comes first. */
function contentFor<Content extends { readonly mediaType: string }>(
  contents: readonly Content[],
  contentType: string,
): Content | undefined {
  const named = contents.find(({ mediaType }) => mediaType === contentType.split(';')[0]?.trim().toLowerCase());
  return named ?? contents.find(({ mediaType }) => mediaTypeFits(contentType, mediaType));
}

/** Prism throws on a malformed media type; nothing else in an envelope can make it throw. */
function parsing(contentType: string | undefined, check: () => readonly Diagnostic[]): readonly Diagnostic[] {
  if (contentType !== undefined && contentType.length > MAX_PARSED_TYPE) {
    return [{ code: 415, message: `Content-Type is longer than ${MAX_PARSED_TYPE} characters` }];
  }
  try {
    return check();
  } catch (error) {
    if (contentType === undefined) throw error;
    return [{ code: 415, message: `Content-Type cannot be parsed: ${shorten((error as Error).message, 200)}` }];
  }
}

function remembered(map: Map<string, Envelope>, shape: string, check: () => Envelope): Envelope {
  const known = map.get(shape);
  if (known) return known;
  const envelope = check();
  if (map.size >= MAX_SHAPES) map.clear();
  if (shape.length <= MAX_SHAPE_LENGTH) map.set(shape, envelope);
  return envelope;
}
