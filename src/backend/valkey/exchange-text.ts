/**
 * Exchanges as Valkey has them: a line of JSON, then the bodies as they are. Redacted: Valkey holds no secrets of clients.
 */
import type { Exchange } from '../../api/exchange.ts';
import { exchangeFrom, headOf, numbersOf } from '../../requests/packed-exchange.ts';
import { type Redact, redactedJson } from '../../requests/redact.ts';
import { toOwn, toShared } from '../../store/start.ts';

/** It begins with the id of the exchange. */
export function exchangeTextOf(exchange: Exchange, redact: Redact): string {
  const { id, operation, decision, verdict, request, response, startedMs } = exchange;
  const sent = redact(request.body ?? '');
  const received = redact(response.body);
  const line = {
    ...{ id, operation, decision, verdict, startedMs: toShared(startedMs), sent: sent.length },
    numbers: numbersOf(received === response.body ? exchange : withSize(exchange)),
    head: headOf(exchange),
  };
  const text = JSON.stringify(line);
  // Nearly always there is no secret. Then one look at the whole line is enough.
  return `${redact(text) === text ? text : redactedJson(line, redact)}\n${sent}${received}`;
}

export function exchangeOf(text: string, sandbox: string): Exchange {
  const bodies = text.indexOf('\n') + 1;
  const { operation, decision, verdict, startedMs, sent, numbers, head } = JSON.parse(text.slice(0, bodies));
  const received = bodies + sent;
  const exchange = exchangeFrom(numbers, head, [text.slice(bodies, received), text.slice(received)], {
    ...{ sandbox, verdict, rules: undefined },
  });
  return { ...exchange, operation, decision, startedMs: toOwn(startedMs) };
}

/** What replaced a secret may be shorter, so the bytes are not those of the text. */
const withSize = (exchange: Exchange): Exchange => {
  const responseBytes = Buffer.byteLength(exchange.response.body);
  return { ...exchange, truncated: exchange.truncated ?? { request: false, response: false, responseBytes } };
};
