/**
 * Takes the fixture out of a body. Its pets are read exactly and by the rules of fixture files, with their messages;
 * the schema of the body then sees a name in its place.
 */
import type { Problem } from '../exchange.ts';
import { isObject, type JsonValue } from '../int64.ts';
import { type FixtureContent, readInlineFixture } from '../sandbox/fixture-file.ts';
import { OWN_FIXTURE } from '../store/own-fixture.ts';
import { type Schema, schemas } from './described.ts';

/**
 * The maximum of members and array items in such a body: more than pets of so many bytes have. Only the fixture itself
 * may have that many.
 */
export const membersOfFixture = (bytes: number): number => Math.ceil(bytes / 8);

/** Whether a body of this schema may contain a fixture. */
export function takesFixture({ $ref }: Schema): boolean {
  const schema = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined;
  const { fixture } = (schema as { properties?: { fixture?: { anyOf?: unknown } } } | undefined)?.properties ?? {};
  return Array.isArray(fixture?.anyOf);
}

/** @returns the fixture, and the rest of the body with a name in its place */
export function takeFixture(body: JsonValue, problems: Problem[]): { rest: JsonValue; inline?: FixtureContent } {
  if (!isObject(body) || !Object.hasOwn(body, 'fixture') || typeof body['fixture'] === 'string') return { rest: body };
  const rest = { ...body, fixture: OWN_FIXTURE };
  const reading = readInlineFixture(body['fixture'] as JsonValue, 'body/fixture');
  if (reading.ok) return { rest, inline: reading.value };
  problems.push(...reading.problems);
  return { rest };
}
