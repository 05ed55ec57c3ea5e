/**
 * Request and response as text, for the request log and for the validator's thread: a line with an array of JSON, then both
 * bodies as they are, because to escape them would cost more than all else. (A recording has the form of the control API,
 * because people and other programs read it.)
 */
import type { Exchange } from './exchange.ts';

/** @param head an array as JSON @param sent `undefined`: there was no body */
export const withBodies = (head: string, sent: string | undefined, received: string): string =>
  `${head}${sent?.length ?? ''}\n${sent ?? ''}${received}`;

/** The inverse of `withBodies`. */
export function partsOfText<Head>(text: string): { head: Head; sent: string | undefined; received: string } {
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
export type MessagesHead = readonly [
  ...[method: string, target: string, authorization: Maybe<string>, contentType: Maybe<string>],
  ...[bodyBytes: number, bodyUnread: 0 | 1, status: number, responseType: Maybe<string>],
];

/** For the validator: all that a verdict depends on, besides the operation. */
export type Messages = Pick<Exchange, 'request' | 'response'>;

export const headOfMessages = ({ request, response }: Messages): MessagesHead => [
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
export function messagesOf(head: MessagesHead, sent: string | undefined, received: string): Messages {
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
