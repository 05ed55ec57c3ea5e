/** The inspection of one check: the requests that it sends, and the differences in their responses. */

import { ERROR_STATUS } from '../api/errors.ts';
import { fieldsOf } from '../api/specification.ts';
import {
  isInt64,
  type JsonObject,
  type JsonValue,
  type NumberLiteral,
  parseDigits,
  parseIfJson,
} from '../core/int64.ts';
import { shorten } from '../core/text.ts';
import { operations, schemas } from '../generated/facts.ts';
import { type ProbeRequest, requestText } from './cases.ts';
import { type HttpProbe, NoResponse, type ProbeResponse } from './http-probe.ts';
import { type Mismatch, operationOfProbe, type ResponseValidator } from './response-validator.ts';
import { type Basis, basisOf, type ConformRule } from './rules.ts';

/** One difference between the actual and the expected behavior. */
export interface ConformDifference {
  readonly rule: ConformRule;
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
export interface ConformExpectation {
  readonly status: number;
  /** An alternative status that is accepted. */
  readonly or?: number;
  /** The violated rule if the status differs. */
  readonly rule: ConformRule;
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
  /** Whether to leave out requests for which the specification has no operation. */
  readonly specificationOnly: boolean;
  /** Every created pet is recorded here immediately. */
  readonly created: CreatedPet[];
}

/** Why `specificationOnly` skips a check. */
export const OF_SANDBOX = 'it checks a decision of the sandbox';

const MAX_INSPECTED_TEXT = 300;

export class Inspection {
  readonly differences: ConformDifference[] = [];
  readonly #options: InspectionOptions;

  constructor(options: InspectionOptions) {
    this.#options = options;
  }

  /** The pets that the run has created so far. */
  get created(): readonly CreatedPet[] {
    return this.#options.created;
  }

