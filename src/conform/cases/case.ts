/** The words of the table: what is asked of a server, and what it answers where it is right. */

/** A heading of the interface's description. */
export type Section =
  | 'List animals'
  | 'Add an animal'
  | 'Get an animal'
  | 'Authentication'
  | 'Errors'
  | 'Endpoints'
  | 'Versioning';

/** Who says so: the interface's description, or the sandbox where the description is silent. */
export type Level = 'contract' | 'sandbox';

/**
 * What a wrong server might do with a request that a right one answers as the table says: nothing, add a pet, or
 * change or drop what it has.
 */
export type Risk = 'none' | 'creates' | 'destroys';

/** What a finding is about: the same word wherever the same mistake shows. */
export type Rule =
  | 'answer' // there was none
  | 'answer-type' // not `application/json`
  | 'schema' // the body does not fit the document's schema
  | 'int64' // an integer that was rounded, or lies beyond the range
  | 'error-body'
  | 'error-code' // one that the sandbox does not give with this status
  | 'www-authenticate'
  | 'allow'
  | 'key-refused'
  | 'key-accepted'
  | 'path-refused'
  | 'method-refused'
  | 'encoding-refused'
  | 'query-refused'
  | 'query-accepted'
  | 'body-refused'
  | 'media-type-refused'
  | 'pet-created'
  | 'pet-as-sent'
  | 'pet-found'
  | 'pet-not-found'
  | 'limit-kept'
  | 'filter-kept'
  | 'list-whole'
  | 'list-order'
  | 'new-ids'
  | 'head'
  | 'sunset';

/** A request. */
export interface Ask {
  readonly method?: string;
  /** After the base address (`/pets`), sent as it is: no dot segment or percent-encoding is touched. */
  readonly path: string;
  /** Several values are sent as several lines. `Authorization` here stands in for the key. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent with its length; in chunks where there are several. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
}

/** One row of the table. */
export interface Case {
  /** What is asked, in a few words; one of its own in the whole table. */
  readonly title: string;
  readonly section: Section;
  readonly level: Level;
  readonly rule: Rule;
  readonly risk: Risk;
  readonly ask: Ask;
  readonly status: number;
  /** The new pet as JSON, without its id. */
  readonly pet?: string;
}

/** Rows of one kind: all that they have in common, and what is asked in each by its title. */
export const casesOf = (common: Omit<Case, 'title' | 'ask'>, asks: Readonly<Record<string, Ask>>): readonly Case[] =>
  Object.entries(asks).map(([title, ask]) => ({ ...common, title, ask }));

/** As an argument of `casesOf`: one ask for each of these, under a title made of it. */
export const each = (
  values: readonly string[],
  title: (value: string) => string,
  ask: (value: string) => Ask,
): Record<string, Ask> => Object.fromEntries(values.map((value) => [title(value), ask(value)]));

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** `POST /pets` with this body; `undefined`: without one. */
export const post = (body: Ask['body'], headers: Required<Ask>['headers'] = JSON_TYPE): Ask => ({
  method: 'POST',
  path: '/pets',
  headers,
  ...(body !== undefined && { body }),
});
