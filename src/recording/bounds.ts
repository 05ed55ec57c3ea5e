/** The bound of a recording, also for the browser. */

/** Bytes of a file that is written or read. */
export const MAX_RECORDING_BYTES = 64 * 1024 * 1024;
