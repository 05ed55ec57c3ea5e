/** A fixture as a value of JavaScript, as tests write it. */
import { type JsonValue, parseJson, writeJson } from '../core/int64.ts';
import type { components } from '../generated/petstore.d.ts';

/** Integers as `number`, or as `bigint` beyond 2^53. */
type Loosely<T> = { readonly [Name in keyof T]: T[Name] extends bigint ? number | bigint : T[Name] };

/** Exactly these pets, or made-up ones. The form is that of a fixture file; a description is not needed. */
export interface InlineFixture {
  readonly description?: string;
  /** The first id to assign; by default one above the largest. */
  readonly nextId?: number | bigint;
  /** In any order, each id once. */
  readonly pets?: readonly Loosely<components['schemas']['Pet']>[];
  /** In place of `pets`. */
  readonly generate?: { readonly count: number; readonly seed: number };
}

/**
 * The fixture as exact JSON.
 * @throws {TypeError} for a number beyond 2^53: it may have lost digits before it came here
 */
export function exactFixture(fixture: InlineFixture): JsonValue {
  rejectRounded(fixture, 'fixture');
  return parseJson(writeJson(fixture));
}

/** @throws {TypeError} */
export function rejectRounded(value: unknown, location: string): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(
      `${location}: ${BigInt(value)} is beyond 2^53 and may have lost digits; give a bigint, like ${BigInt(value)}n`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) rejectRounded(member, `${location}/${name}`);
}
