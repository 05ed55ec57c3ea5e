/** What the program's exit code says, the same for every command. */
export const EXIT = {
  done: 0,
  /** The answer is no: not healthy in time, an assertion that does not hold. */
  failed: 1,
  /** The program was called wrongly, or what it was given cannot be used. */
  wrongUse: 2,
  /** No server answered. */
  notReached: 3,
} as const;
