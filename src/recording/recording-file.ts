/** The shape of a recording's file without its pets and changes, once it holds to the schema. */
import type {
  Recording,
  RecordingDrill,
  RecordingExchange,
  RecordingFixture,
  RecordingStart,
  RecordingStep,
} from './recording.ts';
import type { SavedContents, SavedPoint } from './saved.ts';

export interface RecordingFile {
  readonly program: string;
  readonly specification: string;
  readonly exportedAt: string;
  readonly sandbox: { readonly id: string; readonly label: string | null; readonly createdAt: string };
  readonly fixtures: readonly Pick<RecordingFixture, 'name' | 'description'>[];
  readonly logs: readonly { readonly from: SavedPoint | null }[];
  readonly start: Omit<RecordingStart, 'steps'> & { readonly fixture: string; readonly steps: readonly StepFile[] };
  readonly now: SavedContents & Pick<RecordingStart, 'clock' | 'faults'>;
  readonly snapshots: readonly (SavedContents &
    Pick<RecordingStart, 'clock' | 'faults'> & { readonly name: string; readonly createdAt: string })[];
  readonly requestLog: { readonly dropped: number; readonly exchanges: readonly RecordingExchange[] };
  readonly report: Recording['report'];
  readonly drill: RecordingDrill | null;
}

/** Ids are texts there. */
export type StepFile =
  | Exclude<RecordingStep, { pets: unknown }>
  | { readonly atMs: number; readonly pets: readonly [string, string] };
