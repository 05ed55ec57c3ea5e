/** Every error that a response can carry: the one table of code → status, and the Error body of `spec/openapi.yaml`. */

/**
 * The codes and their HTTP statuses. The specifications and the README list them too; a test keeps them in step.
 * `injected_fault` has no fixed status: the fault sets it.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  limit_reached: 409,
  verification_failed: 409,
  operation_removed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  headers_too_large: 431,
  internal_error: 500,
  not_specified: 501,
  not_implemented: 501,
  storage_failed: 503,
  shutting_down: 503,
} as const;

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
 * A specification and the code differ, so the server must not start. The program prints the message and exits with 2.
 */
export class SpecificationError extends Error {}
