/** The limits that a user can meet. `docs/reference/settings.md` lists the usual ones, and what happens beyond each. */

export const MAX_KEYS = 100;
export const MAX_SNAPSHOTS = 50;
export const MAX_FAULTS = 100;

/** The capacity of a request log; then the oldest exchange is evicted. */
export const MAX_EXCHANGES = 10_000;
/** Characters stored of a body. */
export const MAX_STORED_BODY = 16 * 1024;

/** Bytes of the target and the headers. */
export const MAX_HEAD = 16 * 1024;
/** Characters of a media type: far more than any real one has. */
export const MAX_TYPE = 200;
/** Bytes of a body of the control API: about 12,000 pets. */
export const MAX_CONTROL_BODY = 1024 * 1024;
/** Levels of JSON. */
export const MAX_NESTING = 100;
/**
 * The maximum of members and array items in a body, above any valid request: a body of 1 MiB can contain 90,000 unknown
 * members, and each of them costs a hundred times as much as a character of a name.
 */
export const MAX_MEMBERS = 10_000;

/** The maximum number of pets in one call. */
export const MAX_GENERATED = 10_000;
/** The longest fixture file that is read: about 300,000 pets. */
export const MAX_FIXTURE_BYTES = 32 * 1024 * 1024;
/** All files are opened at once. */
export const MAX_FIXTURE_FILES = 200;
/** Bytes of a recording that is written or read. */
export const MAX_RECORDING_BYTES = 64 * 1024 * 1024;
/** Bytes of one of its lines: reading one holds the event loop. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Bytes of a HAR, and of what it unpacks to; a server takes less. */
export const MAX_HAR_BYTES = 64 * 1024 * 1024;

/** Bytes of a draft of the specification. */
export const MAX_DRAFT_BYTES = 1024 * 1024;
/** Its fields and list items. */
export const MAX_VALUES = 20_000;
/** Its levels of objects and lists. */
export const MAX_DRAFT_DEPTH = 64;
export const MAX_PATHS = 500;
/** Characters of a path. */
export const MAX_DRAFT_PATH = 500;
/** Of a path. */
export const MAX_PARAMETERS = 20;

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
