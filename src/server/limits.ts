/** Limits on time and connections. `docs/reference/settings.md` lists them, with the limits of other folders. */

/**
 * In milliseconds: for a request's head, for the whole request, between two checks of these, and between two requests of a
 * connection.
 */
export interface RequestTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly keepAliveTimeout?: number;
}

export const TIMEOUTS: RequestTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
};
/** How long a client may take to read a long response, in milliseconds. */
export const READING_MS = 30_000;
/** How long the threads may take, in milliseconds: for a verdict, for a draft to its last verdict, and for a HAR to its report. */
export const THREAD_MS = { verdict: 10_000, draft: 5_000, har: 20_000 };
/** For the log files of the store, the validator's thread, listening sockets, and files that are read for a request. */
export const RESERVED_FILES = 128;
