/**
 * Compiles one specification that a stranger wrote, and validates requests against it. It runs in the thread for documents,
 * which `recording/documents.ts` ends after a few seconds.
 */

import { isDeepStrictEqual } from 'node:util';
import { SpecificationError } from '../api/errors.ts';
import { pointerTo } from '../core/pointer.ts';
import petstore from '../generated/petstore.json' with { type: 'json' };
import type { DraftChange, DraftDate, DraftInput, DraftOutput } from './draft.ts';
import { readDraft } from './draft-document.ts';
import { type DraftOperation, operationsOf } from './draft-operations.ts';
import { type AcceptedRequest, Drafted } from './draft-requests.ts';
import { newsOf } from './draft-responses.ts';
import { decodeInput } from './message.ts';
import { isNode, type Node, type Parameter } from './operations.ts';
import { compileAll } from './self-check.ts';

/** @throws {SpecificationError} for a specification that cannot be used */
export function examine({ text, inputs, headers }: DraftInput): DraftOutput {
  const document = readDraft(text);
  const operations = operationsOf(document);
  const today = operationsOf(petstore as unknown as Node);
  const base = today[0]?.bases.paths[0] as string;
  const pairs = today.map((each) => ({
    today: each,
    next: operations.find((other) => isSameOperation(each, other, base)),
  }));
  if (pairs.every(({ next }) => next === undefined)) {
    const known = today.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ');
    throw new SpecificationError(`#/paths: no operation in common with today's API, which has ${known}`);
  }
  for (const operation of operations) compile(operation);
  const drafted = new Drafted(document, operations, today, base);
  const decoded = inputs.map((input, index) =>
    input === null ? undefined : { ...decodeInput(input), headers: headers[index] ?? {} },
  );
  const { title, version } = isNode(document['info']) ? document['info'] : {};
  return {
    draft: [title, version].filter((each) => each !== undefined).join(' ') || 'without a title',
    results: decoded.map((input) => input && requestResult(input, drafted)),
    changes: [...pairs.flatMap(changesIn), ...additionsIn(pairs, operations)],
    news: pairs.flatMap(({ today: before, next }) => {
      if (!next) return [];
      const accepts = decoded.flatMap((each) =>
        each?.operation === `petstore/${before.iid}` ? [each.headers['accept'] ?? '*/*'] : [],
      );
      return newsOf(before, next, accepts).map((each) => ({ ...each, operation: before.iid }));
    }),
    dates: pairs.flatMap(({ today: before, next }) => (next ? datesIn(before.iid, next) : [])),
  };
}

/** @throws {SpecificationError} */
function compile(operation: DraftOperation): void {
  try {
    compileAll(`${operation.method.toUpperCase()} ${operation.path}`, operation, new Set());
  } catch (cause) {
    throw new SpecificationError(`${pointerTo(operation)}: ${(cause as Error).message}`, { cause });
  }
}

function requestResult(input: AcceptedRequest, drafted: Drafted): DraftOutput['results'][number] {
  try {
    return drafted.resultOf(input);
  } catch (error) {
    return { validated: [], found: [], fixes: {}, unknown: `it could not be compared: ${(error as Error).message}` };
  }
}

/** Below any base path: that is compared for each request. */
const isSameOperation = (today: DraftOperation, other: DraftOperation, base: string): boolean =>
  today.method === other.method &&
  (shapeOf(today.path) === shapeOf(other.path) || shapeOf(base + today.path) === shapeOf(other.path));

/** `/pets/{}`: parameters of a path may be renamed. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

interface DraftPair {
  readonly today: DraftOperation;
  readonly next: DraftOperation | undefined;
}

/** The parts of operations that differ, by today's names. */
function changesIn({ today, next }: DraftPair): DraftChange[] {
  const { iid } = today;
  if (!next) return [{ operation: iid, location: 'operation', text: `${iid} is removed` }];
  const [before, after] = [requestPartsOf(today), requestPartsOf(next)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((location) =>
    isDeepStrictEqual(before.get(location), after.get(location))
      ? []
      : [
          {
            operation: iid,
            location,
            text: `${iid} ${location === 'path' ? 'base path or path parameters' : location}`,
          },
        ],
  );
}

const additionsIn = (pairs: readonly DraftPair[], then: readonly DraftOperation[]): DraftChange[] =>
  then
    .filter((operation) => !pairs.some((each) => each.next === operation))
    .map(({ iid, method, path }) => ({
      operation: iid,
      location: 'new',
      text: `${method.toUpperCase()} ${path} is new`,
    }));

/** Without responses, which are compared by what they may bring. */
function requestPartsOf({ request, cookies, security, path, bases }: DraftOperation): Map<string, unknown> {
  const parts = new Map<string, unknown>([
    ['header/authorization', plainPart(security)],
    ['path', `${bases.paths.join(' ')} ${shapeOf(path)}`],
  ]);
  const add = (kind: string, parameters: readonly Parameter[] | undefined): void => {
    for (const each of parameters ?? []) parts.set(`${kind}/${each.name}`, plainPart(each));
  };
  // A request does not name the parameters of its path.
  add('query', request.query);
  add('header', request.headers);
  add('cookie', cookies);
  parts.set('path', [parts.get('path'), (request.path ?? []).map((each) => plainPart({ ...each, name: '' }))]);
  if (!request.body) return parts;
  const [content, ...others] = request.body.contents ?? [];
  const properties = content?.schema?.['properties'];
  if (content === undefined || others.length > 0 || !isNode(properties)) {
    parts.set('body', plainPart(request.body));
    return parts;
  }
  for (const [name, schema] of Object.entries(properties)) parts.set(`body/${name}`, plainPart(schema));
  parts.set(
    'body',
    plainPart({ ...request.body, contents: [{ ...content, schema: { ...content.schema, properties: {} } }] }),
  );
  return parts;
}

/** What a draft deprecates, with the date of its removal if it states one. */
function datesIn(operation: string, { deprecated, extensions, request }: DraftOperation): DraftDate[] {
  const dateOf = (
    location: string,
    part: Node | undefined,
    isDeprecated = part?.['deprecated'] === true,
  ): DraftDate[] => {
    const sunset = part?.['x-sunset'];
    if (!isDeprecated && sunset === undefined) return [];
    return [{ operation, location, isDeprecated, sunset: sunset === undefined ? null : String(sunset) }];
  };
  const properties = request.body?.contents?.[0]?.schema?.['properties'];
  return [
    ...dateOf('operation', extensions, deprecated),
    ...(request.query ?? []).flatMap((each) => dateOf(`query/${each.name}`, each as unknown as Node)),
    ...Object.entries(isNode(properties) ? properties : {}).flatMap(([name, each]) =>
      isNode(each) ? dateOf(`body/${name}`, each) : [],
    ),
  ];
}

/** A part without what no validator obeys. */
const plainPart = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part ?? null), (name, value) =>
    ANNOTATIONS.has(name) || name.startsWith('x-') ? undefined : value,
  );

const ANNOTATIONS = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'key',
  'bearerFormat',
]);
