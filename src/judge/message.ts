/**
 * What is posted between the main thread and the referee's: batches of strings, because posting objects costs ten times
 * as much.
 */
import type { Exchange, RecordedAnswer, RecordedRequest, Verdict } from '../exchange.ts';

/** What the worker posts once it is ready; every message after that is a list of verdicts, in the order of the inputs. */
export const READY = 'ready';

/** Everything that a verdict depends on. */
export interface Input {
  /** Document and operation: `interface/getPet`. */
  readonly operation: string;
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/**
 * Everything that a verdict depends on but the two bodies, a line for each field; the lengths of the bodies are part of
 * it. No field can hold a line break: Node's parser refuses one in a request's target and in headers.
 */
export function headOf({ document, operation, request, answer }: Exchange): string {
  return (
    `${document}/${operation}\n${request.method}\n${request.target}\n${optional(request.authorization)}\n` +
    `${optional(request.contentType)}\n${request.bodyBytes}\n${request.bodyUnread ? 1 : 0}\n` +
    `${answer.status}\n${optional(answer.contentType)}\n${answer.body.length}\n${request.body?.length ?? -1}\n`
  );
}

/** The whole exchange: its head and the two bodies. */
export const encode = (head: string, { request, answer }: Exchange): string =>
  request.body === undefined ? head + answer.body : head + request.body + answer.body;

/** The way back. */
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
  const answerType = given(field());
  // The length of the answer's body: it goes to the end.
  field();
  const length = Number(field());
  const end = at + Math.max(length, 0);
  const body = length < 0 ? undefined : text.slice(at, end);
  return {
    operation,
    request: { method, target, authorization, contentType, bodyBytes, body, bodyUnread },
    answer: { status, contentType: answerType, body: text.slice(end) },
  };
}

/** An empty header is not a missing one. */
const optional = (value: string | undefined): string => (value === undefined ? '' : `=${value}`);
const given = (field: string): string | undefined => (field === '' ? undefined : field.slice(1));

/** A verdict as text: nothing at all for one that finds nothing. */
export const encodeVerdict = (verdict: Verdict): string =>
  verdict.violations.length === 0 && verdict.warnings.length === 0 && verdict.unjudged === undefined
    ? ''
    : JSON.stringify(verdict);

/** The way back. */
export const decodeVerdict = (text: string): Verdict =>
  text === '' ? { violations: [], warnings: [] } : (JSON.parse(text) as Verdict);
