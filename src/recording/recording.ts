/**
 * A recording: one sandbox as one JSON file, with what it started with, what it holds, and what happened in it. Schema
 * `Recording` of `spec/control-api.yaml` describes the file; `src/generated/recording.schema.json` is that schema alone.
 */
import type { Schema } from '../client/routes.ts';
import type { Pet } from '../core/pet.ts';
import type { ShownExchange } from '../requests/shown.ts';
import type { Settings } from '../store/record.ts';
import type { ControlChange } from '../store/start.ts';
import type { SavedPoint, SavedState } from './saved.ts';

/** The version of the file's form. A program reads its own. */
export const RECORDING_VERSION = 1;

/** The head of every recording, for readers of the file. */
export const ABOUT =
  'A recording of the petstore sandbox: what one sandbox started with, what it holds, and what its client sent and got. ' +
  'It contains no keys, no tokens and no other credentials: they are never recorded, and what looks like one in a name ' +
  'or a body is replaced by [key]. It does contain the pets, the requests and the responses. ' +
  'Open it with: petstore-sandbox open <file>. Send its requests again with: petstore-sandbox replay <file>.';

/** A fixture with its pets, so that a server that does not have it can open the recording. */
export interface RecordingFixture<P = Pet> {
  readonly name: string;
  readonly description: string;
  /** Above the largest int64 if no id is left. */
  readonly nextId: bigint;
  readonly pets: readonly P[];
}

/** An exchange, with what the request log does not show of it. */
export type RecordingExchange = ShownExchange & {
  /** Whether the service accepted the request as sent. */
  readonly accepted: boolean;
  /** When the request arrived, by a clock that never jumps, in milliseconds. */
  readonly startMs: number;
};

/** A change by a control. */
export type RecordingStep = ControlChange & { readonly atMs: number };

/** What the exchanges began with; those before `atMs` are shown, and not replayed. */
export interface RecordingStart extends Settings {
  readonly atMs: number;
  /** Its pets: the fixture's, and the changes up to this point, which leads to what the sandbox holds. */
  readonly upTo: SavedPoint | null;
  readonly steps: readonly RecordingStep[];
}

/** A drill that runs, as graded so far, and the ids of its fault rules. */
export type RecordingDrill = Schema<'DrillResult'> & { readonly faults: readonly string[] };

/**
 * A recording as it was read.
 * @typeParam P a pet, and
 * @typeParam C a change: their texts when it is written
 */
export interface Recording<P = Pet, C = Pet> {
  /** Versions of the program and of the petstore API's specification. */
  readonly program: string;
  readonly specification: string;
  /** Times in milliseconds since 1970. */
  readonly exportedAt: number;
  readonly sandbox: { readonly id: string; readonly label: string | null; readonly createdAt: number };
  readonly fixtures: readonly RecordingFixture<P>[];
  readonly state: SavedState<C>;
  readonly start: RecordingStart;
  /** In the order of the request log, the oldest first. */
  readonly exchanges: readonly RecordingExchange[];
  /** Exchanges that the request log no longer had. */
  readonly dropped: number;
  readonly report: Schema<'Report'>;
  readonly drill: RecordingDrill | null;
}

/** A recording to be written: its pets and its changes are texts. */
export type RecordingToWrite = Recording<string, string>;
