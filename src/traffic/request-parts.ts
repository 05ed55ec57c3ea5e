/** The parts of a request that findings refer to, as fragments that a client could send: `limit=500`. */

import { pathOfTarget } from '../base/address.ts';
import type { Exchange, RecordedRequest } from '../base/api/exchange.ts';
import {
  joined,
  jsonBeginning,
  MAX_VALUE,
  memberText,
  pathInBody,
  type QueryPart,
  queryPartsOf,
} from '../base/api/request-text.ts';
import { isObject, type JsonObject, type JsonValue, NumberLiteral, parseIfJson } from '../base/int64.ts';
import { shorten } from '../base/text.ts';

/** The subject of a finding. */
export interface Spot {
  /** `query/limit`, `path/petId`, `body/categoryId`, `header/content-type`, `operation`. */
  readonly location: string;
  /** The violated rule: `maximum`, `required`, `unknown-field`. */
  readonly rule: string;
  /** The digits that the sandbox had sent, if the client returned them rounded. */
  readonly handedOut?: string;
}

/** Longer bodies are not parsed: a sample is not worth the time for a megabyte. */
const MAX_READ = 16 * 1024;

/** Reads the parts of one request. */
export class SentParts {
  readonly operation: string | undefined;
  /** Status of the response. */
  readonly status: number | undefined;
  readonly request: RecordedRequest;
  #body: { readonly value: JsonValue | undefined } | undefined;
  #pairs: readonly QueryPart[] | undefined;

  constructor({ operation, request, response }: Pick<Exchange, 'operation' | 'request'> & Partial<Exchange>) {
    this.operation = operation;
    this.status = response?.status;
    this.request = request;
  }

  get line(): string {
    return `${this.request.method} ${this.request.target}`;
  }

  /** The path as sent. */
  get path(): string {
    return pathOfTarget(this.request.target);
  }

  /** The query. Its names are decoded once, however many findings it has. */
  get pairs(): readonly QueryPart[] {
    this.#pairs ??= queryPartsOf(this.request.target);
    return this.#pairs;
  }

  /** The parsed body; `undefined` if there is none, or it is long or not JSON. */
  get body(): JsonValue | undefined {
    const { bodyText } = this;
    this.#body ??= { value: bodyText === undefined ? undefined : parseIfJson(bodyText) };
    return this.#body.value;
  }

  /** The body's text; `undefined` if there is none, or it is long. */
  get bodyText(): string | undefined {
    const { body } = this.request;
    return body === undefined || body.length > MAX_READ ? undefined : body;
  }

  get fields(): JsonObject | undefined {
    return isObject(this.body) ? this.body : undefined;
  }

  /** Whether a part is there; of an object, the member itself. */
  has(location: string): boolean {
    const { fields } = this;
    const [name] = location.startsWith('body/') ? pathInBody(fields, location) : [];
    return fields === undefined || name === undefined
      ? this.sentAt(location) !== undefined
      : Object.hasOwn(fields, name);
  }

  /** The fragment at a location: `limit=500`, `"categoryId":"1"`; `undefined` if nothing was sent there. */
  sentAt(location: string): string | undefined {
    const [kind, name = ''] = location.split('/', 2);
    switch (kind) {
      case 'query':
        return name === '' ? undefined : joined(this.pairs.filter((pair) => pair.name === name)) || undefined;
      case 'path':
        return this.path;
      case 'body':
        return this.#inBody(pathInBody(this.fields, location));
      case 'header':
        return this.#header(name);
      case 'operation':
        return this.line;
      default:
        return undefined;
    }
  }

  /** The member at a path, or the value that lacks it. */
  #inBody(path: readonly string[]): string | undefined {
    let value = this.body;
    if (value === undefined) return shorten(this.request.body ?? '', MAX_VALUE) || undefined;
    let name: string | undefined;
    for (const part of path) {
      const member = memberOf(value, part);
      if (member === undefined) break;
      name = Array.isArray(value) ? undefined : part;
      value = member;
    }
    return name === undefined ? jsonBeginning(value, MAX_VALUE) : memberText(name, value);
  }

  #header(name: string): string | undefined {
    const { authorization, contentType } = this.request;
    if (name === 'authorization') return authorization === undefined ? undefined : `Authorization: ${authorization}`;
    if (name === 'content-type') return contentType === undefined ? undefined : `Content-Type: ${contentType}`;
    return undefined;
  }
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}
