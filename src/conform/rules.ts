/** The rules: one for each kind of mistake. The ids are stable; docs/reference/rules.md and behavior.md list them. */

/**
 * The authority of a rule: `specification` is the petstore API's specification; `sandbox` is a decision of the sandbox
 * where the specification is silent, documented in docs/reference/behavior.md.
 */
export type Basis = 'specification' | 'sandbox';

interface RuleText {
  readonly basis: Basis;
  /** The behavior of a server that violates this rule. */
  readonly says: string;
}

const specification = (says: string) => ({ basis: 'specification', says }) as const;
const sandbox = (says: string) => ({ basis: 'sandbox', says }) as const;

export const RULES = {
  'no-response': specification('no response came'),
  'response-type': specification('a response is not application/json'),
  schema: specification('a success does not match its schema'),
  int64: specification('an integer was rounded, or lies beyond int64'),
  int32: specification('an integer was cut to 32 bits'),
  'content-encoding': specification('a response is compressed, although the request accepts no compression'),
  'error-body': specification('an error has no Error body, or one of another status'),
  'key-rejected': specification('a wrong key, or none, does not get 401'),
  'query-accepted': specification('a valid query does not get 200'),
  'body-rejected': specification('a body without the required fields, or with invalid values, does not get 400'),
  'pet-created': specification('a NewPet does not get 201'),
  'pet-as-sent': specification('a pet is not as it was sent'),
  'id-assigned': specification('a new pet has the id that the client chose'),
  'stored-once': specification('a new pet is stored more than once'),
  'status-invented': specification('a pet that was created without a status has one'),
  'pet-found': specification('a pet that exists is not returned by its id, or another one is'),
  'pet-not-found': specification('a pet that does not exist does not get 404'),
  'limit-kept': specification('a list is longer than its limit'),
  'default-limit': specification('a list without a limit is not as long as one with the default limit'),
  'filter-kept': specification('a list by status holds pets of another status, or none although there are some'),
  'unique-ids': specification('two pets have the same id'),
  'integer-form': sandbox('an integer is written with a point, an exponent, or a sign before zero'),
  'further-members': sandbox('a body has fields that its schema does not list'),
  'error-code': sandbox('an error has another code than the sandbox gives with its status'),
  'www-authenticate': sandbox('a 401 does not ask for a bearer key'),
  allow: sandbox('a 405 does not list the methods'),
  'key-first': sandbox('a request without a valid key does not get 401 before anything else is checked'),
  'scheme-case': sandbox('the scheme Bearer is not accepted in another case'),
  'path-rejected': sandbox('an unknown path does not get 404'),
  'method-rejected': sandbox('an unknown method does not get 405'),
  'encoding-rejected': sandbox('an invalid percent-encoding does not get 400'),
  'encoding-read': sandbox('a percent-encoded id or parameter is not read as the plain one'),
  'query-rejected': sandbox('an invalid query does not get 400'),
  'parameters-ignored': sandbox('an unknown query parameter is not ignored'),
  'id-rejected': sandbox("an id that isn't a plain int64 doesn't get 404"),
  'unreadable-rejected': sandbox("a body that isn't unambiguous JSON doesn't get 400"),
  'media-type-rejected': sandbox('a body of another type does not get 415'),
  'body-accepted': sandbox('a body that the sandbox accepts does not become the same pet'),
  'list-full': sandbox('a list is shorter than its limit although there are more pets'),
  'list-complete': sandbox('a list that is shorter than its limit lacks a pet'),
  'list-order': sandbox('a list is not in ascending order of ids'),
  'ids-ascend': sandbox('the id of a new pet is not above the last one, or above those of the list'),
  head: sandbox('HEAD does not get the status or the Content-Length of GET'),
  preflight: sandbox('OPTIONS needs a key, or does not say which methods a page may use'),
  sunset: sandbox('getPet does not announce its removal and its replacement'),
} as const satisfies Readonly<Record<string, RuleText>>;

export type ConformRule = keyof typeof RULES;

export const ruleNames = Object.keys(RULES) as ConformRule[];

export const basisOf = (rule: ConformRule): Basis => RULES[rule].basis;
