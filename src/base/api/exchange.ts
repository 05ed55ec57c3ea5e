/**
 * One request with its response. Request handling fills it in, the validator checks it and the request log stores it. It never
 * contains a secret: the credential of `Authorization` is removed before an exchange is created.
 */
import type { components } from '../generated/control-api.d.ts';
import { type OperationName, operations } from '../generated/facts.ts';

/** The specification that describes an operation: `spec/openapi.yaml` or `spec/control-api.yaml`. */
export type SpecificationName = 'petstore' | 'control';

/**
 * The closed list of places where the service and the validator may differ on a request. A test covers every name. The
 * first four are accepted by the service and rejected by the validator; the others are rejected by the service alone.
 */
export type IntendedDifference =
  | 'scheme-case' // `bearer x`: RFC 9110, section 11.1: schemes are case-insensitive
  | 'credential-optional' // a scheme other than `Bearer` where no credential is needed: it is ignored
  | 'parameter-name-case' // `?LIMIT=500` is an unknown parameter, not `limit`
  | 'body-undescribed' // a body where the operation describes none: it has no meaning (RFC 9110, section 9.3.1)
  | 'key-unknown' // the key opens no sandbox, or is malformed
  | 'authorization-twice'
  | 'id-twice' // two pets of an inline fixture with one id
  | 'member-twice' // `{"a":1,"a":2}`
  | 'parameter-twice'
  | 'parameter-empty'
  | 'parameter-unknown' // control API only: the petstore API accepts it with a warning
  | 'secret-inside' // a key in a label or a snapshot name, which are stored and shown
  | 'integer-form' // `+5`, `05`, `5.0`, `1e1`, `0x10`, ` 5` in a path or a query
  | 'int64-range' // beyond int64, or a fraction that is lost in a double: `1.00000000000000000001`
  | 'nesting' // over 100 levels
  | 'content-encoding'
  | 'media-type' // `application/anything+json`, or a charset other than UTF-8
  | 'text-encoding' // bytes that are not UTF-8, or invalid percent-encoding
  | 'too-large'; // over the limit of bytes, or of members and array items

/** One thing wrong with a request, as seen by the service. */
export interface Problem {
  /** Where: `query/limit`, `path/petId`, `body/categoryId`, `header/content-type`. */
  readonly location: string;
  /** What is wrong and what to send instead: a full clause without a final period. */
  readonly message: string;
  /** Set if the validator is known to accept this. */
  readonly difference?: IntendedDifference;
}

/** The outcome of the service for a request, which is compared with the validator's. */
export type Decision =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly problems: readonly Problem[] }
  /** The service made no decision: a fault was injected, the operation is removed, or the method does not exist. */
  | { readonly kind: 'undecided' };

/** A violation of the specification. The message follows its location, like that of a problem: `is at most 100`. */
export interface Violation {
  readonly side: 'request' | 'response';
  /** Location in the message: `query/limit`, `path/petId`, `body/categoryId`, `header/authorization`, `status`. */
  readonly location: string;
  /** Location in the specification, as a JSON pointer: `#/paths/~1pets/get/parameters/0/schema/maximum`. */
  readonly pointer: string;
  /** The rule that was broken: `maximum`, `required`, `enum`, `type`, … */
  readonly rule: string;
  readonly message: string;
}

/** Allowed by the specification, but probably a mistake in the client. */
export interface Warning {
  readonly location: string;
  readonly rule:
    | 'unknown-field'
    | 'unknown-parameter'
    | 'deprecated'
    | 'rejected-beyond-specification'
    | 'expected-invalid-but-valid'
    | 'int64-possibly-rounded';
  readonly message: string;
}

/** The validator's verdict on one exchange. Verdicts are cached and shared, and therefore frozen. */
export interface Verdict {
  readonly violations: readonly Violation[];
  readonly warnings: readonly Warning[];
  /** Why the validator could not validate; the two lists are then meaningless. */
  readonly validationError?: string;
}

