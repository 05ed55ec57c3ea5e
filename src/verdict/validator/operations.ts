/** The operations of the petstore API, as `scripts/build-operations.mjs` writes them to `dist/operations.json`. */

/** A JSON Schema or a part of a specification. */
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

/** A body of one media type. */
export interface Content {
  readonly mediaType: string;
  readonly schema?: Node;
  readonly examples?: readonly Example[];
}

export interface DescribedResponse {
  /** `200`, `4XX` or `default`. */
  readonly code: string;
  readonly contents?: readonly Content[];
}

/** An operation in the form that Prism's validators accept; only the members used here are declared. */
export interface PrismOperation {
  /** The specification's `operationId`. */
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
  readonly responses: readonly DescribedResponse[];
  readonly security?: readonly (readonly Node[])[];
  readonly servers?: readonly { readonly url: string }[];
  /** Targets of circular references. */
  readonly __bundled__?: Node;
}

/** What the validator is built from. */
export interface DescribedOperations {
  /** The specification with its references, as pointers address it. */
  readonly specification: Node;
  readonly operations: readonly PrismOperation[];
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The prefix of the specification's paths (`/v1`), from the URL of its first server; `''` without one. Prism's
 * operations do not include it.
 */
export const basePath = (operation: PrismOperation): string =>
  (operation.servers?.[0]?.url ?? '').replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\/$/, '');

/** Shares equal schemas: Prism compiles by identity, and every operation has the same Error body. */
export function shareSchemas(operation: PrismOperation, known: Map<string, unknown>): PrismOperation {
  return JSON.parse(JSON.stringify(operation), (key, value) => {
    if (key !== 'schema') return value;
    const text = JSON.stringify(value);
    if (!known.has(text)) known.set(text, value);
    return known.get(text);
  }) as PrismOperation;
}
