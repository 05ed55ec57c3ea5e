/**
 * One request with its answer: what the way of a request fills in, the judge judges and the journal keeps.
 * Nothing here holds a secret: the credential of `Authorization` is gone before an exchange exists.
 */

/** Which of the two documents describes an operation: `spec/openapi.yaml` or `spec/controls.yaml`. */
export type DocumentName = 'interface' | 'controls';

/**
 * The closed list of places where the service and the referee may differ on a request (design: the referee's place).
 * Every name has a test. The first four are accepted by the service and refused by the referee; all others are
 * refused by the service alone.
 */
export type Difference =
  | 'scheme-case' // `bearer x`: RFC 9110, section 11.1 says that schemes are case-insensitive
  | 'credential-optional' // another scheme than `Bearer` where no credential is needed: it counts for none
  | 'parameter-name-case' // `?LIMIT=500` is an unknown parameter, not `limit`
  | 'body-undescribed' // a body where the operation describes none, which means nothing (RFC 9110, section 9.3.1)
  | 'key-unknown' // opens no sandbox, or has characters that no key has
  | 'authorization-twice'
  | 'member-twice' // `{"a":1,"a":2}`
  | 'parameter-twice'
  | 'parameter-empty'
  | 'parameter-unknown' // of a control: the interface accepts it with a warning
  | 'secret-inside' // a key in a label or in the name of a snapshot, which are stored and shown
  | 'integer-form' // `+5`, `05`, `5.0`, `1e1`, `0x10`, ` 5` in a path or a query
  | 'int64-range' // beyond int64, or a fraction that only doubles lose: `1.00000000000000000001`
  | 'nesting' // over 100 levels
  | 'content-encoding'
  | 'media-type' // `application/anything+json`, or a charset other than UTF-8
  | 'text-encoding' // bytes that are no UTF-8, or a bad percent-encoding
  | 'too-large'; // over the bound of bytes, or of members and array items

/** One thing wrong with a request, as the service sees it. */
export interface Problem {
  /** Where: `query/limit`, `path/petId`, `body/categoryId`, `header/content-type`. */
  readonly place: string;
  /** What is wrong and what to send instead; a full clause without a final stop. */
  readonly message: string;
  /** Set where the referee is known not to mind. */
  readonly difference?: Difference;
}

/** What the service made of the request: the referee's opinion is held against it. */
export type Decision =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  /** It never came to a decision: a fault was injected, the operation is removed, no such method. */
  | { readonly kind: 'undecided' };

/** A breach of the document, in the referee's words. */
export interface Violation {
  readonly side: 'request' | 'answer';
  /** Place in the message: `query/limit`, `path/petId`, `body/categoryId`, `header/authorization`, `status`. */
  readonly place: string;
  /** Place in the document, as a JSON pointer: `#/paths/~1pets/get/parameters/0/schema/maximum`. */
  readonly pointer: string;
  /** The rule that was broken: `maximum`, `required`, `enum`, `type`, … */
  readonly rule: string;
  readonly message: string;
}

/** Allowed by the document, but probably a mistake of the client's. */
export interface Warning {
  readonly place: string;
  readonly rule: 'unknown-field' | 'unknown-parameter' | 'deprecated' | 'refused-beyond-document';
  readonly message: string;
}

/** The referee's word on one exchange. Verdicts are remembered and shared: they are frozen. */
export interface Verdict {
  readonly violations: readonly Violation[];
  readonly warnings: readonly Warning[];
  /** Why the referee could not judge; then the two lists say nothing. */
  readonly unjudged?: string;
}

/** The request as it came over the wire, without its credential. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as sent, with `/v1` or `/_sandbox`. */
  readonly target: string;
  /** The scheme as sent and a stand-in for the credential (`Bearer …`), or `undefined` when none came. */
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes of the body as sent; for a body that was not read to its end, what is known of it. */
  readonly bodyBytes: number;
  /** The body's text; `undefined` when there was none or it was not read (see `bodyUnread`). */
  readonly body: string | undefined;
  /** True when the body was refused without being read: over the limit, or of an unknown type. */
  readonly bodyUnread: boolean;
}

/** The answer as it went over the wire. */
export interface RecordedAnswer {
  /** 0 when nothing was sent: the connection was cut, or the client did not wait. */
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** What is recorded where no byte of an answer went out. */
export const NOTHING_SENT: RecordedAnswer = { status: 0, contentType: undefined, body: '' };

/** One request with its answer. */
export interface Exchange {
  /** The value of `Sandbox-Request-Id`: `req_…`. */
  readonly id: string;
  /** The sandbox that the key opened; `undefined` for an exchange that belongs to none. */
  readonly sandbox: string | undefined;
  /**
   * Whose work it is: the sandbox of the key that came with it, also for the controls. Empty for what comes without a
   * valid key.
   */
  readonly owner: string;
  /** Name of the operation in its document; `undefined` where none matches (they are not refereed). */
  readonly operation: string | undefined;
  readonly document: DocumentName;
  /** When the request came, in milliseconds since 1970, by the real clock. */
  readonly at: number;
  /** How long until the answer was handed over, in milliseconds. */
  readonly durationMs: number;
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
  readonly decision: Decision;
  /** The fault that stood in for the answer or cut it off, in words: `status=503; when=after`. */
  readonly injected: string | undefined;
  /** Set by the judge once the referee has spoken. */
  verdict: Verdict | undefined;
  /** Set by the journal where it keeps the bodies only in part, and where the response was too long to be one text. */
  cut?: CutBodies | undefined;
}

/** What the bodies were before the journal cut them. */
export interface CutBodies {
  readonly request: boolean;
  readonly answer: boolean;
  /** Bytes of the answer's body as it went out. */
  readonly answerBytes: number;
}

/** Whether the referee judges an exchange: an operation has to match, and HEAD has no answer to judge. */
export const isRefereed = ({ operation, request }: Exchange): boolean =>
  operation !== undefined && request.method !== 'HEAD';

/** Whether nothing is to come any more: the referee has spoken, or never will. */
export const isSettled = (exchange: Exchange): boolean => exchange.verdict !== undefined || !isRefereed(exchange);
