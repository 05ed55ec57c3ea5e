/**
 * What a drill is: a situation in which something goes wrong, a task for the client, and checks of what the client did.
 * Drills are data, and checks are pure functions: they grade exchanges, pets and the outcome, and change nothing.
 */

import type { Exchange } from '../../base/api/exchange.ts';
import { counted } from '../../base/text.ts';
import type { Schema } from '../../client/routes.ts';
import type { NewFault } from '../../sandbox/store/record.ts';

export type DrillGroup = Schema<'DrillGroup'>;
type TaskName = Schema<'DrillTaskName'>;

export interface Drill {
  readonly id: string;
  readonly group: DrillGroup;
  /** What goes wrong, as a sentence. */
  readonly title: string;
  readonly task: TaskName;
  /** How often the client does its task. */
  readonly times: number;
  readonly fixture: 'default' | 'boundary';
  /** The rules that make it go wrong, in the order in which they are tried. */
  readonly faults: readonly NewFault[];
  /** The sandbox's time at the start, in milliseconds since 1970; real time where it is left out. */
  readonly clockAt?: number;
  /** True where the key that arms the drill is revoked. */
  readonly revokesKey?: true;
  /** The pet of the fixture that the task is about, by its id. */
  readonly petId?: bigint;
  /** Whether the client met what goes wrong. */
  readonly isMet: (run: DrillRun) => boolean;
  /** The first is what the drill is about: where it has nothing to grade, the drill is not graded. */
  readonly checks: readonly Check[];
}

/** What a check looks at. */
export interface DrillRun {
  /** What the client sent since the start, the oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Requests of it that the request log no longer has. */
  readonly dropped: number;
  /** The pet that the task is about; the name is empty where there is none. */
  readonly petName: string;
  /** The pet to get, by its id. */
  readonly petId: bigint | undefined;
  /** Ids of all pets of this name. */
  readonly petsOfName: readonly bigint[];
  /** `undefined` while it is not known. */
  readonly outcome: ClientOutcome | undefined;
}

/** What the client said when it was done, and when, in milliseconds since 1970. */
export interface ClientOutcome {
  readonly success: boolean;
  readonly crashed: boolean;
  /** What the task asked for and the client did not give back; `null` if it gave back everything or said failure. */
  readonly missing: string | null;
  readonly at: number;
}

/** One check. The id is the same whether it passes or fails. */
export interface Check {
  readonly id: string;
  /** `must`: its failure does harm. `should`: good behavior. */
  readonly level: Schema<'DrillCheck'>['level'];
  /** What has to hold, as a sentence. */
  readonly title: string;
  /** Where this is asked for. */
  readonly source: string;
  /** How to change a client that fails it, as a sentence. */
  readonly fix: string;
  readonly grade: (run: DrillRun) => Grade;
}

/** What a check found. `open`: nothing can be said yet. `skipped`: there is nothing to grade. */
export interface Grade {
  readonly status: 'pass' | 'fail' | 'skipped' | 'open';
  readonly words: string;
  readonly measured?: string;
  readonly expected?: string;
  /** What shows it. */
  readonly exchanges?: readonly Exchange[];
}

export const skipped = (words: string): Grade => ({ status: 'skipped', words });
export const undecided = (words: string): Grade => ({ status: 'open', words });
/** For a check that needs the outcome before it is known. */
export const NO_OUTCOME = undecided('the outcome is not known');

/** A grade by whether something holds. */
export const graded = (holds: boolean, rest: Omit<Grade, 'status'>): Grade => ({
  status: holds ? 'pass' : 'fail',
  ...rest,
});

/** A limit on some of the requests. @param what they have in common, as in `2 requests got a 410` */
export const atMost = (
  most: number,
  what: string,
  counts: (exchanges: readonly Exchange[]) => readonly Exchange[],
  check: Omit<Check, 'grade'>,
): Check => ({
  ...check,
  grade: ({ exchanges }) => {
    if (exchanges.length === 0) return undecided('no request came');
    const found = counts(exchanges);
    return graded(found.length <= most, {
      words: `${counted(found.length, 'request')} ${what}`,
      measured: String(found.length),
      expected: `at most ${most}`,
      exchanges: found,
    });
  },
});
