/**
 * Reads one specification that a stranger wrote, and judges requests by it. It runs in the thread for documents,
 * which `verdict/documents/documents.ts` ends after a few seconds.
 */

import { isDeepStrictEqual } from 'node:util';
import { SpecificationError } from '../../base/api/errors.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { MAX_DRAFT_BYTES } from '../../base/limits.ts';
import { isNode, type Node } from '../validator/operations.ts';
import { type DraftDate, type DraftOutput, type DraftResult, whyNotExaminable } from './draft.ts';
import { differencesIn, plain } from './draft-compare.ts';
import { type Flaw, readDraft } from './draft-document.ts';
import { type DraftOperation, METHODS, OperationsReader, targetOf } from './draft-operations.ts';
import { DraftedRequests } from './draft-requests.ts';
import { wrongAt } from './draft-text.ts';

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
    const owner = targetOf(document, pointer.slice(0, pointer.lastIndexOf('/'))) ?? document;
    const part = targetOf(document, pointer);
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
  plain([
    bases.map((each) => `${each}${shapeOf(path)}`),
    security.map((all) => all.map(({ key: _, ...scheme }) => scheme)),
    parameters.map(({ name, ...each }) => ({ ...each, name: each.in === 'path' ? '' : name })),
    [whole['requestBody'], whole['responses'], whole['callbacks']],
  ]);

/** Where a response, or a callback, may be what it may not be today. */
const changesOf = (today: DraftOperation, then: DraftOperation) =>
  ['responses', 'callbacks'].flatMap((name) => {
    const [before, after] = [today, then].map(({ whole }) => plain({ [name]: whole[name] ?? {} }) as Node);
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
