/** Reads a specification that a stranger wrote. Everything in it is bounded and checked before Prism's loader sees it. */

import { SpecificationError } from '../api/errors.ts';
import { VALUES } from '../api/json-schema.ts';
import { inside, partAt } from '../core/pointer.ts';
import { quoted, shorten } from '../core/text.ts';
import { MAX_DRAFT_DEPTH, readDraftText } from './draft-text.ts';
import { isNode, type Node } from './operations.ts';

/** Objects and lists, each as often as an alias of YAML repeats it. */
const MAX_NODES = 20_000;
export const MAX_PATTERN = 500;
export const MAX_PATTERNS = 200;
export const MAX_PATHS = 500;
/** Characters of a path. */
export const MAX_PATH = 500;
/** Of a path. */
export const MAX_PARAMETERS = 20;
/** Characters of a place in a message. */
const MAX_POINTER = 200;

/** Keywords whose values contain schemas: one, or several in a list or by name. */
const OF_SCHEMAS: Readonly<Record<string, 'one' | 'many'>> = {
  items: 'one',
  additionalProperties: 'one',
  unevaluatedProperties: 'one',
  unevaluatedItems: 'one',
  propertyNames: 'one',
  contains: 'one',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'one',
  else: 'one',
  allOf: 'many',
  anyOf: 'many',
  oneOf: 'many',
  prefixItems: 'many',
  properties: 'many',
  patternProperties: 'many',
  dependentSchemas: 'many',
  $defs: 'many',
};

/** The other keywords of JSON Schema and OpenAPI. */
const PLAIN_KEYWORDS = new Set(
  (
    '$ref $comment type enum const multipleOf maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength ' +
    'pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required ' +
    'dependentRequired format title description default examples example deprecated readOnly writeOnly nullable ' +
    'discriminator xml externalDocs contentEncoding contentMediaType'
  ).split(' '),
);

/** The formats that Prism checks, and those that say nothing of a JSON value. */
const FORMATS = new Set(
  (
    'int32 int64 float double date date-time time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid ' +
    'regex json-pointer relative-json-pointer byte binary password'
  ).split(' '),
);

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The specification in a text, YAML or JSON.
 * @throws {SpecificationError}
 */
export function readDraft(text: string): Node {
  const document = readDraftText(text);
  if (!isNode(document) || !/^3\.[01]\.\d+$/.test(String(document['openapi'])))
    throw new SpecificationError('#/openapi: must be 3.0.x or 3.1.x');
  if (!isNode(document['paths'])) throw new SpecificationError('#/paths: must be an object with the paths of the API');
  const dialect = document['jsonSchemaDialect'] ?? DIALECT;
  if (dialect !== DIALECT) throw new SpecificationError(`#/jsonSchemaDialect: must be ${DIALECT}, or left out`);
  checkNodes(document);
  checkPaths(document['paths']);
  const patterns = new Set<string>();
  for (const [schema, pointer] of schemasIn(document, '#')) checkSchema(schema, pointer, patterns);
  return document;
}

function checkNodes(document: Node): void {
  let nodes = 0;
  const check = (node: unknown, pointer: string, depth: number): void => {
    if (typeof node !== 'object' || node === null) return;
    nodes += 1;
    if (nodes > MAX_NODES) throw wrong(pointer, `a specification has at most ${MAX_NODES} objects and lists`);
    if (depth > MAX_DRAFT_DEPTH) throw wrong(pointer, `nesting is limited to ${MAX_DRAFT_DEPTH} levels`);
    if ('$ref' in node) checkReference(node.$ref, document, pointer);
    for (const [name, value] of Object.entries(node)) check(value, inside(pointer, name), depth + 1);
  };
  check(document, '#', 0);
}

/** Before an expression is made of it. */
function checkPaths(paths: Node): void {
  const names = Object.keys(paths);
  if (names.length > MAX_PATHS) throw wrong('#/paths', `a specification has at most ${MAX_PATHS} paths`);
  for (const path of names) {
    const parameters = path.split('{').length - 1;
    if (path.length > MAX_PATH || parameters > MAX_PARAMETERS)
      throw wrong(
        inside('#/paths', path),
        `a path has at most ${MAX_PATH} characters and ${MAX_PARAMETERS} parameters`,
      );
  }
}

const wrong = (pointer: string, message: string): SpecificationError =>
  new SpecificationError(`${shorten(pointer, MAX_POINTER)}: ${message}`);

function checkReference(target: unknown, document: Node, pointer: string): void {
  if (typeof target === 'string' && target.startsWith('#/')) {
    try {
      if (partAt(document, target) !== undefined) return;
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
  }
  throw wrong(
    `${pointer}/$ref`,
    `must name a part of this specification, like #/components/schemas/Pet; got ${quoted(String(target), 80)}`,
  );
}

/** Every schema of a specification that is not inside another one. */
function* schemasIn(node: unknown, pointer: string): Generator<[unknown, string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    const at = inside(pointer, name);
    if (name === 'schema') yield [value, at];
    else if (at === '#/components/schemas')
      for (const [each, schema] of Object.entries(value ?? {})) yield [schema, inside(at, each)];
    // `default` is a response here.
    else if (name === 'default' || !VALUES.has(name)) yield* schemasIn(value, at);
  }
}

function checkSchema(schema: unknown, pointer: string, patterns: Set<string>): void {
  if (typeof schema === 'boolean') return;
  if (!isNode(schema)) throw wrong(pointer, 'must be a schema');
  for (const [keyword, value] of Object.entries(schema)) {
    const at = inside(pointer, keyword);
    for (const [part, partPointer] of schemaPartsOf(keyword, value, at)) checkSchema(part, partPointer, patterns);
    if (!Object.hasOwn(OF_SCHEMAS, keyword) && !PLAIN_KEYWORDS.has(keyword) && !keyword.startsWith('x-'))
      throw wrong(at, 'unknown keyword');
    if (keyword === 'format' && !FORMATS.has(String(value)))
      throw wrong(at, `unknown format ${quoted(String(value), 40)}`);
    if (keyword === 'pattern') checkPattern(value, at, patterns);
    if (keyword === 'patternProperties')
      for (const name of Object.keys(value ?? {})) checkPattern(name, inside(at, name), patterns);
  }
}

function schemaPartsOf(keyword: string, value: unknown, pointer: string): [unknown, string][] {
  const kind = Object.hasOwn(OF_SCHEMAS, keyword) ? OF_SCHEMAS[keyword] : undefined;
  if (kind === undefined) return [];
  if (kind === 'one') return [[value, pointer]];
  return Object.entries(value ?? {}).map(([name, each]) => [each, inside(pointer, name)]);
}

/** Validators compile a pattern with the flag `u`, and would skip a schema whose pattern does not compile. */
function checkPattern(pattern: unknown, pointer: string, patterns: Set<string>): void {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN)
    throw wrong(pointer, `must be a pattern of at most ${MAX_PATTERN} characters`);
  if (patterns.size === MAX_PATTERNS && !patterns.has(pattern))
    throw wrong(pointer, `a specification has at most ${MAX_PATTERNS} different patterns`);
  patterns.add(pattern);
  try {
    new RegExp(pattern, 'u');
  } catch (cause) {
    throw wrong(pointer, shorten((cause as Error).message, MAX_PATTERN));
  }
}
