/** Parses the parameters and bodies of controls by their schemas in the specification, and reports all problems. */

import { type ControlOperation, schemas } from '../../base/api/control-operations.ts';

import type { Problem } from '../../base/api/exchange.ts';
import { onlyValue, type QueryPair, readQuery } from '../../base/api/parameters.ts';
import { type JsonSchema, MAX_NAME } from '../../base/api/schema-problems.ts';
import { isObject, type JsonObject, type JsonValue, plainValue, readDecimal } from '../../base/int64.ts';
import { MAX_CONTROL_BODY } from '../../base/limits.ts';
import { notKnown, shorten } from '../../base/text.ts';
import { type FixtureContent, readInlineFixture } from '../../sandbox/fixture-file.ts';
import { INLINE } from '../../sandbox/store/fixture.ts';
import type { Redact } from '../../traffic/redact.ts';
import { type BodyLimits, parsedBody, recordedText, rejection } from '../http/body.ts';
import type { Capacity } from '../http/capacity.ts';
import type { RequestParts } from '../http/open-exchange.ts';
import { MAX_PROBLEMS, SchemaChecks } from '../http/schema-checks.ts';

/** A request of the control API, over HTTP or from within this process. */
export interface ControlRequest extends RequestParts {
  /** @throws {ApiError} `unsupported_media_type`, `payload_too_large` @throws {ClientGone} */
  readBody(limits: BodyLimits): Promise<Buffer | undefined>;
}

/** The validated input of a control. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** An empty object if no body was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same with every number as its digits. */
  readonly exact: JsonObject;
  /** The fixture that the body contains, if it names none. */
  readonly inline?: FixtureContent | undefined;
}

const LIMITS: BodyLimits = { maxBytes: MAX_CONTROL_BODY };

/** The value for a missing body, to which the schema is not applied. */
const NO_BODY: JsonObject = {};

/** Controls whose bodies are not JSON, or have errors of their own: they read them themselves. */
const READ_THEIR_OWN = new Set(['importRecording', 'previewDraft', 'reportHar', 'callMcp']);

export class ControlParser {
  readonly #capacity: Capacity;
  readonly #checks = new SchemaChecks();

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  /** @throws {ApiError} `invalid_request`, `unsupported_media_type`, `payload_too_large` */
  async parse(req: ControlRequest, described: ControlOperation): Promise<Input> {
    const problems: Problem[] = [];
    const params = req.params as Record<string, string>;
    for (const { name, schema } of described.params)
      await this.#checks.check(schema, params[name], `path/${name}`, problems);
    const query = await this.#query(req, described, problems);
    const body = await this.#body(req, described, problems);
    if (problems.length > 0) throw rejection(req, 'invalid_request', bounded(problems));
    return { params, query, ...body };
  }

  async #query(req: ControlRequest, described: ControlOperation, problems: Problem[]): Promise<Input['query']> {
    const pairs = readQuery(req.exchange.request.target);
    const query: Record<string, string | number | boolean> = {};
    rejectUnknownParameters(pairs, described, problems);
    for (const { name, schema } of described.query) {
      const text = onlyValue(pairs, name, problems);
      if (text === undefined) continue;
      const value = typed(text, schema);
      const isOtherForm = typeof value === 'string' && wantsNumber(schema);
      await this.#checks.check(schema, value, `query/${name}`, problems, {
        otherForm: isOtherForm,
        exact: readDecimal(text) ?? text,
      });
      query[name] = value;
    }
    return query;
  }

  async #body(
    req: ControlRequest,
    described: ControlOperation,
    problems: Problem[],
  ): Promise<Omit<Input, 'params' | 'query'>> {
    if (READ_THEIR_OWN.has(described.name)) return { body: NO_BODY, exact: NO_BODY };
    const bytes = described.body && (await req.readBody(LIMITS));
    if (!described.body || bytes === undefined) {
      if (described.bodyRequired) problems.push({ location: 'body', message: 'is missing; send a JSON object' });
      return { body: NO_BODY, exact: NO_BODY };
    }
    const { body: schema } = described;
    return this.#capacity.inTurnWithBody(req.exchange, bytes.length, async () => {
      const exact = parsedBody(
        req,
        recordedText(req, bytes),
        takesFixture(schema) ? membersOfFixture(bytes.length) : 0,
      );
      const { rest, inline } = takesFixture(schema) ? takeFixture(exact, problems) : { rest: exact };
      const body = plainValue(rest);
      await this.#checks.check(schema, body, 'body', problems, { exact: rest });
      // A body that fits its schema is an object; with a problem, the value is not used.
      return { body: body as Input['body'], exact: exact as JsonObject, inline };
    });
  }
}

const bounded = (problems: readonly Problem[]): readonly Problem[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [
        ...problems.slice(0, MAX_PROBLEMS),
        { location: 'and more problems', message: 'are not shown; mend these first' },
      ];

/** Parameters that the specification does not describe; the validator accepts them. */
function rejectUnknownParameters(pairs: readonly QueryPair[], { query }: ControlOperation, problems: Problem[]): void {
  const names = query.map(({ name }) => name);
  for (const name of new Set(pairs.map((pair) => pair[0]))) {
    if (problems.length > MAX_PROBLEMS) return;
    if (names.includes(name)) continue;
    const location = `query/${shorten(name, MAX_NAME)}`;
    problems.push({ location, message: notKnown(name, names), difference: 'parameter-unknown' });
  }
}

const wantsNumber = (schema: JsonSchema): boolean => schema.type === 'integer' || schema.type === 'number';

/** Converts a parameter's text to its schema's type; returns the text itself if that is impossible. */
function typed(text: string, schema: JsonSchema): string | number | boolean {
  if (schema.type === 'integer') return readDecimal(text) === undefined ? text : Number(text);
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/**
 * The maximum of members and array items in such a body: more than pets of so many bytes have. Only the fixture itself
 * may have that many.
 */
const membersOfFixture = (bytes: number): number => Math.ceil(bytes / 8);

/** Whether a body of this schema may contain a fixture. */
function takesFixture({ $ref }: JsonSchema): boolean {
  const schema = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined;
  const { fixture } = (schema as { properties?: { fixture?: { anyOf?: unknown } } } | undefined)?.properties ?? {};
  return Array.isArray(fixture?.anyOf);
}

/** @returns the fixture, and the rest of the body with a name in its place */
function takeFixture(body: JsonValue, problems: Problem[]): { rest: JsonValue; inline?: FixtureContent } {
  if (!isObject(body) || !Object.hasOwn(body, 'fixture') || typeof body['fixture'] === 'string') return { rest: body };
  const rest = { ...body, fixture: INLINE };
  const reading = readInlineFixture(body['fixture'] as JsonValue, 'body/fixture');
  if (reading.ok) return { rest, inline: reading.value };
  problems.push(...reading.problems);
  return { rest };
}

/** @throws {ApiError} `invalid_request` for a text with a key or the admin token in it */
export function rejectSecret(req: RequestParts, location: string, text: string | undefined, redact: Redact): void {
  if (text === undefined || redact(text) === text) return;
  const message = 'must not contain a key or the admin token, because it is stored and shown; send other words';
  throw rejection(req, 'invalid_request', [{ location, message, difference: 'secret-inside' }]);
}
