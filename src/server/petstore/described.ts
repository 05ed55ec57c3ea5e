/**
 * Compares the operations that are built with those of the specification, and collects what each needs to be served.
 */

import { SpecificationError } from '../../base/api/errors.ts';
import { removalOf } from '../../base/api/specification.ts';
import { basePath, type OperationName, operationNames, operations } from '../../base/generated/facts.ts';
import type { Operation } from './operation.ts';

/** An operation of the specification, ready to be served. Computed once, at the start. */
export interface Served {
  readonly name: OperationName;
  readonly method: (typeof operations)[OperationName]['method'];
  /** `/v1/pets/{petId}` */
  readonly path: string;
  /** Status of a success. */
  readonly status: number;
  /** Headers of every response of this operation, errors included. */
  readonly headers: readonly string[];
  /** When the operation is removed, in milliseconds since 1970, by the sandbox's clock. */
  readonly removedAt: number;
  readonly operation: Operation;
}

/**
 * The routes of the API. Paths without parameters come first: they are more specific.
 * @throws {Error} when an operation or a part of its request is described and not built, or built and not described
 */
export function routesOf(built: Readonly<Record<string, Operation>>): readonly Served[] {
  for (const name of Object.keys(built)) {
    if (!Object.hasOwn(operations, name)) throw differs(`does not describe the operation ${name}, which is built`);
  }
  const hasParameter = (name: OperationName): number => Number(operations[name].path.includes('{'));
  const names = [...operationNames].sort((a, b) => hasParameter(a) - hasParameter(b));
  return names.map((name) => servedBy(name, built[name]));
}

function servedBy(name: OperationName, operation: Operation | undefined): Served {
  const { method, path, success, body, parameters } = operations[name];
  if (!operation) throw differs(`describes the operation ${name}, which is not built: ${fileOf(name)}`);
  const parts = [...Object.keys(parameters), ...(body === null ? [] : ['body'])];
  const unread = parts.find((part) => !operation.reads.includes(part));
  if (unread !== undefined)
    throw differs(`describes ${describePart(unread)} of ${name}, which is not built: ${fileOf(name)}`);
  const extra = operation.reads.find((part) => !parts.includes(part));
  if (extra !== undefined) throw differs(`does not describe ${describePart(extra)} of ${name}, which is built`);
  const removedAt = removalOf(name);
  const headers = removedAt === undefined ? [] : sunsetHeaders(removedAt, operation);
  const about = { name, method, path: `${basePath}${path}`, status: success.status };
  return { ...about, headers, removedAt: removedAt ?? Infinity, operation };
}

const fileOf = (name: OperationName): string => `src/server/petstore/operations/${name}.ts`;

/** RFC 8594 and RFC 8288: when an operation is removed, and what replaces it. */
const sunsetHeaders = (removedAt: number, { successor }: Operation): string[] => [
  ...['Sunset', new Date(removedAt).toUTCString()],
  ...(successor ? ['Link', `<${successor.address}>; rel="successor-version"`] : []),
];

function describePart(part: string): string {
  const [location, name] = part.split('/');
  return name === undefined ? `the ${location}` : `the ${location} parameter ${name}`;
}

const differs = (what: string): SpecificationError => new SpecificationError(`spec/openapi.yaml ${what}`);
