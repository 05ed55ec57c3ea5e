/**
 * An exchange as text: a line with an array of JSON, then both bodies as they are, because to escape them would cost more than
 * all else. The request log and the messages to the validator's thread have this form. (A recording has
 * the form of the control API, because people and other programs read it.)
 */
import {
  type EffectTexts,
  type Exchange,
  effectFromTexts,
  type Malformed,
  type RecordedRequest,
  type RecordedResponse,
  textsOfEffect,
  type Verdict,
} from './exchange.ts';

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

/** Request and response of an exchange: all that a verdict depends on, besides the operation. */
export interface Messages {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

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

/** All of an exchange but its bodies, and where it is. */
type ExchangeHead = readonly [
  ...[id: string, messages: MessagesHead, address: Maybe<string>],
  ...[operation: Maybe<string>, decision: Exchange['decision']],
  ...[injectedFault: Maybe<string>, changes: EffectTexts, malformed: Maybe<Malformed>, verdict: Maybe<Verdict>],
  ...[at: number, startedMs: number, durationMs: number, respondedAt: number, disconnectedAt: Maybe<number>],
  ...[delayMs: number, truncated: Maybe<readonly [0 | 1, 0 | 1, number]>],
  ...[requestHeaders: number, otherHeaders: Maybe<readonly string[]>, ...headers: string[]],
];

/** What a text may have instead of what an exchange has. */
type Own = Pick<Exchange, 'startedMs' | 'decision' | 'verdict' | 'truncated'>;

/** The head of the text, which begins as `beginningOfText` says. */
export function headTextOf(exchange: Exchange, own: Own = exchange): string {
  const { truncated } = own;
  const head: ExchangeHead = [
    exchange.id,
    headOfMessages(exchange),
    exchange.address,
    exchange.operation,
    own.decision,
    exchange.injectedFault,
    textsOfEffect(exchange.changes),
    exchange.malformed,
    own.verdict,
    exchange.at,
    own.startedMs,
    exchange.durationMs,
    exchange.respondedAt,
    exchange.disconnectedAt,
    exchange.delayMs,
    truncated && [truncated.request ? 1 : 0, truncated.response ? 1 : 0, truncated.responseBytes],
    exchange.requestHeaders.length,
    exchange.otherHeaders,
    ...exchange.requestHeaders,
    ...exchange.responseHeaders,
  ];
  return JSON.stringify(head);
}

/** The beginning of the text of an exchange. */
export const beginningOfText = (id: string): string => `["${id}",`;

/** The exchange of a text. @param sandbox the one that it belongs to */
export function exchangeOf(text: string, sandbox: string): Exchange {
  const { head, sent, received } = partsOfText<ExchangeHead>(text);
  const [id, messages, address, operation, ...others] = head;
  const [decision, injectedFault, changes, malformed, verdict, at, startedMs, durationMs, respondedAt, ...more] =
    others;
  const [disconnectedAt, delayMs, truncated, count, otherHeaders, ...headers] = more;
  return {
    ...{ id, sandbox, owner: sandbox, specification: 'petstore', decision },
    address: address ?? undefined,
    operation: operation ?? undefined,
    ...{ at, startedMs, durationMs, respondedAt, delayMs },
    disconnectedAt: disconnectedAt ?? undefined,
    changes: effectFromTexts(changes),
    requestHeaders: headers.slice(0, count),
    ...(otherHeaders && { otherHeaders }),
    responseHeaders: headers.slice(count),
    ...messagesOf(messages, sent, received),
    malformed: malformed ?? undefined,
    injectedFault: injectedFault ?? undefined,
    verdict: verdict ?? undefined,
    truncated: truncated
      ? { request: truncated[0] === 1, response: truncated[1] === 1, responseBytes: truncated[2] }
      : undefined,
  };
}

/** The placeholder of a credential, and its form in the text: characters of one byte are written fastest. */
const HIDDEN = '…';
const ONE_BYTE = '\n';
