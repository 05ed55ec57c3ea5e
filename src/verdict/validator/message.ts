/**
 * The messages between the main thread and the validator's: batches of strings, because posting objects costs ten times
 * as much.
 */
import type { Exchange, Verdict } from '../../base/api/exchange.ts';
import {
  headOfMessages,
  type Messages,
  type MessagesHead,
  messagesOf,
  partsOfText,
  withBodies,
} from '../../base/api/exchange-text.ts';

/** The worker's message when it is ready; every later message is a list of verdicts, in the order of the inputs. */
export const READY = 'ready';

/** Everything that a verdict depends on. */
export interface ValidatorInput extends Messages {
  /** `getPet` */
  readonly operation: string;
}

type InputHead = readonly [operation: string, messages: MessagesHead];

/** Serializes everything that a verdict depends on, and nothing else. */
export function encodeInput(exchange: Exchange): string {
  const { operation = '', request, response } = exchange;
  const head: InputHead = [operation, headOfMessages(exchange)];
  return withBodies(JSON.stringify(head), request.body, response.body);
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
  const { head, sent, received } = partsOfText<InputHead>(text);
  const [operation, messages] = head;
  return { operation, ...messagesOf(messages, sent, received) };
}

/** A verdict as text: empty for one without findings. */
export const encodeVerdict = (verdict: Verdict): string =>
  verdict.violations.length === 0 && verdict.warnings.length === 0 && verdict.validationError === undefined
    ? ''
    : JSON.stringify(verdict);

/** The inverse of `encodeVerdict`. */
export const decodeVerdict = (text: string): Verdict =>
  text === '' ? { violations: [], warnings: [] } : (JSON.parse(text) as Verdict);
