/**
 * The credentials that came with a request, repeated elsewhere in it: a client may put what it sends as a cookie or in
 * `X-Api-Key` into an address as well. The validator and the service see the request as it was sent; whoever keeps or shows it
 * does not.
 */
import type { Exchange, Verdict } from '../api/exchange.ts';
import { Credentials } from './credentials.ts';
import { type Redact, redactedJson } from './redact.ts';

/** Credentials of one request: more of them would take milliseconds to look for. */
const MAX_CREDENTIALS = 64;

/**
 * Takes the credentials of a request out of texts; `undefined` if it has none.
 * @param headers those that are credentials, as name, value, name, value
 */
export function redactOwn(headers: readonly string[], target: string): Redact | undefined {
  const hasQuery = target.includes('?');
  if (headers.length === 0 && !hasQuery) return undefined;
  const credentials = new Credentials(MAX_CREDENTIALS);
  for (let at = 0; at < headers.length; at += 2)
    credentials.addHeader(headers[at] as string, headers[at + 1] as string);
  if (hasQuery) credentials.addTarget(target);
  return credentials.isEmpty ? undefined : credentials.redact();
}

/** Takes both out of texts: what is a secret everywhere, and the credentials of a request. */
export function redactAllOf({ redact: own }: Pick<Exchange, 'redact'>, redact: Redact): Redact {
  return own ? (text) => redact(own(text)) : redact;
}

/** The exchange as it is kept: without the credentials that came with its request. */
export function withoutOwnCredentials(exchange: Exchange, redact: Redact): Exchange {
  const { request, response, requestHeaders, responseHeaders } = exchange;
  return {
    ...exchange,
    redact,
    requestHeaders: requestHeaders.map(redact),
    responseHeaders: responseHeaders.map(redact),
    request: {
      ...request,
      target: redact(request.target),
      contentType: request.contentType && redact(request.contentType),
      body: request.body && redact(request.body),
    },
    response: { ...response, body: redact(response.body) },
  };
}

/** Its findings quote what was sent. */
export const verdictWithout = (verdict: Verdict, redact: Redact): Verdict =>
  JSON.parse(redactedJson(verdict, redact)) as Verdict;
