/** The text of an exchange as Valkey has it: redacted, because Valkey holds no secrets of clients, and by the time of all servers. */
import type { Exchange } from '../../api/exchange.ts';
import { exchangeOf, headTextOf, withBodies } from '../../api/exchange-text.ts';
import { type Redact, redactedJson } from '../../requests/redact.ts';
import { toOwn, toShared } from '../../store/start.ts';

export function sharedTextOf(exchange: Exchange, redact: Redact): string {
  const { decision, verdict, request, response, startedMs } = exchange;
  const received = redact(response.body);
  const truncated = received === response.body ? exchange.truncated : sizeOf(exchange);
  const head = headTextOf(exchange, { startedMs: toShared(startedMs), decision, verdict, truncated });
  // Nearly always there is no secret. Then one look at the whole line is enough.
  const clean = redact(head) === head ? head : redactedJson(JSON.parse(head), redact);
  return withBodies(clean, request.body && redact(request.body), received);
}

export function exchangeOfShared(text: string, sandbox: string): Exchange {
  const exchange = exchangeOf(text, sandbox);
  return { ...exchange, startedMs: toOwn(exchange.startedMs) };
}

/** What replaced a secret may be shorter, so the bytes are not those of the text. */
const sizeOf = ({ truncated, response }: Exchange): Exchange['truncated'] =>
  truncated ?? { request: false, response: false, responseBytes: Buffer.byteLength(response.body) };
