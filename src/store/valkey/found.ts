/** What a number of a request log leads to in Valkey. */
import type { Exchange } from '../../requests/exchange.ts';

/** The mark of a request that has not been answered. */
export const OPEN = '-';
/** The mark of one that was open and is answered: its verdict follows. */
export const ANSWERED = '=';

/** An exchange of this process, one of another as text, a mark, an event, or nothing. */
export type Found = Exchange | string | null;

export const isMark = (found: Found): boolean => found === OPEN || found === ANSWERED;

/** An event of a sandbox has a number among its exchanges. */
export const isEvent = (found: Found): found is string => typeof found === 'string' && found.startsWith('{"event":');

/** The numbers from the first to the last. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
