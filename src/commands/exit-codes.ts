/** The program's exit codes, the same for every command. */
export const EXIT = {
  done: 0,
  /** A negative result: not healthy in time, a failed assertion. */
  failed: 1,
  /** Wrong usage, or unusable input. */
  wrongUse: 2,
  /** No response from a server. */
  notReached: 3,
} as const;
