/** The details of one request: its outcome, findings, timeline, and how to correct it. */
import { namesInPointer, pathOfTarget } from '../base/address.ts';
import { meantValues } from '../base/api/closest-value.ts';
import { applied } from '../base/api/edits.ts';
import { type Exchange, isFromDashboard, type RecordedRequest } from '../base/api/exchange.ts';
import { readNewPet } from '../base/api/pet.ts';
import { queryPartsOf, valueOfPair } from '../base/api/request-text.ts';
import { type JsonSchema, wantedOf } from '../base/api/schema-problems.ts';
import { operationAt, queryOf } from '../base/api/specification.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { basePath, type OperationName, operations } from '../base/generated/facts.ts';
import { isObject, parseIfJson, writeJson } from '../base/int64.ts';
import { Attempts } from './attempts.ts';
import { sampleOf } from './groups.ts';
import { correctionOf } from './instead.ts';
import { remarksOn, violationWords, warningWords } from './remarks.ts';
import { SentParts, type Spot } from './request-parts.ts';

type Schemas = components['schemas'];
type Details = Omit<Schemas['RequestDetails'], keyof Schemas['Exchange']>;
type Sentence = Schemas['Remark'];
/** The petstore API's specification, parsed. */
type Specification = object;

/** @param retry see `retryAfter` */
export function detailsOf(exchange: Exchange, retry: Exchange | undefined, specification: Specification): Details {
  return {
    outcome: [...outcomeRemarks(exchange), ...(retry ? [remarkOnRetry(exchange, retry)] : [])],
    findings: exchangeFindings(exchange, specification),
    corrected: correctedRequest(exchange),
  };
}

/** What one exchange came to: the remarks of its row in the list, as sentences. */
function outcomeRemarks(exchange: Exchange): Sentence[] {
  const { verdict, operation, injectedFault, response } = exchange;
  const remarks = remarksOn(exchange).filter(({ text }) => text !== operation);
  const isSound = verdict && verdict.violations.length + verdict.warnings.length === 0 && !verdict.validationError;
  return [
    ...remarks.map(({ kind, text }) => ({ kind, text: sentence(text) })),
    ...(isSound && injectedFault === undefined && response.status !== 410
      ? [{ kind: 'good' as const, text: `It keeps to the specification, which describes this ${response.status}.` }]
      : []),
  ];
}

function exchangeFindings(exchange: Exchange, specification: Specification): Details['findings'] {
  const { violations = [], warnings = [] } = exchange.verdict ?? {};
  const parts = new SentParts(exchange);
  const suggested = (spot: Spot) => {
    const { sent, instead } = sampleOf(exchange, spot, parts);
    return { sent, instead };
  };
  return [
    ...violations.map((violation) => {
      const { side, location, message, pointer } = violation;
      const words = wordsAt(specification, pointer, location);
      return {
        ...{ kind: 'violation' as const, side, location, message, pointer, title: violationWords(violation) },
        expected: words?.expected ?? null,
        specification: words ? { rule: words.rule, description: words.description } : null,
        ...(side === 'request' ? suggested(violation) : { sent: null, instead: null }),
      };
    }),
    ...warnings.map((warning) => ({
      ...{ kind: 'warning' as const, side: 'request' as const, location: warning.location, message: warning.message },
      ...{ title: warningWords(warning, exchange.operation), expected: null, pointer: null, specification: null },
      ...suggested(warning),
    })),
  ];
}

/** The specification's text at the place of a violation. */
interface Words {
  /** `maximum: 100` */
  readonly rule: string;
  /** What is allowed there; null where a schema doesn't say that in one piece. */
  readonly expected: string | null;
  /** The nearest description. */
  readonly description: string | null;
}

