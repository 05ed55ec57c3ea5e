/**
 * The messages between the main thread and the validator's: batches of strings, because posting objects costs ten times
 * as much.
 */
import type { Exchange, RecordedRequest, RecordedResponse, Verdict } from '../api/exchange.ts';
import { partsOfText, withBodies } from '../api/exchange-text.ts';

/** The worker's message when it is ready; every later message is a list of verdicts, in the order of the inputs. */
export const READY = 'ready';

/** Everything that a verdict depends on. */
export interface ValidatorInput {
  /** Specification and operation: `petstore/getPet`. */
  readonly operation: string;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/** All that is posted but the bodies. */
type MessageHead = readonly [
  ...[operation: string, method: string, target: string, authorization: string | null, contentType: string | null],
  ...[bodyBytes: number, bodyUnread: boolean, status: number, responseType: string | null],
];

/** Serializes everything that a verdict depends on, and nothing else. */
export function encodeInput({ specification, operation, request, response }: Exchange): string {
  const { method, target, authorization = null, contentType = null, bodyBytes, bodyUnread } = request;
  const { status, contentType: responseType = null } = response;
  const asked = [
    `${specification}/${operation}`,
    method,
    target,
    authorization,
    contentType,
    bodyBytes,
    bodyUnread,
  ] as const;
  return withBodies(
    JSON.stringify([...asked, status, responseType] satisfies MessageHead),
    request.body,
    response.body,
  );
}

/** The combined length of an input's short fields. */
const SHORT_FIELDS = 100;

/** The approximate length of an exchange's input, without building it. */
export const charactersOfInput = ({ request, response }: Exchange): number =>
  SHORT_FIELDS +
  request.target.length +
  (request.contentType?.length ?? 0) +
  (request.body?.length ?? 0) +
  response.body.length;

/** The inverse of `encodeInput`. */
export function decodeInput(text: string): ValidatorInput {
  const { head, sent, received } = partsOfText<MessageHead>(text);
  const [operation, method, target, authorization, contentType, bodyBytes, bodyUnread, status, responseType] = head;
  return {
    operation,
    request: {
      ...{ method, target, bodyBytes, bodyUnread, body: sent },
      authorization: authorization ?? undefined,
      contentType: contentType ?? undefined,
    },
    response: { status, contentType: responseType ?? undefined, body: received },
  };
}

/** A verdict as text: empty for one without findings. */
export const encodeVerdict = (verdict: Verdict): string =>
  verdict.violations.length === 0 && verdict.warnings.length === 0 && verdict.validationError === undefined
    ? ''
    : JSON.stringify(verdict);

/** The inverse of `encodeVerdict`. */
export const decodeVerdict = (text: string): Verdict =>
  text === '' ? { violations: [], warnings: [] } : (JSON.parse(text) as Verdict);
