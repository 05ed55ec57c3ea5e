/**
 * Reads one specification that a stranger wrote, and judges requests by it. It runs in the thread for documents,
 * which `verdict/documents/documents.ts` ends after a few seconds.
 */
import { isDeepStrictEqual } from 'node:util';
import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core';
import { inside } from '../../base/address.ts';
import { SpecificationError } from '../../base/api/errors.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { MAX_DRAFT_BYTES, MAX_DRAFT_DEPTH } from '../../base/limits.ts';
import { quoted, shorten } from '../../base/text.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { type DraftDate, type DraftOutput, type DraftResult, whyNotExaminable } from './draft.ts';
import { differencesIn, withoutProse } from './draft-compare.ts';
import {
  DIALECT,
  DIALECTS,
  type DraftOperation,
  METHODS,
  OperationsReader,
  referencedPart,
} from './draft-operations.ts';
import { DraftedRequests } from './draft-requests.ts';
import { readDraftText, wrongAt } from './draft-text.ts';

/** @throws {SpecificationError} for a specification that can't be used, or with a flaw in what these requests use */
export async function examine(text: string, exchanges: readonly Exchange[]): Promise<DraftOutput> {
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES)
    throw new SpecificationError(`a specification has at most ${MAX_DRAFT_BYTES / 1024} KiB`);
  const { document, flaws } = await readDraft(text);
  const reader = new OperationsReader(document);
  const todayReader = new OperationsReader(petstore as unknown as Node);
  const today = todayReader.routes.map((route) => todayReader.read(route));
  const drafted = new DraftedRequests(document, reader, today);
  const examinable = exchanges.filter((each) => whyNotExaminable(each) === undefined);
  const isUsed = isUsedPart(
    document,
    reader,
    today.filter(({ iid }) => examinable.some((each) => each.operation === iid)),
  );
  let results: ReadonlyMap<Exchange, DraftResult>;
  try {
    results = new Map(examinable.map((each) => [each, resultOf(each, drafted)]));
  } catch (error) {
    // What the library says of the same part says more.
    const cause = flaws.find(isUsed);
    throw cause ? wrongAt(cause.pointer, cause.message) : error;
  }
  const serious = flaws.find(isUsed);
  if (serious) throw wrongAt(serious.pointer, serious.message);
  const { title, version } = isNode(document['info']) ? document['info'] : {};
  const compared = today.map((each) => ({ today: each, ...comparedOf(each, drafted, reader) }));
  return {
    draft: [title, version].filter((each) => each !== undefined).join(' ') || 'without a title',
    results: exchanges.map((each) => results.get(each)),
    changes: compared.flatMap(({ today: { iid }, changes }) => changes.map((each) => ({ ...each, operation: iid }))),
    removed: compared.flatMap(({ today: { iid }, next, flaw }) => (next.length === 0 && flaw === undefined ? iid : [])),
    changed: compared
      .filter(({ today: each, next, flaw }) => flaw !== undefined || !next.every((then) => isSameOperation(each, then)))
      .map(({ today: { iid } }) => iid),
    dates: compared.flatMap(({ today: { iid }, next }) => next.flatMap((each) => datesIn(iid, each.whole))),
    flaws: [
      ...compared.flatMap(({ flaw }) => flaw ?? []),
      ...flaws.map(({ pointer, message }) => wrongAt(pointer, message).message),
    ].slice(0, MAX_FLAWS),
  };
}

const MAX_FLAWS = 5;

/** The pointer to a path or an operation. */
const OF_OPERATION = new RegExp(`^#/paths/[^/]+(?:/(?:${METHODS.join('|')}))?$`);

