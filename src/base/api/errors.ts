/** Every error that a response can carry: the one table of code → status, and the Error body of `spec/openapi.yaml`. */

/**
 * The codes, their HTTP statuses, and when each is sent. The lists in spec/control-api.yaml and docs/reference/settings.md are
 * generated from here. `injected_fault` is not among them: the fault sets its status.
 */
export const ERRORS = {
  invalid_request: [400, 'the request violates the specification; the message names every problem'],
  unauthorized: [401, 'the key is missing, malformed, unknown, expired or revoked'],
  forbidden: [403, 'the call needs the admin token, or this host or page may not use the control API'],
  not_found: [404, 'no such path, pet, key, fixture or sandbox'],
  method_not_allowed: [405, 'the path exists, but not with this method; see `Allow`'],
  request_timeout: [408, "the request didn't arrive in time"],
  conflict: [409, "the current state doesn't allow the request"],
  limit_reached: [409, 'a [limit](#limits) is reached'],
  verification_failed: [409, "the request log doesn't match the verification"],
  verification_incomplete: [409, 'requests that left the log could decide the verification'],
  operation_removed: [410, "`getPet` on or after 5 December 2030, by the sandbox's clock"],
  payload_too_large: [
    413,
    'the body is over `--max-body` (of the control API: 1 MiB), or has too many fields and array items',
  ],
  unsupported_media_type: [415, 'the body is not `application/json`, or has a `Content-Encoding`'],
  expectation_failed: [417, 'only `Expect: 100-continue` is supported'],
  misdirected_request: [421, 'the sandbox or the key belongs to [another server](../operate/servers.md)'],
  too_many_requests: [429, 'too many others read request logs; see `Retry-After`'],
  headers_too_large: [431, 'the request line and the headers are too large'],
  internal_error: [500, "a bug of the sandbox; the server's log has the cause"],
  not_specified: [501, "the real service has this, but the specification doesn't describe it"],
  not_implemented: [501, '`Transfer-Encoding` has a coding other than `chunked`'],
  storage_failed: [
    503,
    "the change couldn't be stored. If the message says that it may have happened, list the pets before you send it again",
  ],
  busy: [503, 'four HARs or drafts wait for the one that is read; see `Retry-After`'],
  shutting_down: [503, 'the server is stopping'],
} as const satisfies Readonly<Record<string, readonly [status: number, when: string]>>;

type Statuses = { readonly [Code in keyof typeof ERRORS]: (typeof ERRORS)[Code][0] };

export const ERROR_STATUS = Object.fromEntries(
  Object.entries(ERRORS).map(([code, [status]]) => [code, status]),
) as Statuses;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * An error that becomes a response: its code determines the status; `headers` are sent with it, as name, value, name,
 * value.
 */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly headers: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = ERROR_STATUS[code];
  }
}

/** The Error body of the specification: exactly `code`, `message` and `status`. */
export const errorBody = (code: string, message: string, status: number): string =>
  JSON.stringify({ code, message, status });

/**
 * A specification that cannot be used; the message names the place in it. Where ours and the code differ, the server must
 * not start: the program prints the message and exits with 2.
 */
export class SpecificationError extends Error {}
