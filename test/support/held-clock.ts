/** Real time, in the hand of the test. */
export const heldClock = (time: number) => ({
  time,
  now(): number {
    return this.time;
  },
});
