/** A sandbox's own file: everything of it but its added pets. Readable and editable by hand while no server runs. */
import { isoTime, isoTimeOrNull } from '../clock.ts';
import { faultFields, newFault } from '../generated/facts.ts';
import { type BranchPoint, pointAt } from './branch.ts';
import type { Kept } from './kept-store.ts';
import type { ClockRecord, FaultRecord } from './record.ts';

/** The first `size` pets of a branch. */
export interface PointFile {
  readonly branch: string;
  readonly size: number;
}

/** The shape of `sandboxes/<id>.json`. Times are RFC 3339. */
export interface HeadFile {
  readonly id: string;
  readonly label: string | null;
  readonly fixture: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly fixed: boolean;
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
  /** The branch that holds what was added, what it grew from, and how many files of it are known to be there. */
  readonly added: { readonly branch: string; readonly from: PointFile | null; readonly files: number };
  readonly snapshots: Readonly<
    Record<
      string,
      {
        readonly createdAt: string;
        readonly fixture: string;
        readonly clock: ClockRecord | null;
        readonly faults: readonly FaultRecord[];
        readonly added: PointFile | null;
      }
    >
  >;
}

/** What is written of a sandbox. @param files how many its own branch has */
export function headOf({ record, world, branch, snapshots }: Kept, files: number): HeadFile {
  return {
    id: record.id,
    label: record.label,
    fixture: world.fixture,
    createdAt: isoTime(record.createdAt),
    expiresAt: isoTimeOrNull(record.expiresAt),
    fixed: record.fixed,
    forkOf: record.forkOf,
    keys: record.keys.map((key) => ({
      ...key,
      createdAt: isoTime(key.createdAt),
      expiresAt: isoTimeOrNull(key.expiresAt),
      revokedAt: isoTimeOrNull(key.revokedAt),
    })),
    clock: record.clock,
    faults: record.faults,
    added: { branch: branch.id, from: pointFile(branch.from), files },
    snapshots: Object.fromEntries(
      [...snapshots].map(([name, snapshot]) => [
        name,
        {
          createdAt: isoTime(snapshot.createdAt),
          fixture: snapshot.world.fixture,
          clock: snapshot.clock,
          faults: snapshot.faults,
          added: pointFile(snapshot.point),
        },
      ]),
    ),
  };
}

/** A point as files name it. */
export function pointFile(point: BranchPoint | undefined): PointFile | null {
  const shortest = point && pointAt(point.branch, point.size);
  return shortest ? { branch: shortest.branch.id, size: shortest.size } : null;
}

const text = { type: 'string', maxLength: 1000 };
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const time = { type: 'string', format: 'time-with-zone' };
const count = { type: 'integer', minimum: 0 };
const id = (prefix: string): object => ({ type: 'string', pattern: `^${prefix}_[A-Za-z0-9]{1,64}$` });
const name = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' };
const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});
const point = object({ branch: id('brn'), size: { type: 'integer', minimum: 1 } });
const clock = orNull(object({ offset: { type: 'integer' }, frozenAt: orNull({ type: 'integer' }) }));
/** A rule on disk has the fields of one that is asked for, and its state: what the server accepts, it can read again. */
const fault = object({ id: id('flt'), ...newFault.properties, acted: count, drawn: count }, faultFields);
const faults = { type: 'array', maxItems: 100, items: fault };

/** JSON Schema of a `HeadFile`: what a person's edit is checked against. */
export const HEAD_SCHEMA = object({
  id: id('sbx'),
  label: orNull(text),
  fixture: name,
  createdAt: time,
  expiresAt: orNull(time),
  fixed: { type: 'boolean' },
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
  added: object({ branch: id('brn'), from: orNull(point), files: count }),
  snapshots: {
    type: 'object',
    maxProperties: 50,
    propertyNames: name,
    additionalProperties: object({ createdAt: time, fixture: name, clock, faults, added: orNull(point) }),
  },
});
