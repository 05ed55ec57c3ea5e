/** The inspection of one check: the requests that it sends, and the differences in their responses. */
import { isInt64, type JsonObject, type JsonValue, parseJson } from '../int64.ts';
import { shorten } from '../wording.ts';
import { beyondSpecification } from './beyond-specification.ts';
import type { ProbeRequest } from './cases/case.ts';
import { type HttpProbe, NoResponse, type ProbeResponse } from './http-probe.ts';
import { type Mismatch, operationOf, type ResponseValidator } from './response-validator.ts';
import { type Basis, basisOf, type Rule } from './rules.ts';

/** One difference between the actual and the expected behaviour. */
export interface Difference {
  readonly rule: Rule;
  readonly basis: Basis;
  /** The request in one line, without the key. */
  readonly sent: string;
  readonly expected: string;
  readonly got: string;
}

/** A pet that the server created for a check, or may have created. */
export interface CreatedPet {
  /** `null` if the response is missing or does not contain the id. */
  readonly id: bigint | null;
  readonly sent: string;
}

/** The expected response of a check. */
export interface Expectation {
  readonly status: number;
  /** An alternative status that is accepted. */
  readonly or?: number;
  /** The violated rule if the status differs. */
  readonly rule: Rule;
}

/** A response with the expected status, valid by the specification. */
export interface ValidResponse extends ProbeResponse {
  /** `null` without a body, as with HEAD. */
  readonly value: JsonValue;
  readonly sent: string;
}

/** The server lacks data for the check; `message` states what is missing. */
export class Skipped extends Error {}

export interface InspectionOptions {
  readonly probe: HttpProbe;
  readonly validator: ResponseValidator;
  /** Every created pet is recorded here immediately. */
  readonly created: CreatedPet[];
}

const MAX_SHOWN = 300;

export class Inspection {
  readonly differences: Difference[] = [];
  readonly #options: InspectionOptions;

  constructor(options: InspectionOptions) {
    this.#options = options;
  }

  /**
   * Sends a request, and notes differences from the specification, the sandbox's decisions and the expectation.
   * @returns the response, if it is valid and has the expected status
   * @throws {RateLimited | Stopped}
   */
  async send(request: ProbeRequest, expectation: Expectation): Promise<ValidResponse | undefined> {
    const sent = inWords(request, (text) => this.#options.probe.withoutKey(text));
    const { status, or, rule } = expectation;
    const expected = `${status}${status >= 400 ? ' with an Error body' : ''}`;
    const response = await this.#responseTo(request, sent, expected);
    if (response === undefined) return undefined;
    if (request.method === 'POST') this.#noteCreated(response, sent);
    const isExpected = response.status === status || response.status === or;
    if (!isExpected) this.differs({ rule, expected, sent, response });
    const { mismatches, value = null } = this.#validate(request, response);
    const beyond = beyondSpecification(response, value);
    for (const mismatch of [...mismatches, ...beyond]) this.differs({ ...mismatch, sent, response });
    return isExpected && mismatches.length === 0 ? { ...response, value, sent } : undefined;
  }

  /** Notes a difference. */
  differs({ rule, sent, expected, why, response }: Mismatch & { sent: string; response: ProbeResponse }): void {
    const got = `${why === undefined ? '' : `${why}: `}${shownResponse(response)}`;
    this.differences.push({ rule, basis: basisOf(rule), sent, expected, got });
  }

  async #responseTo(request: ProbeRequest, sent: string, expected: string): Promise<ProbeResponse | undefined> {
    try {
      return await this.#options.probe.send(request);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      if (request.method === 'POST') this.#options.created.push({ id: null, sent });
      const rule = 'no-response';
      this.differences.push({ rule, basis: basisOf(rule), sent, expected, got: `no response: ${error.message}` });
      return undefined;
    }
  }

  #validate({ method = 'GET', path }: ProbeRequest, response: ProbeResponse) {
    // The response to HEAD has no body.
    if (method === 'HEAD') return { mismatches: [] };
    return this.#options.validator.validate(operationOf(method, path), response);
  }

  #noteCreated({ status, text }: ProbeResponse, sent: string): void {
    if (status >= 200 && status < 300) this.#options.created.push({ id: idIn(text), sent });
  }
}

function idIn(text: string): bigint | null {
  try {
    const id = (parseJson(text) as JsonObject | null)?.['id'];
    return typeof id === 'bigint' && isInt64(id) ? id : null;
  } catch {
    return null;
  }
}

/** A request in one line, without the key. */
function inWords(
  { method = 'GET', path, headers = {}, body }: ProbeRequest,
  withoutKey: (text: string) => string,
): string {
  const named = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${shorten(withoutKey(value), 60)}`),
  );
  const chunks = (Array.isArray(body) ? body : body === undefined ? [] : [body]).map((chunk) =>
    Buffer.isBuffer(chunk) ? chunk.toString('latin1') : chunk,
  );
  const content = chunks.length > 0 ? [shorten(chunks.join(''), MAX_SHOWN)] : [];
  return [`${method} /v1${shorten(path, MAX_SHOWN)}`, ...named, ...content].join(', ');
}

const shownResponse = ({ status, headers, text }: ProbeResponse): string =>
  [String(status), headers['content-type'], shorten(text, MAX_SHOWN)].filter(Boolean).join(' ');