/** @param pointer a JSON pointer: `#/components/schemas/NewPet/required` @param location `body/categoryId` */
function wordsAt(specification: Specification, pointer: string, location: string): Words | undefined {
  const steps = namesInPointer(pointer);
  const nodes: unknown[] = [specification];
  for (const step of steps) {
    const next = memberIn(nodes.at(-1), step);
    if (next === undefined) return undefined;
    nodes.push(next);
  }
  const value = nodes.at(-1);
  const name = steps.at(-1);
  if (name === undefined) return undefined;
  // A missing field is described where it is declared.
  const properties = name === 'required' ? memberIn(nodes.at(-2), 'properties') : undefined;
  const field = memberIn(properties, location.slice(location.lastIndexOf('/') + 1));
  const texts = [...nodes, field]
    .map((node) => memberIn(node, 'description'))
    .filter((text) => typeof text === 'string');
  const schema = (name === 'required' ? field : nodes.at(-2)) as JsonSchema | undefined;
  const isSaid = schema?.type !== undefined || schema?.['enum'] !== undefined;
  return {
    rule: isObject(value as never) ? name : `${name}: ${JSON.stringify(value)}`,
    expected: schema !== undefined && isSaid ? wantedOf(schema) : null,
    description: texts.at(-1)?.trim() ?? null,
  };
}

const memberIn = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;

/** An operation keeps its name. */
const sentence = (text: string): string =>
  `${/^[a-z]+[A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)}.`.replace('?.', '?');

/** The first request after another that is the same once more, with an equal body. @param log of its sandbox */
export function retryAfter(exchange: Exchange, log: readonly Exchange[]): Exchange | undefined {
  const attempts = new Attempts();
  const key = attempts.keyOf(exchange);
  let retry: Exchange | undefined;
  for (const each of log) {
    if (each.startedMs <= exchange.startedMs || isFromDashboard(each) || attempts.keyOf(each) !== key) continue;
    if (retry === undefined || each.startedMs < retry.startedMs) retry = each;
  }
  return retry;
}

function remarkOnRetry(exchange: Exchange, retry: Exchange): Sentence {
  const [id] = retry.changes.created;
  const isTwice = id !== undefined && exchange.changes.created.length > 0;
  const status = retry.response.status === 0 ? 'got no response' : `got ${retry.response.status}`;
  const result = id === undefined ? status : `created pet ${id}${isTwice ? ': now there are two' : ''}`;
  return { kind: isTwice ? 'bad' : 'quiet', text: `The client tried again with ${retry.id}, and ${result}.` };
}

// A whole request with its findings corrected, by the same suggestions as in the report.

/** Described in `spec/control-api.yaml`. */
type Corrected = components['schemas']['CorrectedRequest'];

/** @returns null if there is nothing to correct, no suggestion for it, or the whole body is not known */
function correctedRequest(exchange: Exchange): Corrected | null {
  const { request, operation, verdict, truncated } = exchange;
  if (truncated?.request || request.bodyUnread) return null;
  const { violations = [], warnings = [] } = verdict ?? {};
  const spots: readonly Spot[] = [
    ...(operation === undefined ? [{ location: 'operation', rule: 'no-operation' }] : []),
    ...violations.filter(({ side }) => side === 'request'),
    ...warnings,
  ];
  let draft = request;
  for (const spot of spots) {
    // What replaces a deprecated operation is another request.
    if (spot.location === 'operation' && spot.rule !== 'no-operation') continue;
    draft = applied(draft, correctionOf(new SentParts({ operation, request: draft }), spot).edits);
    // What is left concerns the operation that was not meant.
    if (spot.location.startsWith('path/') && operationOf(draft) !== operation) break;
  }
  if (draft === request || !isValid(draft)) return null;
  const { method, target, contentType = null, body } = draft;
  const value = body === undefined ? undefined : parseIfJson(body);
  return { method, target, contentType, body: value === undefined ? (body ?? null) : writeJson(value, 2) };
}

const operationOf = ({ method, target }: RecordedRequest): OperationName | undefined =>
  operationAt(method, pathOfTarget(target).slice(basePath.length));

/** Whether nothing is left that the service would reject. */
function isValid(request: RecordedRequest): boolean {
  const operation = operationOf(request);
  if (operation === undefined) return false;
  const pairs = queryPartsOf(request.target);
  return (
    queryOf(operation).every((field) => {
      const values = pairs.filter(({ name }) => name === field.name).map(({ text }) => valueOfPair(text));
      return values.length < 2 && values.every((value) => meantValues(field, value)[0] === value);
    }) &&
    (operations[operation].body === null || readNewPet(parseIfJson(request.body ?? '') ?? null, 'body').ok)
  );
}