/** The request as it came over the wire, without its credential. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as sent, with `/v1` or `/_sandbox`, without the address of a sandbox. */
  readonly target: string;
  /** The scheme as sent and a placeholder for the credential (`Bearer …`); `undefined` without a credential. */
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes of the body as sent; the bytes known so far if the body was not read to its end. */
  readonly bodyBytes: number;
  /** The body's text; `undefined` if there was none or it was not read (see `bodyUnread`). */
  readonly body: string | undefined;
  /** True if the body was rejected unread: over the limit, or of an unknown type. */
  readonly bodyUnread: boolean;
}

/** The response as it went over the wire. */
export interface RecordedResponse {
  /** 0 if nothing was sent: the connection was cut, or the client did not wait. */
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** How a request broke HTTP, or why it was never read: a closed list, described in `spec/control-api.yaml`. */
export type MalformedCause = components['schemas']['MalformedCause'];

/** What was wrong with a request that HTTP cannot carry. */
export interface Malformed {
  readonly cause: MalformedCause;
  /** As a clause. */
  readonly message: string;
}

/** What a fault did to one response: the fields of a rule that describe its effect. */
export type InjectedFault = components['schemas']['NewFault'];

/** Recorded if no byte of a response was sent. */
export const NOTHING_SENT: RecordedResponse = { status: 0, contentType: undefined, body: '' };

/** Why an exchange belongs to no sandbox: a closed list, described in `spec/control-api.yaml`. */
export type UnmatchedReason = components['schemas']['UnmatchedReason'];

/** The ids of pets that a request changed. */
export interface Effect {
  readonly created: readonly bigint[];
}

export const NO_EFFECT: Effect = Object.freeze({ created: Object.freeze([]) });

/** One request with its response, for everything within the server: the validator, the request log, reports. */
export interface Exchange {
  /** The value of `Sandbox-Request-Id`: `req_…`. */
  readonly id: string;
  /** The sandbox of its address, or that its key opened; `undefined` for an exchange that belongs to none. */
  readonly sandbox: string | undefined;
  /** The sandbox that its address named, which may not exist; `undefined` if it was sent to `/v1`, where only the key tells. */
  readonly address: string | undefined;
  /** Why no sandbox was opened, if the key was the cause. */
  readonly unmatched?: UnmatchedReason | undefined;
  /** The owner of the work: the sandbox of the request, including one to the control API. Empty without one. */
  readonly owner: string;
  /** Name of the operation in its specification; `undefined` if none matches (such exchanges are not validated). */
  readonly operation: string | undefined;
  readonly specification: SpecificationName;
  /** Arrival of the request, in milliseconds since 1970, by the system clock. */
  readonly at: number;
  /** Arrival of the request, in milliseconds by a monotonic clock: used to find requests that overlapped. */
  readonly startedMs: number;
  /** Time until the response was passed to the socket, in milliseconds. */
  readonly durationMs: number;
  /**
   * When the response was sent, by the system clock: stamped just before its first byte. A client cannot have read it
   * earlier, so the time until its next request is never underestimated.
   */
  readonly respondedAt: number;
  /** When the server noticed that the client had disconnected before its response; `undefined` if it stayed. */
  readonly disconnectedAt: number | undefined;
  /** Delay added by a fault, in milliseconds; 0 without one. */
  readonly delayMs: number;
  /** What the request changed, even if the client got no response. */
  readonly changes: Effect;
  /** The request headers that are shown, as name, value, name, value; see `server/http/request-head.ts`. */
  readonly requestHeaders: readonly string[];
  /** The names of the others: see `credential.ts`; `undefined` where they are not known. */
  readonly otherHeaders?: readonly string[] | undefined;
  /** The response headers that the service set, as name, value, name, value. Empty if nothing was sent. */
  readonly responseHeaders: readonly string[];
  /** Replaced by the request log where it stores the bodies only in part. */
  request: RecordedRequest;
  response: RecordedResponse;
  readonly decision: Decision;
  /** Set if the request never reached an operation because it is not HTTP as RFC 9112 defines it. */
  readonly malformed?: Malformed | undefined;
  /** The fault that replaced the response or cut it off. */
  readonly injectedFault: InjectedFault | undefined;
  /** False if the connection ended before the whole request was there. */
  readonly arrived?: boolean | undefined;
  /** Set by the validator with the validator's verdict. */
  verdict: Verdict | undefined;
  /** Set by the request log if it stores the bodies only in part, and if the response was too long for one string. */
  truncated?: CutBodies | undefined;
  /** Set by the request log: the run of the client that it belongs to; `undefined` for one of the dashboard. */
  run?: string | undefined;
  /** Set by the request log: its place there until it is settled. */
  place?: number | undefined;
}

/** Sizes of the bodies before the request log cut them. */
export interface CutBodies {
  readonly request: boolean;
  readonly response: boolean;
  /** Bytes of the response's body as sent. */
  readonly responseBytes: number;
}

/**
 * Whether the validator checks an exchange: an operation of the petstore API must match, a malformed request is none that it
 * could read, and a response to HEAD has nothing to validate.
 */
export const isToBeValidated = ({ specification, operation, request, malformed }: Exchange): boolean =>
  specification === 'petstore' && operation !== undefined && request.method !== 'HEAD' && malformed === undefined;

/**
 * Why an exchange cannot be validated although the validator checks its operation: nobody knows the body that the operation
 * needs. The service read none, and rejected nothing. `undefined` if it can.
 */
export function whyNotValidated(exchange: Exchange): string | undefined {
  const { specification, operation, decision, request, arrived } = exchange;
  if (specification !== 'petstore' || operation === undefined || decision.kind === 'rejected') return undefined;
  if (arrived === false) return 'the body of the request did not arrive completely';
  const { body } = operations[operation as OperationName];
  return request.bodyUnread && body !== null ? 'the body of the request was not read' : undefined;
}

/** Whether the verdict is final: the validator has validated, or never will. */
export const isSettled = (exchange: Exchange): boolean => exchange.verdict !== undefined || !isToBeValidated(exchange);

/** The value of a shown request header, by the name under which it is shown; `undefined` if it was not sent. */
export const requestHeader = ({ requestHeaders }: Exchange, name: string): string | undefined =>
  valueIn(requestHeaders, name);

/** The value of a response header, by the name that the service writes; `undefined` if it was not sent. */
export const responseHeader = ({ responseHeaders }: Exchange, name: string): string | undefined =>
  valueIn(responseHeaders, name);

function valueIn(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** Whether the request declares that it is to be rejected: a test that provokes that sends `Sandbox-Expect: invalid`. */
export const isExpectedInvalid = (exchange: Exchange): boolean => declared(exchange, 'Sandbox-Expect') === 'invalid';

/** Whether a page of this server sent the request (`Sandbox-Source: dashboard`). It is in the request log, but says nothing about the client. */
export const isFromDashboard = (exchange: Exchange): boolean => declared(exchange, 'Sandbox-Source') === 'dashboard';

/** Whether it was answered with the methods of a path, as a browser asks for them: no operation, and nothing wrong. */
export const isPreflight = ({ request, response }: Exchange): boolean =>
  request.method === 'OPTIONS' && response.status >= 200 && response.status < 300;

/** Whether a request says nothing about the client. */
export const isSkipped = (exchange: Exchange): boolean => isFromDashboard(exchange) || isPreflight(exchange);

const declared = (exchange: Exchange, header: string): string | undefined =>
  requestHeader(exchange, header)?.trim().toLowerCase();

/** The warning for a request that turns out valid. */
export const EXPECTED_INVALID_BUT_VALID: Warning = Object.freeze({
  location: 'header/sandbox-expect',
  rule: 'expected-invalid-but-valid',
  message: 'marked as expected to be invalid, but it is valid and was accepted',
});

/** Whether the request was accepted, and neither validator nor service found anything wrong; false where that is not known. */
export const isValid = ({ verdict, decision, response, injectedFault }: Exchange): boolean =>
  decision.kind === 'accepted' &&
  response.status < 400 &&
  injectedFault === undefined &&
  verdict !== undefined &&
  verdict.validationError === undefined &&
  verdict.violations.every(({ side }) => side === 'response');
