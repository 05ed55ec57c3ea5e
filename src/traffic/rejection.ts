/**
 * Requests that the API rejected although they break no rule of the specification: the pet does not exist, the key is no
 * longer valid, or the service requires more than the specification states. None of them is a success of the client, so
 * each is a finding, unless the request expected it (`isExpectedInvalid`).
 */
import type { Exchange, Warning } from '../base/api/exchange.ts';

/** The rule of a warning that is the reason of a rejection. */
export const BEYOND = 'rejected-beyond-specification';

/** One reason of a rejection. */
export interface Rejection {
  /** The latter: the service requires more than the specification states. */
  readonly rule: 'rejected' | typeof BEYOND;
  readonly location: string;
  readonly message: string;
}

/** Ids are left out of the texts, so that a thousand of them are one finding. */
const NO_PET: Rejection = { rule: 'rejected', location: 'path/petId', message: 'no pet has this id' };
const NO_ADDRESS: Rejection = {
  rule: 'rejected',
  location: 'operation',
  message: 'the API responded with 404: it has no such address, so the base address may be a wrong one',
};
const NO_ACCESS = { rule: 'rejected', location: 'header/authorization' } as const;
/** Why the key was not accepted, if this server knows. */
function whyNoAccess({ decision }: Exchange): string {
  const problems = decision.kind === 'rejected' ? decision.problems : [];
  const why = problems.find(({ location }) => location === NO_ACCESS.location)?.message;
  return why === undefined ? 'the key was not accepted' : `the key was not accepted: ${why}`;
}
/** By status, where it has one meaning. */
const REASONS: Readonly<Record<number, Rejection>> = {
  410: { rule: 'rejected', location: 'operation', message: 'the operation is removed' },
};

/** Whether the response is a rejection by the API itself, and not by a fault. */
export const isRejected = ({ response, injectedFault }: Exchange): boolean =>
  response.status >= 400 && injectedFault === undefined;

/** The reasons of a rejection; none if the request was not rejected, or if its violations say why. */
export function rejectionsOf(exchange: Exchange): readonly Rejection[] {
  const { operation, verdict, response } = exchange;
  const beyond = verdict?.warnings.filter(isBeyond) ?? [];
  if (beyond.length > 0) return beyond;
  if (!isRejected(exchange) || verdict?.violations.some(({ side }) => side === 'request')) return [];
  const { status } = response;
  if (status === 401) return [{ ...NO_ACCESS, message: whyNoAccess(exchange) }];
  // An address without an id is unknown to other servers alone.
  if (status === 404) return [operation === 'getPet' ? NO_PET : NO_ADDRESS];
  return [REASONS[status] ?? { rule: 'rejected', location: 'operation', message: `the API responded with ${status}` }];
}

const isBeyond = (warning: Warning): warning is Warning & Rejection => warning.rule === BEYOND;
