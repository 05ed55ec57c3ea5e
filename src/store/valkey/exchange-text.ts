/**
 * Exchanges as Valkey has them: a line of JSON, then the bodies as they are. Redacted: Valkey holds no secrets of clients.
 */
import { type EffectTexts, type Exchange, effectOf, textsOfEffect } from '../../requests/exchange.ts';
import { type Redact, redactedJson } from '../../requests/redact.ts';
import { toOwn, toShared } from '../start.ts';

/** The line. */
interface Head
  extends Omit<Exchange, 'sandbox' | 'owner' | 'rules' | 'place' | 'changes' | 'request' | 'response' | 'verdict'> {
  readonly request: Omit<Exchange['request'], 'body'>;
  readonly response: Omit<Exchange['response'], 'body'>;
  readonly changes: EffectTexts;
  readonly verdict?: Exchange['verdict'];
  /** Characters of the bodies that follow; the request may have none. */
  readonly sizes: readonly [request: number | null, response: number];
}

/** It begins with the id of the exchange. */
export function textOf(exchange: Exchange, redact: Redact): string {
  const { body: sent = null, ...request } = exchange.request;
  const { body: received, ...response } = exchange.response;
  const shownSent = sent === null ? '' : redact(sent);
  const shown = redact(received);
  const head: Head = {
    id: exchange.id,
    operation: exchange.operation,
    specification: exchange.specification,
    at: exchange.at,
    startedMs: toShared(exchange.startedMs),
    durationMs: exchange.durationMs,
    respondedAt: exchange.respondedAt,
    disconnectedAt: exchange.disconnectedAt,
    delayMs: exchange.delayMs,
    changes: textsOfEffect(exchange.changes),
    requestHeaders: exchange.requestHeaders,
    responseHeaders: exchange.responseHeaders,
    request: { ...request, authorization: request.authorization?.replace(HIDDEN, ONE_BYTE) },
    response,
    decision: exchange.decision,
    injectedFault: exchange.injectedFault,
    verdict: exchange.verdict,
    // What replaced a secret may be shorter, so the bytes are not those of the text.
    truncated: exchange.truncated ?? (shown === received ? undefined : uncut(received)),
    sizes: [sent === null ? null : shownSent.length, shown.length],
  };
  const line = JSON.stringify(head);
  // Nearly always there is no secret. Then one look at the whole line is enough.
  return `${redact(line) === line ? line : redactedJson(head, redact)}\n${shownSent}${shown}`;
}

export function exchangeOf(text: string, sandbox: string): Exchange {
  const bodies = text.indexOf('\n') + 1;
  const { sizes, changes, request, response, startedMs, ...rest } = JSON.parse(text.slice(0, bodies)) as Head;
  const [sent, received] = sizes;
  const answer = bodies + (sent ?? 0);
  return {
    ...rest,
    sandbox,
    owner: sandbox,
    startedMs: toOwn(startedMs),
    changes: effectOf(changes),
    request: {
      ...request,
      authorization: request.authorization?.replace(ONE_BYTE, HIDDEN),
      body: sent === null ? undefined : text.slice(bodies, answer),
    },
    response: { ...response, body: text.slice(answer, answer + received) },
    verdict: rest.verdict,
  };
}

/** The placeholder of a credential, and what stands for it: text of one byte a character is written fastest. */
const HIDDEN = '…';
const ONE_BYTE = '\n';

const uncut = (body: string): Exchange['truncated'] => ({
  request: false,
  response: false,
  responseBytes: Buffer.byteLength(body),
});