  /**
   * Sends a request, and notes differences from the specification, the sandbox's decisions and the expectation.
   * @returns the response, if it is valid and has the expected status
   * @throws {Skipped | RateLimited | Stopped}
   */
  async send(request: ProbeRequest, expectation: ConformExpectation): Promise<ValidResponse | undefined> {
    if (this.#options.specificationOnly && operationOfProbe(request) === undefined) throw new Skipped(OF_SANDBOX);
    const sent = shorten(this.#options.probe.withoutKey(requestText(request)), MAX_INSPECTED_TEXT);
    const { status, or, rule } = expectation;
    const expected = `${status}${status >= 400 ? ' with an Error body' : ''}`;
    const response = await this.#responseTo(request, sent, expected);
    if (response === undefined) return undefined;
    if (request.method === 'POST') this.#noteCreated(response, sent);
    const isExpected = response.status === status || response.status === or;
    if (!isExpected) this.differs({ rule, expected, sent, response });
    const { mismatches, value = null } = this.#validate(request, response);
    const beyond = beyondSpecification(request, response, value);
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

  #validate(request: ProbeRequest, response: ProbeResponse) {
    // The response to HEAD has no body.
    if (request.method === 'HEAD') return { mismatches: [] };
    return this.#options.validator.validate(operationOfProbe(request), response);
  }

  #noteCreated({ status, text }: ProbeResponse, sent: string): void {
    if (status >= 200 && status < 300) this.#options.created.push({ id: idIn(text), sent });
  }
}

function idIn(text: string): bigint | null {
  const id = (parseIfJson(text) as JsonObject | null | undefined)?.['id'];
  return typeof id === 'bigint' && isInt64(id) ? id : null;
}

const shownResponse = ({ status, headers, text }: ProbeResponse): string =>
  [
    String(status),
    headers.location && `to ${headers.location}`,
    headers['content-type'],
    shorten(text, MAX_INSPECTED_TEXT),
  ]
    .filter(Boolean)
    .join(' ');

/** The differences of a response from these decisions. @param value its body, `null` if that is missing or invalid */
const beyondSpecification = (request: ProbeRequest, response: ProbeResponse, value: JsonValue): readonly Mismatch[] => [
  ...compressionOf(response),
  ...challengeOf(response),
  ...wrongMethods(request, response),
  ...wrongCodes(response, value),
  ...furtherMembersOf(response, value),
  ...formsOf(response, value),
];

function challengeOf({ status, headers }: ProbeResponse): Mismatch[] {
  const said = headers['www-authenticate'];
  if (status !== ERROR_STATUS.unauthorized || /^Bearer\b/i.test(said ?? '')) return [];
  const why = `WWW-Authenticate: ${said ?? 'none'}`;
  return [{ rule: 'www-authenticate', expected: 'WWW-Authenticate: Bearer', why }];
}

function compressionOf({ isCompressed, headers }: ProbeResponse): Mismatch[] {
  if (!isCompressed) return [];
  const why = `Content-Encoding: ${headers['content-encoding'] ?? 'none, but the body is compressed'}`;
  return [{ rule: 'content-encoding', expected: 'a body that is not compressed: Accept-Encoding was identity', why }];
}

function wrongMethods({ path }: ProbeRequest, { status, headers: { allow } }: ProbeResponse): Mismatch[] {
  if (status !== ERROR_STATUS.method_not_allowed) return [];
  const allowed = (allow ?? '').split(',').map((each) => each.trim().toUpperCase());
  const missing = METHODS.filter((method) => operationOfProbe({ method, path }) && !allowed.includes(method));
  if (allow !== undefined && missing.length === 0) return [];
  return [{ rule: 'allow', expected: 'Allow, with the methods of this path', why: `Allow: ${allow ?? 'none'}` }];
}

const METHODS = [...new Set(Object.values(operations).map(({ method }) => method.toUpperCase()))];

function wrongCodes({ status }: ProbeResponse, value: JsonValue): Mismatch[] {
  const code = status >= 400 ? (value as JsonObject | null)?.['code'] : undefined;
  const own = Object.entries(ERROR_STATUS).flatMap(([name, each]) => (each === status ? [name] : []));
  if (typeof code !== 'string' || own.length === 0 || own.includes(code)) return [];
  return [{ rule: 'error-code', expected: `the code ${own.join(' or ')}` }];
}

/** The schemas allow additional members, so a validator does not report them. */
function furtherMembersOf({ status }: ProbeResponse, value: JsonValue): Mismatch[] {
  const schema = status >= 400 ? 'Error' : 'Pet';
  const known = Object.keys(schemas[schema].properties);
  const objects = [value].flat().filter((each) => typeof each === 'object' && each !== null) as JsonObject[];
  const further = new Set(objects.flatMap((object) => Object.keys(object).filter((name) => !known.includes(name))));
  if (further.size === 0) return [];
  const why = `further: ${[...further].slice(0, 5).join(', ')}`;
  return [{ rule: 'further-members', expected: `only the fields of ${schema}: ${known.join(', ')}`, why }];
}

/** To the schemas, `1.0` is an integer. To the JSON readers of many languages, it is none. */
function formsOf({ status, text }: ProbeResponse, value: JsonValue): Mismatch[] {
  if (value === null || !/\d[.eE]|-0/.test(text)) return [];
  const fields = status >= 400 ? ERROR_INTEGERS : PET_INTEGERS;
  const objects = [parseDigits(text)].flat() as Readonly<Record<string, NumberLiteral | undefined>>[];
  const odd = objects
    .flatMap((object) => fields.map((name) => [name, object[name]?.text] as const))
    .find(([, digits]) => digits !== undefined && !/^(?:0|-?[1-9]\d*)$/.test(digits));
  if (odd === undefined) return [];
  const [name, digits = ''] = odd;
  return [
    {
      rule: 'integer-form',
      expected: `${name} in plain digits`,
      why: `${name} is ${shorten(digits, MAX_INSPECTED_TEXT)}`,
    },
  ];
}

const PET_INTEGERS = fieldsOf('Pet').flatMap(({ name, type }) => (type === 'integer' ? [name] : []));
const ERROR_INTEGERS = ['status'];
