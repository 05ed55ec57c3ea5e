/** The result of checking exchanges against an untrusted specification. */

import type { Exchange, Violation } from '../../base/api/exchange.ts';

/** A violation of a draft. */
export interface DraftViolation extends Violation {
  /** How to correct it. */
  readonly fix?: string | undefined;
}

/** What a draft says of one exchange. */
export interface DraftResult {
  /** It has no such operation. */
  readonly isRemoved?: boolean;
  readonly violations: readonly DraftViolation[];
  /** Why it is not known whether the request still works. */
  readonly unknown?: string | undefined;
  /** The request to send instead. */
  readonly instead?: string | undefined;
}

/** A change of an operation that no request shows: nobody knows what it does to a client before someone has looked. */
export interface DraftChange {
  readonly operation: string;
  /** `responses/200/content/…` */
  readonly location: string;
  /** A clause with both texts. */
  readonly text: string;
}

/** An operation that is deprecated, or has a date of its removal. */
export interface DraftDate {
  readonly operation: string;
  readonly isDeprecated: boolean;
  /** As the draft writes it. */
  readonly sunset: string | null;
  /** The same in milliseconds since 1970; infinite without one. */
  readonly removedAt: number;
}

/** The result for all requests, and what else differs. */
export interface DraftOutput {
  /** Title and version. */
  readonly draft: string;
  /** In the order of the exchanges; `undefined` for one that cannot be examined. */
  readonly results: readonly (DraftResult | undefined)[];
  /** What requests do not show. */
  readonly changes: readonly DraftChange[];
  /** Operations that it lacks, and those of which anything differs. */
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly dates: readonly DraftDate[];
}

/** Why a request cannot be held to a draft, with what to do; `undefined` for one that can. */
export function whyNotExaminable({ verdict, request, truncated, operation }: Exchange): string | undefined {
  if (request.method === 'HEAD') return 'a response to HEAD has nothing to compare; send GET as well';
  if (operation === undefined) return 'it matches no operation of today';
  if (verdict === undefined) return 'it is not validated yet; try again';
  if (verdict.validationError !== undefined) return `today's validator could not decide: ${verdict.validationError}`;
  if (truncated?.request === true) return 'its body is longer than the request log keeps; send a shorter one';
  return request.bodyUnread ? 'its body was not read; send it again with a valid key' : undefined;
}
