/** A sandbox's record: everything but its pets and snapshots. */

import type { components } from '../../base/generated/control-api.d.ts';

/** A key, as a hash only: the key itself is shown once and never stored. Times are in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string;
  /** SHA-256 of the key, as hex. */
  readonly hash: string;
  readonly label: string | null;
  readonly createdAt: number;
  /** `null`: never. */
  readonly expiresAt: number | null;
  /** A revoked key is remembered, so that its use is distinguished from that of an unknown key. */
  readonly revokedAt: number | null;
}

/** A sandbox's clock: an offset to real time, or frozen. `null` instead of a clock means real time. */
export interface ClockRecord {
  /** Added to the real time, in milliseconds. */
  readonly offset: number;
  /** If set, the sandbox's time is frozen here. */
  readonly frozenAt: number | null;
}

/** A requested fault rule, as described in `spec/control-api.yaml`. */
export type NewFault = components['schemas']['NewFault'];

/** A fault rule, and its counts. */
export type FaultRecord = NewFault &
  Pick<components['schemas']['Fault'], 'id' | 'triggered'> & {
    /** The number of draws of its probability: the position in the seeded sequence. */
    readonly drawn: number;
    /** The number of requests that it matched, if `from` or `pattern` counts them. */
    readonly seen?: number;
    /** The window of its `limit`: when it started, in milliseconds since 1970, and how many requests passed in it. */
    readonly window?: { readonly startedAt: number; readonly passed: number };
  };

/** A drill that runs, as its result shows it. Times are texts. */
export interface DrillRecord extends Pick<components['schemas']['DrillResult'], 'startedAt' | 'petName' | 'outcome'> {
  readonly drill: string;
  /** The ids of the rules that make it go wrong. */
  readonly faults: readonly string[];
}

/** The result of a drill that has ended. Times are texts. */
export type EndedDrill = components['schemas']['EndedDrill'];

/** Requests that the result of a drill keeps, and characters of each of its texts. */
export const MAX_DRILL_REQUESTS = 30;
export const MAX_WORDS = 300;

/** The settings that a reset restores along with the pets, and that a snapshot includes. */
export interface SandboxSettings {
  readonly clock: ClockRecord | null;
  readonly faults: readonly FaultRecord[];
}

/** A sandbox, without its pets and snapshots. Times are in milliseconds since 1970. */
export interface SandboxRecord extends SandboxSettings {
  readonly id: string;
  readonly label: string | null;
  readonly createdAt: number;
  /** `null`: never. */
  readonly expiresAt: number | null;
  /** Opened by a key from the settings: never expires, never evicted. */
  readonly preconfigured: boolean;
  readonly keys: readonly KeyRecord[];
  /** The drill that runs in it; a reset ends it. */
  readonly drill: DrillRecord | null;
  /** The last result of each drill that has ended. */
  readonly drillResults: readonly EndedDrill[];
}

/** The initial settings of a sandbox, restored by a reset. */
export const NO_SETTINGS: SandboxSettings = { clock: null, faults: [] };