/** Whether a flaw is in a part of the draft that requests use. */
function isUsedPart(
  document: Node,
  { used }: OperationsReader,
  today: readonly DraftOperation[],
): (flaw: Flaw) => boolean {
  for (const [path, item] of Object.entries(document['paths'] as Node))
    if (isNode(item) && today.some((each) => shapeOf(path).endsWith(shapeOf(each.path)))) used.add(item);
  return ({ pointer }) => {
    const owner = referencedPart(document, pointer.slice(0, pointer.lastIndexOf('/'))) ?? document;
    const part = referencedPart(document, pointer);
    const isIn = (each: unknown): boolean => typeof each === 'object' && each !== null && used.has(each);
    if (isIn(part)) return true;
    const isOtherOperation = isNode(part) && OF_OPERATION.test(pointer);
    return isIn(owner) && !isOtherOperation && !/^#\/(?:info|tags|externalDocs|webhooks)(?:\/|$)/.test(pointer);
  };
}

/** @throws {SpecificationError} */
function resultOf(exchange: Exchange, drafted: DraftedRequests): DraftResult {
  try {
    return drafted.resultOf(exchange);
  } catch (error) {
    if (error instanceof SpecificationError) throw error;
    return { violations: [], unknown: `it could not be compared: ${(error as Error).message}` };
  }
}

/**
 * The operations of a draft that took the requests of one of today, or that of its path, with their changes.
 * @returns `flaw`: why an operation that no request uses is not understood
 */
function comparedOf(today: DraftOperation, drafted: DraftedRequests, reader: OperationsReader) {
  try {
    const { route } = drafted.placeOf(today.method, `${today.bases[0]}${today.path}`, today.iid);
    const next = [...(drafted.used.get(today.iid) ?? (route ? [reader.read(route)] : []))];
    return { next, changes: next.flatMap((each) => changesOf(today, each)) };
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    return { next: [], changes: [], flaw: error.message };
  }
}

/** `/pets/{}`: parameters of a path may be renamed. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

const isSameOperation = (today: DraftOperation, then: DraftOperation): boolean =>
  isDeepStrictEqual(meaningOf(today), meaningOf(then));

const meaningOf = ({ whole, parameters, security, path, bases }: DraftOperation): unknown =>
  withoutProse([
    bases.map((each) => `${each}${shapeOf(path)}`),
    security.map((all) => all.map(({ key: _, ...scheme }) => scheme)),
    parameters.map(({ name, ...each }) => ({ ...each, name: each.in === 'path' ? '' : name })),
    [whole['requestBody'], whole['responses'], whole['callbacks']],
  ]);

/** Where a response, or a callback, may be what it may not be today. */
const changesOf = (today: DraftOperation, then: DraftOperation) =>
  ['responses', 'callbacks'].flatMap((name) => {
    const [before, after] = [today, then].map(({ whole }) => withoutProse({ [name]: whole[name] ?? {} }) as Node);
    return differencesIn(before?.[name], after?.[name], name, name).map((each) => {
      const at = each.indexOf(': ');
      return { location: each.slice(0, at), text: each.slice(at + 2) };
    });
  });

/** That a draft deprecates an operation, with the date of its removal if it states one. */
function datesIn(operation: string, { deprecated, 'x-sunset': sunset }: Node): DraftDate[] {
  if (deprecated !== true && sunset === undefined) return [];
  return [{ operation, isDeprecated: deprecated === true, sunset: sunset === undefined ? null : String(sunset) }];
}

/** Objects and lists, each as often as an alias of YAML repeats it. */
const MAX_NODES = 20_000;

/** What is wrong with a draft. It matters if a request uses the part that it is in. */
interface Flaw {
  readonly pointer: string;
  readonly message: string;
}

/** Reads a specification that a stranger wrote, within bounds, and has a library check it against OpenAPI's own description. */
interface DraftDocument {
  readonly document: Node;
  readonly flaws: readonly Flaw[];
}

/**
 * The specification in a text, YAML or JSON.
 * @throws {SpecificationError} for what is no OpenAPI, and for too much of it
 */
async function readDraft(text: string): Promise<DraftDocument> {
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
    if (typeof target === 'string' && referencedPart(document, target) === undefined)
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
    const part = referencedPart(document, target);
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
