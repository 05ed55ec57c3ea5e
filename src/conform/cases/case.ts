/** The types of the test tables: a request, and the response of a conforming server. */
import { type OperationName, operations } from '../../generated/facts.ts';
import type { Rule } from '../rules.ts';

/** A heading of the petstore API's description. */
export type Section = 'List pets' | 'Add a pet' | 'Get a pet' | 'Authentication' | 'Endpoints' | 'Versioning';

/**
 * The possible effect of a request on a wrong server; a conforming one responds as the table states: none, a new pet,
 * or changed or deleted pets.
 */
export type Risk = 'none' | 'creates' | 'destroys';

export interface ProbeRequest {
  readonly method?: string;
  /** Relative to the base address (`/pets`), sent verbatim: dot segments and percent-encodings are not normalized. */
  readonly path: string;
  /** Several values are sent as several header lines. `Authorization` here replaces the key. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent with `Content-Length`; as chunks if there are several. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
}

/** One row of a table. */
export interface Case {
  /** A short description of the request; unique in the whole suite. */
  readonly title: string;
  readonly section: Section;
  /** The violated rule if the status differs. */
  readonly rule: Rule;
  readonly risk: Risk;
  readonly request: ProbeRequest;
  readonly status: number;
  /** The new pet as JSON, without its id. */
  readonly pet?: string;
}

/** Rows of one kind: their common members, and a request for each title. */
export const casesOf = (
  common: Omit<Case, 'title' | 'request'>,
  requests: Readonly<Record<string, ProbeRequest>>,
): readonly Case[] => Object.entries(requests).map(([title, request]) => ({ ...common, title, request }));

/** An argument of `casesOf`: one request for each of these values, with a title derived from it. */
export const each = (
  values: readonly string[],
  title: (value: string) => string,
  request: (value: string) => ProbeRequest,
): Record<string, ProbeRequest> => Object.fromEntries(values.map((value) => [title(value), request(value)]));

type StatusesOf<Name extends OperationName> =
  keyof (typeof operations)[Name]['responses'] extends `${infer Status extends number}` ? Status : never;

/** A status that the specification documents for an operation: any other does not compile. */
export const documented = <Name extends OperationName>(_operation: Name, status: StatusesOf<Name>): number => status;

/** Paths relative to the base address. */
export const LIST_PATH = operations.listPets.path;
export const petPath = (id: string | bigint): string => operations.getPet.path.replace('{petId}', () => String(id));

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** `createPet` with this body; `undefined`: without one. */
export const post = (
  body: ProbeRequest['body'],
  headers: Required<ProbeRequest>['headers'] = JSON_TYPE,
): ProbeRequest => ({
  method: operations.createPet.method.toUpperCase(),
  path: operations.createPet.path,
  headers,
  ...(body !== undefined && { body }),
});

/** `GET` of a path. */
export const get = (path: string, headers: Required<ProbeRequest>['headers'] = {}): ProbeRequest => ({ path, headers });
