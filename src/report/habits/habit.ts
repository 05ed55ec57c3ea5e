/** The type of a habit: behaviour over several requests, each of which may be valid by itself. */
import type { Exchange } from '../../exchange.ts';
import { shorten } from '../../wording.ts';

/** Finds a habit in the exchanges of one sandbox, which are ordered by arrival. */
export type FindHabit = (exchanges: readonly Exchange[]) => readonly Habit[];

/** A finding with its evidence. */
export interface Habit {
  readonly operation: string | undefined;
  /** The behaviour of the client, with figures; a clause without a final period. */
  readonly message: string;
  /** The number of occurrences. */
  readonly count: number;
  /** The requests that show it, in order, at least one; the last is the one that should have been different. */
  readonly evidence: readonly Exchange[];
}

/** The maximum number of findings of one habit. */
export const MAX_TOLD = 20;

/** `GET /v1/pets`, without its query. */
export const nameOf = ({ request }: Exchange): string =>
  `${request.method} ${shorten(request.target.split('?', 1)[0] as string, 100)}`;
