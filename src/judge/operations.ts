/** The operations of both documents, as `scripts/build-operations.mjs` writes them into `dist/operations.json`. */
import type { DocumentName } from '../exchange.ts';

/** A JSON Schema or a part of a document: whatever the document says. */
export interface Node {
  readonly [keyword: string]: unknown;
}

export interface Example {
  readonly value?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: Node;
  readonly examples?: readonly Example[];
}

/** A body under one media type. */
export interface Content {
  readonly mediaType: string;
  readonly schema?: Node;
  readonly examples?: readonly Example[];
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  readonly code: string;
  readonly contents?: readonly Content[];
}

/** An operation in the shape that Prism's validators take; only what is used here is named. */
export interface Operation {
  /** The document's `operationId`. */
  readonly iid: string;
  readonly method: string;
  /** The path's template: `/pets/{petId}`. */
  readonly path: string;
  readonly deprecated?: boolean;
  readonly extensions?: Node;
  readonly request?: {
    readonly path?: readonly Parameter[];
    readonly query?: readonly Parameter[];
    readonly headers?: readonly Parameter[];
    readonly body?: { readonly required?: boolean; readonly contents?: readonly Content[] };
  };
  readonly responses: readonly Response[];
  readonly security?: readonly (readonly Node[])[];
  readonly servers?: readonly { readonly url: string }[];
  /** Targets of circular references. */
  readonly __bundled__?: Node;
}

/** Both documents, by name. */
export type Documents = Readonly<Record<DocumentName, Described>>;

export interface Described {
  /** The document as it was read, references and all: what pointers point into. */
  readonly document: Node;
  readonly operations: readonly Operation[];
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The path that stands before the paths of the document (`/v1`), from the address of its first server; `''` when there
 * is none. Prism's operations do not know it.
 */
export const basePath = (operation: Operation): string =>
  (operation.servers?.[0]?.url ?? '').replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\/$/, '');

/** Makes equal schemas one object: Prism compiles by identity, and the same Error body stands in every operation. */
export function shareSchemas(operations: readonly Operation[], known: Map<string, unknown>): readonly Operation[] {
  return JSON.parse(JSON.stringify(operations), (key, value) => {
    if (key !== 'schema') return value;
    const text = JSON.stringify(value);
    if (!known.has(text)) known.set(text, value);
    return known.get(text);
  }) as Operation[];
}
