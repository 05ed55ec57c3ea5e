/** What a draft says of a request, as the thread tells it. */
import type { Violation } from '../api/exchange.ts';

/** What a draft says of one exchange. */
export interface DraftResult {
  /** It has no such operation. */
  readonly isRemoved?: boolean;
  /** The operation of the draft. */
  readonly operation?: string;
  /** What the validator found, as far as nothing else decides on it. */
  readonly validated: readonly Violation[];
  /** What a validator does not see. */
  readonly found: readonly Violation[];
  /** Why it is not known whether the request still works. */
  readonly unknown?: string;
  /** The request to send instead. */
  readonly instead?: string;
  /** How to correct each violation, by its rule and location. */
  readonly fixes: Readonly<Record<string, string>>;
}

export const fixKey = ({ rule, location }: Pick<Violation, 'rule' | 'location'>): string => `${rule} ${location}`;
