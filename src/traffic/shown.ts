/** The form of an exchange for readers outside: in the control API, in events and recordings, and for library users. */
import { isCredentialHeader, withoutCredential, withoutCredentials } from '../base/api/credential.ts';
import { type Exchange, isFromDashboard, NO_EFFECT } from '../base/api/exchange.ts';
import { MAX_VALUE } from '../base/api/request-text.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { shorten } from '../base/text.ts';
import { isoTime, isoTimeOrNull } from '../base/time.ts';
import { accountKindOf } from './account.ts';
import { remarksOn } from './remarks.ts';

/** For lists and events: without bodies. */
export type ExchangeSummary = components['schemas']['ExchangeSummary'];
/** For who reads one request: with bodies, as far as the request log stores them. */
export type ShownExchange = components['schemas']['Exchange'];
/** For recordings: with what a sandbox that opens one must know as well. */
export type RecordingExchange = ShownExchange & {
  /** Whether the service accepted the request as sent. */
  readonly accepted: boolean;
  /** When the request arrived, by the stopwatch of the process that recorded it. */
  readonly startMs: number;
};

/** The short form. It may contain secrets: serialize it with `redactedJson`. */
export function exchangeSummaryOf(exchange: Exchange): ExchangeSummary {
  const { id, at, durationMs, operation, request, response, injectedFault, verdict, changes } = exchange;
  return {
    id,
    at: isoTime(at),
    durationMs: Math.round(durationMs * 1000) / 1000,
    respondedAt: isoTime(exchange.respondedAt),
    disconnectedAt: isoTimeOrNull(exchange.disconnectedAt ?? null),
    delayMs: exchange.delayMs,
    changes: changes === NO_EFFECT ? null : { created: changes.created.map(String) },
    operation: operation ?? null,
    method: request.method,
    address: exchange.address ?? null,
    target: request.target,
    status: response.status,
    petName: petNameOf(exchange),
    run: exchange.run ?? null,
    kind: accountKindOf(exchange).kind,
    fromDashboard: isFromDashboard(exchange),
    request: { contentType: request.contentType ?? null, bytes: request.bodyBytes },
    response: { contentType: response.contentType ?? null, bytes: responseBytes(exchange) },
    injectedFault: injectedFault ?? null,
    malformed: exchange.malformed ?? null,
    validated: verdict !== undefined && verdict.validationError === undefined,
    validationError: verdict?.validationError ?? null,
    violations: [...(verdict?.violations ?? [])],
    warnings: [...(verdict?.warnings ?? [])],
    remarks: remarksOn(exchange),
  };
}

/**
 * The long form. Bodies are texts, so that no digit of an int64 is lost. It may contain secrets: use `redactedJson`.
 */
export function shownExchange(exchange: Exchange): ShownExchange {
  const { remarks: _, ...summary } = exchangeSummaryOf(exchange);
  const { request, response, truncated } = exchange;
  return {
    ...summary,
    request: {
      ...summary.request,
      headers: requestHeadersOf(exchange),
      ...(exchange.otherHeaders?.length && { otherHeaders: [...exchange.otherHeaders] }),
      body: request.body ?? null,
      truncated: truncated?.request ?? false,
      unread: request.bodyUnread,
    },
    response: {
      ...summary.response,
      headers: byName(exchange.responseHeaders),
      body: isHead(exchange) ? '' : response.body,
      truncated: truncated?.response ?? false,
    },
  };
}

/**
 * The inverse of `shownExchange`, which no validator has to validate again.
 * @param sandbox the one that has it now @param laterMs what is added to its time
 */
export function exchangeFrom(shown: RecordingExchange, sandbox: string, laterMs: number): Exchange {
  const { request, response, operation, violations, warnings, validationError } = shown;
  const { Authorization: authorization, 'Content-Type': _, ...headers } = request.headers as Record<string, string>;
  const unknown = shown.validated
    ? undefined
    : (validationError ?? 'it was not validated when the recording was saved');
  return {
    id: shown.id,
    run: shown.run ?? undefined,
    sandbox,
    owner: sandbox,
    specification: 'petstore',
    address: shown.address ?? undefined,
    operation: operation ?? undefined,
    at: Date.parse(shown.at),
    startedMs: shown.startMs + laterMs,
    durationMs: shown.durationMs,
    respondedAt: Date.parse(shown.respondedAt),
    disconnectedAt: shown.disconnectedAt === null ? undefined : Date.parse(shown.disconnectedAt),
    delayMs: shown.delayMs,
    changes: shown.changes === null ? NO_EFFECT : { created: shown.changes.created.map(BigInt) },
    requestHeaders: Object.entries(headers).flat(),
    otherHeaders: request.otherHeaders ?? [],
    responseHeaders: Object.entries(response.headers)
      .filter(([name]) => !isCredentialHeader(name.toLowerCase()))
      .flat() as string[],
    request: {
      // The recording may be of others.
      method: shown.method,
      target: withoutCredentials(shown.target),
      authorization: withoutCredential(authorization),
      contentType: request.contentType ?? undefined,
      bodyBytes: request.bytes,
      body: request.body ?? undefined,
      bodyUnread: request.unread,
    },
    response: { status: shown.status, contentType: response.contentType ?? undefined, body: response.body },
    decision: { kind: shown.accepted ? 'accepted' : 'undecided' },
    injectedFault: shown.injectedFault ?? undefined,
    verdict:
      operation === null || shown.method === 'HEAD'
        ? undefined
        : { violations, warnings, ...(unknown !== undefined && { validationError: unknown }) },
    // What replaced a secret may be shorter, so the bytes are not those of the text.
    truncated: { request: request.truncated, response: response.truncated, responseBytes: response.bytes },
  };
}

/** The headers of the closed list, and only the form of `Authorization`. */
function requestHeadersOf({ request, requestHeaders }: Exchange): Record<string, string> {
  const { authorization, contentType } = request;
  return byName([
    ...(authorization === undefined ? [] : ['Authorization', authorization]),
    ...(contentType === undefined ? [] : ['Content-Type', shorten(contentType, MAX_VALUE)]),
    ...requestHeaders,
  ]);
}

/** Repeated headers form one list (RFC 9110, section 5.3). */
function byName(headers: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string;
    const value = headers[at + 1] as string;
    named[name] = named[name] === undefined ? value : `${named[name]}, ${value}`;
  }
  return named;
}

/** A response to HEAD has no body, whatever GET would return. */
const isHead = ({ request }: Exchange): boolean => request.method === 'HEAD';

function responseBytes(exchange: Exchange): number {
  if (isHead(exchange)) return 0;
  return exchange.truncated?.responseBytes ?? Buffer.byteLength(exchange.response.body);
}

/** Longer bodies are not parsed: a list has 1,000 exchanges. */
const MAX_PARSED = 2_048;
/** Characters of a name. */
const MAX_NAME = 100;

/** The `name` in the body; null without one. */
function petNameOf({ request: { body } }: Exchange): string | null {
  if (body === undefined || body.length > MAX_PARSED || !body.includes('"name"')) return null;
  try {
    const { name } = Object(JSON.parse(body)) as { name?: unknown };
    return typeof name === 'string' ? shorten(name, MAX_NAME) : null;
  } catch {
    // The verdict of the exchange says that the body is not JSON.
    return null;
  }
}
