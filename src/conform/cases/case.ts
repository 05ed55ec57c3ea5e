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

/** What a finding is about, the same word wherever the same mistake shows, and what it says. */
export const RULES = {
  answer: 'no answer came',
  'answer-type': 'an answer is not application/json',
  schema: "a success does not fit the document's schema",
  int64: 'an integer was rounded, or lies beyond int64',
  'error-body': 'an error has no Error body, or one of another status',
  'error-code': 'the code of an error is none of those that the sandbox gives with its status',
  'www-authenticate': 'a 401 does not ask for a bearer key',
  allow: 'a 405 does not say which methods there are',
  'key-refused': 'a bad key, or none, is not answered with 401',
  'key-accepted': 'a good key is not let in',
  'path-refused': 'a path that there is not is not answered with 404',
  'method-refused': 'a method that there is not is not answered with 405',
  'encoding-refused': 'a bad percent-encoding is not answered with 400',
  'query-refused': 'a bad query is not answered with 400',
  'query-accepted': 'a good query is not answered',
  'body-refused': 'a bad body is not answered with 400',
  'media-type-refused': 'a body of another type is not answered with 415',
  'pet-created': 'a good body is not answered with 201',
  'pet-as-sent': 'a pet is not what was sent',
  'pet-found': 'a pet that is there is not answered, or another one is',
  'pet-not-found': 'a pet that is not there is not answered with 404',
  'limit-kept': 'a list is longer than its limit, or shorter though there are more pets',
  'filter-kept': 'a list holds pets of another status, or lacks some of its own',
  'list-whole': 'a list lacks a pet',
  'list-order': 'a list has an id twice, or is not in ascending id',
  'new-ids': 'a new pet has a used id, or one that is not above the last',
  head: 'HEAD is not answered as GET is',
  sunset: 'getPet does not say when it goes and what replaces it',
} as const;

export type Rule = keyof typeof RULES;

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
