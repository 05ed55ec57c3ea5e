/** Errors of a call. */
import type { components } from '../base/generated/control-api.d.ts';
import { readJson } from './json.ts';

/** What the client reads of a response: that of `fetch` has it, in Node and in a DOM environment. */
export interface ClientResponse extends Pick<Response, 'url' | 'status' | 'ok' | 'text'> {
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * The kind of error: a code of the server's, or one of the client's own. `not_reached`: no response came, or not all of
 * it. `unexpected_response`: the server is not a sandbox.
 */
type ClientErrorCode = components['schemas']['ErrorCode'] | 'not_reached' | 'unexpected_response';

/** A failed call. `message` states the reason and a remedy; it never contains a key. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** Status of the response; 0 without one. */
  readonly status: number;
  /** `Sandbox-Request-Id` of the response. */
  readonly requestId: string | undefined;
  /** The whole error body: a failed verification has more members than `Error`. */
  readonly body: unknown;

  constructor(
    { code, message, status, requestId, body }: Pick<ClientError, 'code' | 'message' | 'status' | 'requestId' | 'body'>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.body = body;
  }

  static notReached(url: string, cause: unknown): ClientError {
    const reason = reasonOf(cause);
    const message = `${url || 'the server'} cannot be reached${reason === '' ? '' : ` (${reason})`}`;
    return new ClientError(
      { code: 'not_reached', message, status: 0, requestId: undefined, body: undefined },
      { cause },
    );
  }

  static unexpected({ status, headers }: ClientResponse, message: string, cause?: unknown): ClientError {
    const requestId = headers.get('Sandbox-Request-Id') ?? undefined;
    return new ClientError({ code: 'unexpected_response', message, status, requestId, body: undefined }, { cause });
  }
}

/** The error that corresponds to a response. */
export function errorOf(response: ClientResponse, text: string): ClientError {
  const unexpected = `it sent ${response.status} without an error body`;
  try {
    const body = readJson(text) as components['schemas']['Error'];
    const { code, message } = body;
    if (typeof code !== 'string' || typeof message !== 'string') return ClientError.unexpected(response, unexpected);
    const requestId = response.headers.get('Sandbox-Request-Id') ?? undefined;
    return new ClientError({ code, message, status: response.status, requestId, body });
  } catch (cause) {
    return ClientError.unexpected(response, unexpected, cause);
  }
}

/** `fetch` hides the reason in the cause of its error. A browser tells none: `Failed to fetch`, in words of its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error instanceof TypeError ? '' : error.message;
}
