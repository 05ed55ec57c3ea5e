/**
 * Changes to the pets of a sandbox. A branch is a log of them, in memory (branch.ts), in files (log-file.ts) and in
 * recordings. This file alone knows their kinds: how each is written and read, what it takes, and what it must follow.
 */

import { describeJson, isObject, type JsonValue } from '../core/int64.ts';
import { type Pet, type ReadResult, readStrictPet, type StoredPet } from '../core/pet.ts';
import { notKnown, shorten } from '../core/text.ts';
import type { Effect } from '../requests/exchange.ts';
import { weightOfPets } from './weight.ts';

/**
 * Every kind of change, and what it carries. A new kind is one more field here, and one more row of `KINDS`. The
 * compiler then names `Branch.append`, which carries it out in memory; `placesAt` and `changes` beside it must follow.
 * It needs no new layout: a program that does not know a kind rejects the file by its name.
 * @typeParam P a pet, as far as it is known: one read back from a page has no status of its own
 */
export interface Kinds<P extends StoredPet = Pet> {
  /** A new pet. Its id is above all ids assigned before in the same log. */
  readonly added: P;
}

type ChangeKind = keyof Kinds;
/** A change: an object with one member, named by its kind. */
export type Change<P extends StoredPet = Pet> = { [K in ChangeKind]: Pick<Kinds<P>, K> }[ChangeKind];
export type Added<P extends StoredPet = Pet> = Pick<Kinds<P>, 'added'>;

/** What a change must know of the changes before it. */
export interface Before {
  /** The highest id that was assigned. */
  readonly lastId: bigint | undefined;
}

/** One kind of change, by the value of its member. */
interface Kind<K extends ChangeKind> {
  read(value: JsonValue, location: string): ReadResult<Kinds[K]>;
  text(value: Kinds<StoredPet>[K]): string;
  /** The number of pets that a sandbox has more after it. */
  readonly pets: number;
  /** The member of an exchange's `effect` that lists the pet. */
  readonly effect: keyof Effect;
  /** Its memory in bytes. */
  weight(value: Kinds<StoredPet>[K]): number;
  /** Why it cannot follow these changes: a clause, like `must be an integer`. */
  rejection(value: Kinds<StoredPet>[K], before: Before): string | undefined;
}

const KINDS: { readonly [K in ChangeKind]: Kind<K> } = {
  added: {
    read: readStrictPet,
    text: ({ json }) => json,
    pets: 1,
    effect: 'created',
    // Each text is followed by a comma (see page.ts). Measuring also flattens it to one string.
    weight: ({ json }) => weightOfPets(1, Buffer.byteLength(json) + 1),
    rejection: ({ id }, { lastId }) =>
      lastId !== undefined && id <= lastId ? `must have ascending ids; ${id} comes after ${lastId}` : undefined,
  },
};

const NAMES = Object.keys(KINDS) as ChangeKind[];
/** Characters of a member's name that a message quotes. */
const MAX_SHOWN = 64;

/** The kind of a change, by its only member. */
function nameOf(change: Change<StoredPet>): ChangeKind {
  for (const name in change) return name as ChangeKind;
  throw new TypeError('a change has a member');
}

type AnyValue = Kinds<StoredPet>[ChangeKind];

/** The kind of a change, and its value. */
function kindOf(change: Change<StoredPet>): readonly [kind: Kind<ChangeKind>, value: AnyValue] {
  const name = nameOf(change);
  return [KINDS[name], (change as Readonly<Record<ChangeKind, AnyValue>>)[name]];
}

/** The file form of a change: an object with one member, named by the kind. */
export function textOf(change: Change<StoredPet>): string {
  const [kind, value] = kindOf(change);
  return `{"${nameOf(change)}":${kind.text(value)}}`;
}

/** Reads a change strictly; `place` is its location (`changes[3]`). */
export function readChange(value: JsonValue, location: string): ReadResult<Change> {
  const members = isObject(value) ? Object.entries(value) : [];
  const problems = members
    .filter(([name]) => !Object.hasOwn(KINDS, name))
    .map(([name]) => ({ location: `${location}/${shorten(name, MAX_SHOWN)}`, message: notKnown(name, NAMES) }));
  if (problems.length > 0) return { ok: false, problems };
  const [member, ...others] = members as [ChangeKind, JsonValue][];
  if (member === undefined || others.length > 0) {
    const message = `must be a change, such as {"added":{"id":1,…}}; got ${describeJson(value)}`;
    return { ok: false, problems: [{ location, message }] };
  }
  const [name, inside] = member;
  const reading = KINDS[name].read(inside, `${location}/${name}`);
  return reading.ok ? { ok: true, value: { [name]: reading.value } as unknown as Change } : reading;
}

/** What changes do to which pets. */
export function effectOf(changes: readonly Change[]): Effect {
  const effect: { -readonly [Name in keyof Effect]: bigint[] } = { created: [] };
  for (const change of changes) {
    const [kind, { id }] = kindOf(change);
    effect[kind.effect] ??= [];
    effect[kind.effect].push(id);
  }
  return effect;
}

/** The beginning of every change's file form. */
const BEGINNING = /^\{"(\w+)":\{"id":(-?\d+)/;

/** The effect of a change in its file form, without parsing all of it. */
export function effectOfText(text: string): { readonly effect: keyof Effect; readonly id: bigint } {
  const [, name, id] = BEGINNING.exec(text) as RegExpExecArray;
  return { effect: KINDS[name as ChangeKind].effect, id: BigInt(id as string) };
}

/** The memory that changes will take, in bytes. */
export function weightOf(changes: readonly Change<StoredPet>[]): number {
  let sum = 0;
  for (const change of changes) {
    const [kind, value] = kindOf(change);
    sum += kind.weight(value);
  }
  return sum;
}

/** The number of pets that a sandbox has more after these changes. */
export const petsAddedBy = (changes: readonly Change[]): number =>
  changes.reduce((sum, change) => sum + kindOf(change)[0].pets, 0);

/** Why a change cannot follow those before it, if it cannot: for a log that was written elsewhere. */
export function rejectAfter(before: Before, change: Change): string | undefined {
  const [kind, value] = kindOf(change);
  return kind.rejection(value, before);
}
