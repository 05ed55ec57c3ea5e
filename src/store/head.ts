/** A sandbox's own file: all of it but its log. Readable and editable by hand while no server runs. */
import { isoTime, isoTimeOrNull } from '../core/clock.ts';
import { faultFields, newFault } from '../generated/facts.ts';
import { type BranchPoint, pointAt } from './branch.ts';
import type { ChangeCount } from './counts.ts';
import type { Seed } from './own-fixture.ts';
import type { ClockRecord, FaultRecord } from './record.ts';
import type { SandboxState } from './state.ts';

/** The first `changes` changes of a branch. */
export interface PointFile {
  readonly branch: string;
  readonly changes: ChangeCount;
}

/** A fixture: the name of its file, or where the pets of an own one lie. `log` is null if it has none. */
export type SeedFile = string | { readonly nextId: string; readonly log: PointFile | null };

/** The shape of `sandboxes/<id>.json`. Times are RFC 3339. */
export interface HeadFile {
  readonly id: string;
  readonly label: string | null;
  readonly fixture: SeedFile;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly preconfigured: boolean;
  readonly forkOf: string | null;
  readonly keys: readonly {
    readonly id: string;
    readonly hash: string;
    readonly label: string | null;
    readonly createdAt: string;
    readonly expiresAt: string | null;
    readonly revokedAt: string | null;
  }[];
  readonly clock: ClockRecord | null;
  readonly faults: readonly FaultRecord[];
  /** The branch that this sandbox appends to, its origin, and the number of its files known to exist. */
  readonly log: { readonly branch: string; readonly from: PointFile | null; readonly files: number };
  readonly snapshots: Readonly<
    Record<
      string,
      {
        readonly createdAt: string;
        readonly fixture: SeedFile;
        readonly clock: ClockRecord | null;
        readonly faults: readonly FaultRecord[];
        readonly log: PointFile | null;
      }
    >
  >;
}

/** The file form of a sandbox. @param files the number of its own branch's files */
export function headFileOf({ record, world, snapshots }: SandboxState, files: number): HeadFile {
  return {
    id: record.id,
    label: record.label,
    fixture: seedFile(world.fixture),
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    preconfigured: record.preconfigured,
    forkOf: record.forkOf,
    keys: record.keys.map((key) => ({
      ...key,
      createdAt: isoTime(key.createdAt),
      expiresAt: isoTimeOrNull(key.expiresAt),
      revokedAt: isoTimeOrNull(key.revokedAt),
    })),
    clock: record.clock,
    faults: record.faults,
    log: { branch: world.branch.id, from: pointFile(world.branch.from), files },
    snapshots: Object.fromEntries(
      [...snapshots].map(([name, snapshot]) => [
        name,
        {
          createdAt: isoTime(snapshot.createdAt),
          fixture: seedFile(snapshot.world.fixture),
          clock: snapshot.clock,
          faults: snapshot.faults,
          log: pointFile(snapshot.world),
        },
      ]),
    ),
  };
}

const seedFile = (seed: Seed): SeedFile =>
  typeof seed === 'string' ? seed : { nextId: String(seed.nextId), log: pointFile(seed.log) };

/**
 * The points of branches that a head references, beside its own branch. It may be unchecked: from a tombstone.
 */
export function pointsIn({ fixture, log, snapshots }: Partial<HeadFile>): (PointFile | null | undefined)[] {
  const ofSeed = (seed: SeedFile | undefined) => (typeof seed === 'object' ? seed?.log : undefined);
  const ofSnapshots = Object.values(snapshots ?? {}).flatMap((each) => [each?.log, ofSeed(each?.fixture)]);
  return [log?.from, ofSeed(fixture), ...ofSnapshots];
}

/** A point in its file form. */
export function pointFile(point: BranchPoint | undefined): PointFile | null {
  const shortest = point && pointAt(point);
  return shortest ? { branch: shortest.branch.id, changes: shortest.changes } : null;
}

const text = { type: 'string', maxLength: 1000 };
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const time = { type: 'string', format: 'time-with-zone' };
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const id = (prefix: string): object => ({ type: 'string', pattern: `^${prefix}_[A-Za-z0-9]{1,64}$` });
const name = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' };
const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});
const point = object({ branch: id('brn'), changes: { type: 'integer', minimum: 1 } });
/** Servers on one store may have different fixtures under one name, and tell them apart by a fingerprint behind it. */
const fixtureName = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}(@[A-Za-z0-9_-]{1,64})?$' };
const seed = {
  anyOf: [fixtureName, object({ nextId: { type: 'string', pattern: '^-?[0-9]{1,19}$' }, log: orNull(point) })],
};
const clock = orNull(object({ offset: { type: 'integer' }, frozenAt: orNull({ type: 'integer' }) }));
/** A stored rule has the fields of a requested one, and its state: the server can read everything that it accepts. */
const fault = object(
  {
    id: id('flt'),
    ...newFault.properties,
    triggered: count,
    drawn: count,
    seen: count,
    window: object({ startedAt: count, passed: count }),
  },
  [...faultFields, 'seen', 'window'],
);
const faults = { type: 'array', maxItems: 100, items: fault };

/** JSON Schema of a `HeadFile`, which validates manual edits. */
export const HEAD_SCHEMA = object({
  id: id('sbx'),
  label: orNull(text),
  fixture: seed,
  createdAt: time,
  expiresAt: orNull(time),
  preconfigured: { type: 'boolean' },
  forkOf: orNull(id('sbx')),
  keys: {
    type: 'array',
    items: object({
      id: id('key'),
      hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      label: orNull(text),
      createdAt: time,
      expiresAt: orNull(time),
      revokedAt: orNull(time),
    }),
  },
  clock,
  faults,
  log: object({ branch: id('brn'), from: orNull(point), files: count }),
  snapshots: {
    type: 'object',
    maxProperties: 50,
    propertyNames: name,
    additionalProperties: object({ createdAt: time, fixture: seed, clock, faults, log: orNull(point) }),
  },
});
