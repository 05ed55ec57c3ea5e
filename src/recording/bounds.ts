/** The bound of a case, also for the browser. */

/** Bytes of a file that is written or read. */
export const MAX_CASE_BYTES = 64 * 1024 * 1024;
