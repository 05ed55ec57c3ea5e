/** What is known of a sandbox, apart from its pets: the part of it that its file begins with. */

import type { components } from '../generated/controls.d.ts';

/** A key, by its hash only: the key itself is shown once and kept nowhere. Times are in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string;
  /** SHA-256 of the key, as hex. */
  readonly hash: string;
  readonly label: string | null;
  readonly createdAt: number;
  /** `null`: never. */
  readonly expiresAt: number | null;
  /** A revoked key is remembered, so that its use can be told from that of a key that never was. */
  readonly revokedAt: number | null;
}

/** A sandbox's clock: an offset to the real one, or stopped. `null` in its place means real time. */
export interface ClockRecord {
  /** Added to the real time, in milliseconds. */
  readonly offset: number;
  /** When set, the sandbox's time stands still here. */
  readonly frozenAt: number | null;
}

/** A fault rule as it is asked for: described, field by field, in `spec/controls.yaml`. */
export type NewFault = components['schemas']['NewFault'];

/** A fault rule, and how far it has come. */
export type FaultRecord = NewFault &
  Pick<components['schemas']['Fault'], 'id' | 'acted'> & {
    /** How often its probability was drawn: where the seeded sequence stands. */
    readonly drawn: number;
  };

/** What a reset puts back beside the pets, and what a snapshot keeps of them. */
export interface Settings {
  readonly clock: ClockRecord | null;
  readonly faults: readonly FaultRecord[];
}

/** A sandbox, apart from its pets and snapshots. Times are in milliseconds since 1970. */
export interface SandboxRecord extends Settings {
  readonly id: string;
  readonly label: string | null;
  readonly createdAt: number;
  /** `null`: never. */
  readonly expiresAt: number | null;
  /** Opened by a key from the settings: never expires, never ended to make room. */
  readonly fixed: boolean;
  /** The sandbox that it was forked from and does not outlive. */
  readonly forkOf: string | null;
  readonly keys: readonly KeyRecord[];
}
