/** Where the logs of sandboxes are kept: in memory, or in files (`files.ts`). */
import type { State } from './state.ts';
import type { EntryLog } from './timeline.ts';

/** The logs of all sandboxes. */
export interface Logs {
  readonly kind: 'memory' | 'json-files';
  /** Counts of writes and of failures since the start. */
  readonly figures: { readonly writes: number; readonly failedWrites: number };
  /** Why nothing can be written at present; `undefined` if it can. */
  readonly problem: string | undefined;
  /** Begins the log of a new sandbox, in slices if it is long. @throws {ApiError} `storage_failed`, `limit_reached` */
  create(state: State): EntryLog | Promise<EntryLog>;
  /** @param states of all sandboxes of this process, with their logs */
  close(states: Iterable<readonly [State, EntryLog]>): Promise<void>;
}

/** The state is freed with its last reference. */
const NO_LOG: EntryLog = { isInMemory: true, append: () => true, remove: () => undefined };

/** No log: the states in memory are all there is. */
export class MemoryLogs implements Logs {
  readonly kind = 'memory';
  readonly figures = { writes: 0, failedWrites: 0 };
  readonly problem = undefined;

  create(): EntryLog {
    return NO_LOG;
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
