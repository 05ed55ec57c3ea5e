/**
 * Compiles one specification that a stranger wrote, and validates requests against it. It runs in a thread of its own, which
 * `draft.ts` ends after a few seconds.
 */

import { isDeepStrictEqual } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { SpecificationError } from '../api/errors.ts';
import type { RecordedRequest } from '../api/exchange.ts';
import { patternOf } from '../api/specification.ts';
import { pointerTo } from '../core/pointer.ts';
import petstore from '../generated/petstore.json' with { type: 'json' };
import { corrected } from './correction.ts';
import type { DraftInput, DraftOutput, DraftResult } from './draft.ts';
import { readDraft } from './draft-document.ts';
import { operationsOf } from './draft-operations.ts';
import { decode, READY } from './message.ts';
import { OperationValidator } from './operation-validator.ts';
import { basePath, isNode, type Node, type Operation } from './operations.ts';
import { compileAll } from './self-check.ts';

/** An operation of the draft, with what a request for it looks like. */
interface Route {
  readonly validator: OperationValidator;
  readonly path: RegExp;
  readonly base: string;
}

function examine({ text, inputs }: DraftInput): DraftOutput {
  const document = readDraft(text);
  const operations = operationsOf(document);
  const today = operationsOf(petstore as unknown as Node);
  const base = basePath(today[0] as Operation);
  const shared = today.filter((each) => operations.some((other) => isSame(each, other)));
  if (shared.length === 0) {
    const known = today.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ');
    throw new SpecificationError(`#/paths: no operation in common with today's API, which has ${known}`);
  }
  const routes = operations.map((operation) => routeOf(document, operation));
  const { title, version } = isNode(document['info']) ? document['info'] : {};
  return {
    draft: [title, version].filter((each) => each !== undefined).join(' ') || 'without a title',
    base: basePath(operations[0] as Operation),
    results: inputs.map((input) => resultOf(input === null ? undefined : decode(input), routes, base, document)),
    changes: [...changesIn(today, operations), ...additionsIn(today, operations)],
  };
}

function routeOf(document: Node, operation: Operation): Route {
  const { method, path } = operation;
  try {
    compileAll(`${method.toUpperCase()} ${path}`, operation, new Set());
  } catch (cause) {
    throw new SpecificationError(`${pointerTo(operation)}: ${(cause as Error).message}`, { cause });
  }
  return {
    validator: new OperationValidator(document, operation),
    path: patternOf(path),
    base: basePath(operation),
  };
}

function resultOf(
  input: ReturnType<typeof decode> | undefined,
  routes: readonly Route[],
  today: string,
  document: Node,
): DraftResult | undefined {
  if (!input) return undefined;
  const { request, response } = input;
  const [path = '', query] = request.target.slice(today.length).split('?', 2);
  const fitting = routes.filter(
    (route) => route.validator.operation.method === request.method.toLowerCase() && route.path.test(path),
  );
  // A path without parameters comes before a template that it matches as well (OpenAPI, Paths Object).
  const route = fitting.find(({ validator }) => validator.operation.path === path) ?? fitting[0];
  if (!route) return { isRemoved: true };
  const { validator, base } = route;
  const moved: RecordedRequest = { ...request, target: `${base}${path}${query === undefined ? '' : `?${query}`}` };
  try {
    const verdict = validator.validator(moved, response);
    const header = validator.operation.request?.headers?.find(({ required }) => required);
    if (verdict.violations.every(({ side }) => side === 'response') && header)
      return { verdict: { ...verdict, validationError: `it needs ${header.name}, which is not recorded` } };
    const better = corrected(moved, verdict.violations, document);
    const isBetter =
      better && validator.validator(better, response).violations.every(({ side }) => side === 'response');
    return {
      verdict,
      ...(isBetter && {
        instead: `${better.method} ${better.target}${better.body === undefined ? '' : ` ${better.body}`}`,
      }),
    };
  } catch (error) {
    return { verdict: { violations: [], warnings: [], validationError: (error as Error).message } };
  }
}

const isSame = (one: Operation, other: Operation): boolean =>
  one.method === other.method && shapeOf(one.path) === shapeOf(other.path);

/** `/pets/{}`: parameters of a path may be renamed. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/** The parts of operations that differ, by today's names. */
function changesIn(today: readonly Operation[], then: readonly Operation[]): DraftOutput['changes'] {
  return today.flatMap((operation) => {
    const { iid } = operation;
    const next = then.find((other) => isSame(operation, other));
    if (!next) return [{ operation: iid, location: 'operation', text: `${iid} is removed` }];
    const [before, after] = [partsOf(operation), partsOf(next)];
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((location) =>
      isDeepStrictEqual(before.get(location), after.get(location))
        ? []
        : [{ operation: iid, location, text: `${iid} ${location}` }],
    );
  });
}

const additionsIn = (today: readonly Operation[], then: readonly Operation[]): DraftOutput['changes'] =>
  then
    .filter((operation) => !today.some((other) => isSame(operation, other)))
    .map(({ iid, method, path }) => ({
      operation: iid,
      location: 'new',
      text: `${method.toUpperCase()} ${path} is new`,
    }));

function partsOf({ request, responses, security }: Operation): Map<string, unknown> {
  const parts = new Map<string, unknown>([['header/authorization', plainPart(security)]]);
  for (const kind of ['path', 'query', 'headers'] as const) {
    for (const parameter of request?.[kind] ?? []) parts.set(`${kind}/${parameter.name}`, plainPart(parameter));
  }
  if (request?.body) parts.set('body', plainPart(request.body));
  for (const response of responses) parts.set(`response ${response.code}`, plainPart(response.contents));
  return parts;
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

function outputOf(input: DraftInput): DraftOutput | { readonly error: string } {
  try {
    return examine(input);
  } catch (error) {
    if (error instanceof SpecificationError) return { error: error.message };
    throw error;
  }
}

if (!parentPort) throw new Error('A draft is examined in a worker thread.');
const port = parentPort;
port.once('message', (input: DraftInput) => port.postMessage(outputOf(input)));
port.postMessage(READY);
