/** Reads a specification that a stranger wrote, within bounds, and has a library check it against OpenAPI's own description. */

import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core';
import { inside } from '../../base/address.ts';
import { SpecificationError } from '../../base/api/errors.ts';
import { MAX_DRAFT_DEPTH } from '../../base/limits.ts';
import { quoted, shorten } from '../../base/text.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { DIALECT, DIALECTS, targetOf } from './draft-operations.ts';
import { readDraftText, wrongAt } from './draft-text.ts';

/** Objects and lists, each as often as an alias of YAML repeats it. */
const MAX_NODES = 20_000;

/** What is wrong with a draft. It matters if a request uses the part that it is in. */
export interface Flaw {
  readonly pointer: string;
  readonly message: string;
}

export interface DraftDocument {
  readonly document: Node;
  readonly flaws: readonly Flaw[];
}

/**
 * The specification in a text, YAML or JSON.
 * @throws {SpecificationError} for what is no OpenAPI, and for too much of it
 */
export async function readDraft(text: string): Promise<DraftDocument> {
  const document = readDraftText(text);
  if (!isNode(document) || !/^3\.[01]\.\d+(?:-.+)?$/.test(String(document['openapi'])))
    throw new SpecificationError('#/openapi: must be 3.0.x or 3.1.x');
  if (!isNode(document['paths'])) throw new SpecificationError('#/paths: must be an object with the paths of the API');
  if (!DIALECTS.includes(document['jsonSchemaDialect']))
    throw new SpecificationError(`#/jsonSchemaDialect: must be ${DIALECT}, or left out`);
  const flaws = [...badReferences(document), ...(await problemsIn(text, document))];
  return { document, flaws: flaws.map(({ pointer, message }) => ({ pointer, message: shorten(message, 300) })) };
}

/** Counts what is in a document. @returns the references that lead nowhere, or out of it */
function badReferences(document: Node): Flaw[] {
  const flaws: Flaw[] = [];
  let nodes = 0;
  const check = (node: unknown, pointer: string, depth: number): void => {
    if (typeof node === 'number' && !Number.isFinite(node)) throw wrongAt(pointer, 'must be a finite number');
    if (typeof node !== 'object' || node === null) return;
    nodes += 1;
    if (nodes > MAX_NODES) throw wrongAt(pointer, `a specification has at most ${MAX_NODES} objects and lists`);
    if (depth > MAX_DRAFT_DEPTH) throw wrongAt(pointer, `nesting is limited to ${MAX_DRAFT_DEPTH} levels`);
    const target = (node as Node)['$ref'];
    if (typeof target === 'string' && targetOf(document, target) === undefined)
      flaws.push({
        pointer: inside(pointer, '$ref'),
        message: `must name a part of this specification, like #/components/schemas/Pet; got ${quoted(target, 80)}`,
      });
    if (typeof target === 'string') checkChain(document, target, pointer);
    for (const [name, value] of Object.entries(node)) check(value, inside(pointer, name), depth + 1);
  };
  check(document, '#', 0);
  return flaws;
}

/** @throws {SpecificationError} for references that lead to each other only: the library never comes back from them */
function checkChain(document: Node, first: string, pointer: string): void {
  const seen = new Set<string>();
  for (let target: unknown = first; typeof target === 'string'; ) {
    if (seen.has(target)) throw wrongAt(inside(pointer, '$ref'), 'is a reference to itself');
    seen.add(target);
    const part = targetOf(document, target);
    target = isNode(part) ? part['$ref'] : undefined;
  }
}

/** Nothing is loaded: a reference out of the document is a flaw already. */
class NoResolver extends BaseResolver {
  override loadExternalRef(reference: string): Promise<never> {
    return Promise.reject(new Error(`${reference} is not loaded`));
  }
}

const RULES = {
  struct: 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'path-parameters-defined': 'error',
  'no-identical-paths': 'error',
} as const;

/**
 * Missing prose; schemas that are `true` or `false`; and a word of 3.0 that many leave in 3.1, where it means nothing to a
 * validator: a change of it is shown.
 */
const HARMLESS =
  /^(?:The field `(?:info|title|version|description)` must be|Property `nullable` is not expected|Expected type `Schema` \(object\) but got `boolean`)/;

async function problemsIn(text: string, document: Node): Promise<Flaw[]> {
  const config = await createConfig({ rules: RULES });
  const source = new Source('/draft.yaml', text);
  const problems = await lintDocument({
    document: { source, parsed: document },
    config,
    externalRefResolver: new NoResolver(),
  }).catch((cause: unknown) => {
    throw new SpecificationError(`it cannot be checked: ${shorten((cause as Error).message, 200)}`, { cause });
  });
  return problems
    .filter(({ message }) => !HARMLESS.test(message))
    .map(({ message, suggest, location }) => ({
      pointer: location[0]?.pointer ?? '#',
      message: suggest.length === 0 ? message : `${message} Did you mean \`${suggest[0]}\`?`,
    }));
}
