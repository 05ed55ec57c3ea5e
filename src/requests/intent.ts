/**
 * A request may declare what it is for: `Sandbox-Expect: invalid` of a test that violates the specification on purpose,
 * `Sandbox-Expect: dashboard` of this server's own pages.
 */
import { type Exchange, requestHeader, type Warning } from './exchange.ts';

/** Whether the request declares that it is invalid on purpose. */
export const isIntended = (exchange: Exchange): boolean => intentOf(exchange) === 'invalid';

/** Whether a page of this server sent the request. It is in the request log, but says nothing about the client. */
export const isFromDashboard = (exchange: Exchange): boolean => intentOf(exchange) === 'dashboard';

const intentOf = (exchange: Exchange): string | undefined =>
  requestHeader(exchange, 'Sandbox-Expect')?.trim().toLowerCase();

/** What is said of a request that turns out valid. */
export const INTENDED_BUT_VALID: Warning = Object.freeze({
  location: 'header/sandbox-expect',
  rule: 'expected-invalid-but-valid',
  message: 'the request says that it is invalid, but keeps to the specification',
});

/** Whether neither the validator nor the service found anything wrong with the request; false where that is not known. */
export function isValid({ verdict, decision, injectedFault }: Exchange): boolean {
  if (verdict === undefined || verdict.validationError !== undefined || injectedFault !== undefined) return false;
  return decision.kind === 'accepted' && verdict.violations.every(({ side }) => side === 'response');
}
