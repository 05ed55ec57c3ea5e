/**
 * What a request declares of itself: `Sandbox-Expect: invalid` in a test that provokes a rejection on purpose,
 * `Sandbox-Source: dashboard` from this server's own pages.
 */
import { type Exchange, requestHeader, type Warning } from '../api/exchange.ts';

/** Whether the request declares that it is to be rejected. */
export const isExpectedInvalid = (exchange: Exchange): boolean => declared(exchange, 'Sandbox-Expect') === 'invalid';

/** Whether a page of this server sent the request. It is in the request log, but says nothing about the client. */
export const isFromDashboard = (exchange: Exchange): boolean => declared(exchange, 'Sandbox-Source') === 'dashboard';

/** Whether it was answered with the methods of a path, as a browser asks for them: no operation, and nothing wrong. */
export const isPreflight = ({ request, response }: Exchange): boolean =>
  request.method === 'OPTIONS' && response.status >= 200 && response.status < 300;

/** Whether a request says nothing about the client. */
export const isSkipped = (exchange: Exchange): boolean => isFromDashboard(exchange) || isPreflight(exchange);

const declared = (exchange: Exchange, header: string): string | undefined =>
  requestHeader(exchange, header)?.trim().toLowerCase();

/** What is said of a request that turns out valid. */
export const EXPECTED_INVALID_BUT_VALID: Warning = Object.freeze({
  location: 'header/sandbox-expect',
  rule: 'expected-invalid-but-valid',
  message: 'the request says that it is to be rejected, but it is valid and was accepted',
});

/** Whether the request was accepted, and neither validator nor service found anything wrong; false where that is not known. */
export function isValid({ verdict, decision, response, injectedFault }: Exchange): boolean {
  if (
    response.status >= 400 ||
    verdict === undefined ||
    verdict.validationError !== undefined ||
    injectedFault !== undefined
  )
    return false;
  return decision.kind === 'accepted' && verdict.violations.every(({ side }) => side === 'response');
}
