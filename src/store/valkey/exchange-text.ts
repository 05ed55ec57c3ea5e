/**
 * Exchanges as Valkey has them: three lines of JSON, then the bodies as they are. Redacted: Valkey holds no
 * secrets of clients.
 */
import {
  type EffectTexts,
  type Exchange,
  effectOf,
  type RecordedRequest,
  type RecordedResponse,
  textsOfEffect,
  type Verdict,
} from '../../requests/exchange.ts';
import { type Redact, redactedJson } from '../../requests/redact.ts';
import { toOwn, toShared } from '../start.ts';

type Part<Name extends keyof Exchange> = Pick<Exchange, Name>;

/** The first line: what the server itself made. */
interface Made
  extends Part<
      'id' | 'operation' | 'specification' | 'at' | 'startedMs' | 'durationMs' | 'respondedAt' | 'disconnectedAt'
    >,
    Part<'delayMs' | 'responseHeaders' | 'truncated'> {
  readonly changes: EffectTexts;
  readonly response: Omit<RecordedResponse, 'body'>;
  /** Characters of the bodies that follow; the request may have none. */
  readonly sizes: readonly [request: number | null, response: number];
}

/** The second line: what the client sent, and what quotes it. */
interface Quoting extends Part<'requestHeaders' | 'decision' | 'injectedFault'> {
  readonly request: Omit<RecordedRequest, 'body'>;
}

/** Writes exchanges. The third line is the verdict: there are few, so that each is written once. */
export class ExchangeTexts {
  readonly #redact: Redact;
  readonly #verdicts = new WeakMap<Verdict, string>();

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  of(exchange: Exchange): string {
    const { body: sent = null, ...request } = exchange.request;
    const { body: received, ...response } = exchange.response;
    const shownSent = sent === null ? '' : this.#redact(sent);
    const shown = this.#redact(received);
    const made: Made = {
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
      responseHeaders: exchange.responseHeaders,
      response,
      // What replaced a secret may be shorter, so the bytes are not those of the text.
      truncated: exchange.truncated ?? (shown === received ? undefined : uncut(received)),
      sizes: [sent === null ? null : shownSent.length, shown.length],
    };
    const quoting: Quoting = {
      request: { ...request, authorization: request.authorization?.replace(HIDDEN, ONE_BYTE) },
      requestHeaders: exchange.requestHeaders,
      decision: exchange.decision,
      injectedFault: exchange.injectedFault,
    };
    const lines = [JSON.stringify(made), this.#line(quoting), this.#verdict(exchange.verdict)];
    return `${lines.join('\n')}\n${shownSent}${shown}`;
  }

  #verdict(verdict: Verdict | undefined): string {
    if (!verdict) return '';
    let line = this.#verdicts.get(verdict);
    if (line === undefined) {
      line = this.#line(verdict);
      this.#verdicts.set(verdict, line);
    }
    return line;
  }

  /** Nearly always there is no secret. Then one look at the whole line is enough. */
  #line(value: object): string {
    const line = JSON.stringify(value);
    return this.#redact(line) === line ? line : redactedJson(value, this.#redact);
  }
}

export function exchangeOf(text: string, sandbox: string): Exchange {
  const lines = text.split('\n', 3);
  const [made, quoting, verdict] = lines.map((line) => (line === '' ? undefined : JSON.parse(line)));
  const { sizes, changes, response, startedMs, ...rest } = made as Made;
  const { request, ...quoted } = quoting as Quoting;
  const [sent, received] = sizes;
  const bodies = lines.reduce((sum, { length }) => sum + length + 1, 0);
  const answer = bodies + (sent ?? 0);
  return {
    ...rest,
    ...quoted,
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
    verdict: verdict as Verdict | undefined,
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
