/** Makes an exchange of a journal from one of a case. */
import { type Effect, type Exchange, NO_EFFECT, type Verdict } from '../exchange.ts';
import type { CaseExchange } from './case.ts';

/**
 * @param sandbox the one that has it now
 * @param zero the monotonic time that counts as 0 in the case
 */
export function exchangeFrom(shown: CaseExchange, sandbox: string, zero: number): Exchange {
  const { request, response } = shown;
  const { Authorization: authorization, 'Content-Type': _, ...headers } = request.headers as Record<string, string>;
  return {
    id: shown.id,
    sandbox,
    owner: sandbox,
    operation: shown.operation ?? undefined,
    specification: 'interface',
    at: Date.parse(shown.at),
    startedMs: zero + shown.startMs,
    durationMs: shown.durationMs,
    answeredAt: Date.parse(shown.answeredAt),
    clientLeftAt: shown.clientLeftAt === null ? undefined : Date.parse(shown.clientLeftAt),
    delayMs: shown.delayMs,
    effect: effectOf(shown.effect),
    requestHeaders: Object.entries(headers).flat(),
    responseHeaders: Object.entries(response.headers).flat() as string[],
    request: {
      method: shown.method,
      target: shown.target,
      authorization,
      contentType: request.contentType ?? undefined,
      bodyBytes: request.bytes,
      body: request.body ?? undefined,
      bodyUnread: request.unread,
    },
    response: { status: shown.status, contentType: response.contentType ?? undefined, body: response.body },
    decision: { kind: shown.accepted ? 'accepted' : 'undecided' },
    injected: shown.injected ?? undefined,
    verdict: verdictOf(shown),
    // What replaced a secret may be shorter, so the bytes are not those of the text.
    cut: { request: request.cut, response: response.cut, responseBytes: response.bytes },
  };
}

function effectOf(shown: CaseExchange['effect']): Effect {
  if (shown === null) return NO_EFFECT;
  const ids = Object.entries(shown).map(([name, texts]) => [name, texts.map(BigInt)]);
  return Object.fromEntries(ids) as Effect;
}

/** The referee does not judge it again. */
function verdictOf({ operation, method, refereed, unjudged, violations, warnings }: CaseExchange): Verdict | undefined {
  if (operation === null || method === 'HEAD') return undefined;
  if (refereed) return { violations, warnings };
  return { violations, warnings, unjudged: unjudged ?? 'it was not judged when the case was saved' };
}
