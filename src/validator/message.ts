/**
 * The messages between the main thread and the validator's: batches of strings, because posting objects costs ten times
 * as much.
 */
import type { Exchange, RecordedRequest, RecordedResponse, Verdict } from '../api/exchange.ts';

/** The worker's message when it is ready; every later message is a list of verdicts, in the order of the inputs. */
export const READY = 'ready';

/** Everything that a verdict depends on. */
export interface Input {
  /** Specification and operation: `petstore/getPet`. */
  readonly operation: string;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/**
 * Serializes everything that a verdict depends on: a line for each field, then the two bodies, whose lengths are among
 * the fields. Fields contain no line breaks: Node's parser rejects them in a request's target and in headers.
 */
export function encode({ specification, operation, request, response }: Exchange): string {
  const head =
    `${specification}/${operation}\n${request.method}\n${request.target}\n${optional(request.authorization)}\n` +
    `${optional(request.contentType)}\n${request.bodyBytes}\n${request.bodyUnread ? 1 : 0}\n` +
    `${response.status}\n${optional(response.contentType)}\n${response.body.length}\n${request.body?.length ?? -1}\n`;
  return request.body === undefined ? head + response.body : head + request.body + response.body;
}

/** The combined length of an input's short fields. */
const SHORT_FIELDS = 100;

/** The approximate length of an exchange's input, without building it. */
export const charactersOf = ({ request, response }: Exchange): number =>
  SHORT_FIELDS +
  request.target.length +
  (request.contentType?.length ?? 0) +
  (request.body?.length ?? 0) +
  response.body.length;

/** The inverse of `encode`. */
export function decode(text: string): Input {
  let at = 0;
  const field = (): string => {
    const end = text.indexOf('\n', at);
    const value = text.slice(at, end);
    at = end + 1;
    return value;
  };
  const operation = field();
  const method = field();
  const target = field();
  const authorization = given(field());
  const contentType = given(field());
  const bodyBytes = Number(field());
  const bodyUnread = field() === '1';
  const status = Number(field());
  const responseType = given(field());
  // Without a length for the response's body, which extends to the end.
  field();
  const length = Number(field());
  const end = at + Math.max(length, 0);
  const body = length < 0 ? undefined : text.slice(at, end);
  return {
    operation,
    request: { method, target, authorization, contentType, bodyBytes, body, bodyUnread },
    response: { status, contentType: responseType, body: text.slice(end) },
  };
}

/** An empty header differs from a missing one. */
const optional = (value: string | undefined): string => (value === undefined ? '' : `=${value}`);
const given = (field: string): string | undefined => (field === '' ? undefined : field.slice(1));

/** A verdict as text: empty for one without findings. */
export const encodeVerdict = (verdict: Verdict): string =>
  verdict.violations.length === 0 && verdict.warnings.length === 0 && verdict.validationError === undefined
    ? ''
    : JSON.stringify(verdict);

/** The inverse of `encodeVerdict`. */
export const decodeVerdict = (text: string): Verdict =>
  text === '' ? { violations: [], warnings: [] } : (JSON.parse(text) as Verdict);
