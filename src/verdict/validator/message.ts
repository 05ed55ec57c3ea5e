/**
 * The messages between the main thread and the validator's: batches of strings, because posting objects costs ten times
 * as much.
 */
import type { Exchange, Verdict } from '../../base/api/exchange.ts';

/** The worker's message when it is ready; every later message is a list of verdicts, in the order of the inputs. */
export const WORKER_READY = 'ready';

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

/** @param head an array as JSON @param sent `undefined`: there was no body */
const withBodies = (head: string, sent: string | undefined, received: string): string =>
  `${head}${sent?.length ?? ''}\n${sent ?? ''}${received}`;

/** The inverse of `withBodies`. */
function partsOfText<Head>(text: string): { head: Head; sent: string | undefined; received: string } {
  const line = text.indexOf('\n');
  const end = text.lastIndexOf(']', line) + 1;
  const bodies = line + 1;
  const received = bodies + Number(text.slice(end, line));
  return {
    head: JSON.parse(text.slice(0, end)) as Head,
    sent: end === line ? undefined : text.slice(bodies, received),
    received: text.slice(received),
  };
}

type Maybe<T> = T | null | undefined;

/** Request and response without their bodies. JSON has null for what is undefined. */
type MessagesHead = readonly [
  ...[method: string, target: string, authorization: Maybe<string>, contentType: Maybe<string>],
  ...[bodyBytes: number, bodyUnread: 0 | 1, status: number, responseType: Maybe<string>],
];

/** For the validator: all that a verdict depends on, besides the operation. */
type Messages = Pick<Exchange, 'request' | 'response'>;

/**
 * Request and response as text, for the request log and for the validator's thread: a line with an array of JSON, then both
 * bodies as they are, because to escape them would cost more than all else. (A recording has the form of the control API,
 * because people and other programs read it.)
 */
const headOfMessages = ({ request, response }: Messages): MessagesHead => [
  request.method,
  request.target,
  request.authorization?.replace(HIDDEN, ONE_BYTE),
  request.contentType,
  request.bodyBytes,
  request.bodyUnread ? 1 : 0,
  response.status,
  response.contentType,
];

/** The inverse of `headOfMessages`, with both bodies. */
function messagesOf(head: MessagesHead, sent: string | undefined, received: string): Messages {
  const [method, target, authorization, contentType, bodyBytes, bodyUnread, status, responseType] = head;
  return {
    request: {
      ...{ method, target, bodyBytes },
      authorization: authorization?.replace(ONE_BYTE, HIDDEN),
      contentType: contentType ?? undefined,
      body: sent,
      bodyUnread: bodyUnread === 1,
    },
    response: { status, contentType: responseType ?? undefined, body: received },
  };
}

/** The placeholder of a credential, and its form in the text: characters of one byte are written fastest. */
const HIDDEN = '…';
const ONE_BYTE = '\n';
