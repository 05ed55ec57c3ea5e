/**
 * Reads one specification that a stranger wrote, and judges requests by it. It runs in the thread for documents,
 * which `verdict/documents/documents.ts` ends after a few seconds.
 */
import { isDeepStrictEqual } from 'node:util';
import { BaseResolver, createConfig, lintDocument, Source } from '@redocly/openapi-core';
import { inside, pointerTo } from '../../base/address.ts';
import { SpecificationError } from '../../base/api/errors.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { MAX_DRAFT_BYTES, MAX_DRAFT_DEPTH } from '../../base/limits.ts';
import { quoted, shorten } from '../../base/text.ts';
import { startOfDay } from '../../base/time.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { type DraftChange, type DraftDate, type DraftOutput, type DraftResult, whyNotExaminable } from './draft.ts';
import { differencesIn, withoutProse } from './draft-compare.ts';
import { DIALECT, DIALECTS, type DraftOperation, OperationsReader, referencedPart } from './draft-operations.ts';
import { DraftedRequests } from './draft-requests.ts';
import { readDraftText, wrongAt } from './draft-text.ts';

/** @throws {SpecificationError} for a specification that can't be used, and for anything in it that isn't understood */
export async function examine(text: string, exchanges: readonly Exchange[]): Promise<DraftOutput> {
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES)
    throw new SpecificationError(`a specification has at most ${MAX_DRAFT_BYTES / 1024} KiB`);
  const document = readDraft(text);
  const reader = new OperationsReader(document);
  await lint(text, document);
  const todayReader = new OperationsReader(petstore as unknown as Node);
  const today = todayReader.routes.map((route) => todayReader.read(route));
  const drafted = new DraftedRequests(document, reader, today);
  const results = exchanges.map((each) => (whyNotExaminable(each) === undefined ? resultOf(each, drafted) : undefined));
  const { title, version } = isNode(document['info']) ? document['info'] : {};
  const compared = today.map((each) => ({ today: each, next: operationsFor(each, drafted, reader) }));
  return {
    draft: [title, version].filter((each) => each !== undefined).join(' ') || 'without a title',
    results,
    changes: compared.flatMap(({ today: each, next }) => next.flatMap((then) => changesOf(each, then))),
    removed: compared.flatMap(({ today: { iid }, next }) => (next.length === 0 ? iid : [])),
    changed: compared
      .filter(({ today: each, next }) => !next.every((then) => isSameOperation(each, then)))
      .map(({ today: { iid } }) => iid),
    dates: compared.flatMap(({ today: each, next }) => next.flatMap((then) => datesIn(each, then))),
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

/** The operations of a draft that took the requests of one of today, or that of its path. @throws {SpecificationError} */
function operationsFor(today: DraftOperation, drafted: DraftedRequests, reader: OperationsReader) {
  const { route } = drafted.placeOf(today.method, `${today.bases[0]}${today.path}`, today.iid);
  return [...(drafted.used.get(today.iid) ?? (route ? [reader.read(route)] : []))];
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
const changesOf = (today: DraftOperation, then: DraftOperation): DraftChange[] =>
  ['responses', 'callbacks'].flatMap((name) => {
    const [before, after] = [today, then].map(({ whole }) => withoutProse({ [name]: whole[name] ?? {} }) as Node);
    return differencesIn(before?.[name], after?.[name], name, name).map((each) => {
      const at = each.indexOf(': ');
      return { operation: today.iid, location: each.slice(0, at), text: each.slice(at + 2) };
    });
  });

/** That a draft deprecates an operation, with the date of its removal if it states one. @throws {SpecificationError} */
function datesIn({ iid: operation }: DraftOperation, then: DraftOperation): DraftDate[] {
  const { deprecated, 'x-sunset': given } = then.whole;
  if (deprecated !== true && given === undefined) return [];
  const sunset = given === undefined ? null : String(given);
  const removedAt = sunset === null ? Infinity : (startOfDay(sunset) ?? Date.parse(sunset));
  if (Number.isNaN(removedAt)) throw wrongAt(`${pointerTo(then)}/x-sunset`, 'must be a date, such as 2030-12-05');
  return [{ operation, isDeprecated: deprecated === true, sunset, removedAt }];
}

/** Objects and lists, each as often as an alias of YAML repeats it. */
const MAX_NODES = 20_000;

/**
 * The specification in a text, YAML or JSON, within bounds.
 * @throws {SpecificationError} for what is no OpenAPI, and for too much of it
 */
function readDraft(text: string): Node {
  const document = readDraftText(text);
  if (!isNode(document) || !/^3\.[01]\.\d+(?:-.+)?$/.test(String(document['openapi'])))
    throw new SpecificationError('#/openapi: must be 3.0.x or 3.1.x');
  if (!isNode(document['paths'])) throw new SpecificationError('#/paths: must be an object with the paths of the API');
  if (!DIALECTS.includes(document['jsonSchemaDialect']))
    throw new SpecificationError(`#/jsonSchemaDialect: must be ${DIALECT}, or left out`);
  checkNodes(document);
  return document;
}

/** @throws {SpecificationError} for too much, and for a reference that leads nowhere, or out of the document */
function checkNodes(document: Node): void {
  let nodes = 0;
  const check = (node: unknown, pointer: string, depth: number): void => {
    if (typeof node === 'number' && !Number.isFinite(node)) throw wrongAt(pointer, 'must be a finite number');
    if (typeof node !== 'object' || node === null) return;
    nodes += 1;
    if (nodes > MAX_NODES) throw wrongAt(pointer, `a specification has at most ${MAX_NODES} objects and lists`);
    if (depth > MAX_DRAFT_DEPTH) throw wrongAt(pointer, `nesting is limited to ${MAX_DRAFT_DEPTH} levels`);
    const target = (node as Node)['$ref'];
    if (typeof target === 'string') checkChain(document, target, pointer);
    for (const [name, value] of Object.entries(node)) check(value, inside(pointer, name), depth + 1);
  };
  check(document, '#', 0);
}

/** @throws {SpecificationError} for a reference to nothing, or to itself, from which the library never comes back */
function checkChain(document: Node, first: string, pointer: string): void {
  const seen = new Set<string>();
  for (let target: unknown = first; typeof target === 'string'; ) {
    if (seen.has(target)) throw wrongAt(inside(pointer, '$ref'), 'is a reference to itself');
    seen.add(target);
    const part = referencedPart(document, target);
    if (part === undefined)
      throw wrongAt(
        inside(pointer, '$ref'),
        `must name a part of this specification, like #/components/schemas/Pet; got ${quoted(target, 80)}`,
      );
    target = isNode(part) ? part['$ref'] : undefined;
  }
}

/** Nothing is loaded: a reference out of the document is rejected before. */
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

/** Parts that say nothing of a request or a response. */
const ABOUT = /^#\/(?:info|tags|externalDocs|webhooks)(?:\/|$)/;

/** Has a library check a document against OpenAPI's own description. @throws {SpecificationError} for its first problem */
async function lint(text: string, document: Node): Promise<void> {
  const config = await createConfig({ rules: RULES });
  const source = new Source('/draft.yaml', text);
  const problems = await lintDocument({
    document: { source, parsed: document },
    config,
    externalRefResolver: new NoResolver(),
  }).catch((cause: unknown) => {
    throw new SpecificationError(`it cannot be checked: ${shorten((cause as Error).message, 200)}`, { cause });
  });
  const [problem] = problems
    .map(({ message, suggest, location }) => ({ message, suggest, pointer: location[0]?.pointer ?? '#' }))
    .filter(({ message, pointer }) => !HARMLESS.test(message) && !ABOUT.test(pointer));
  if (problem === undefined) return;
  const { message, suggest, pointer } = problem;
  const hint = suggest.length === 0 ? '' : ` Did you mean \`${suggest[0]}\`?`;
  throw wrongAt(pointer, shorten(message + hint, 300));
}
