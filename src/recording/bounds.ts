/** The bounds of a recording, for the server and the browser. */

/** Bytes of a file that is written or read. */
export const MAX_RECORDING_BYTES = 64 * 1024 * 1024;
/** Bytes of one of its lines: reading one holds the event loop. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
