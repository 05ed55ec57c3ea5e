/** An exchange as it is shown: in the journal, in events, and to those who embed the sandbox. */
import { isoTime } from '../clock.ts';
import type { Exchange } from '../exchange.ts';
import type { components } from '../generated/controls.d.ts';

/** Without bodies. */
export type ExchangeSummary = components['schemas']['ExchangeSummary'];
/** With them, as far as the journal keeps them. */
export type ShownExchange = components['schemas']['Exchange'];

/** The short form. Secrets are still in it: write it with `redactedJson`. */
export function summaryOf(exchange: Exchange): ExchangeSummary {
  const { id, at, durationMs, operation, request, answer, injected, verdict } = exchange;
  return {
    id,
    at: isoTime(at),
    durationMs: Math.round(durationMs * 1000) / 1000,
    operation: operation ?? null,
    method: request.method,
    target: request.target,
    status: answer.status,
    request: { contentType: request.contentType ?? null, bytes: request.bodyBytes },
    answer: { contentType: answer.contentType ?? null, bytes: answerBytes(exchange) },
    injected: injected ?? null,
    refereed: verdict !== undefined && verdict.unjudged === undefined,
    unjudged: verdict?.unjudged ?? null,
    violations: [...(verdict?.violations ?? [])],
    warnings: [...(verdict?.warnings ?? [])],
  };
}

/** The long form. Bodies are texts, so that no digit of an int64 is lost. Secrets are still in it. */
export function shownExchange(exchange: Exchange): ShownExchange {
  const summary = summaryOf(exchange);
  const { request, answer, cut } = exchange;
  return {
    ...summary,
    request: { ...summary.request, body: request.body ?? null, cut: cut?.request ?? false, unread: request.bodyUnread },
    answer: { ...summary.answer, body: isHead(exchange) ? '' : answer.body, cut: cut?.answer ?? false },
  };
}

/** What HEAD is answered has no body, whatever GET would have been. */
const isHead = ({ request }: Exchange): boolean => request.method === 'HEAD';

function answerBytes(exchange: Exchange): number {
  if (isHead(exchange)) return 0;
  return exchange.cut?.answerBytes ?? Buffer.byteLength(exchange.answer.body);
}
