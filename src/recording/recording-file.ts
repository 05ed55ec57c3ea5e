/** The shape of a case's file without its pets and changes, once it holds to the schema. */
import type { SavedPoint, SavedWorld } from '../store/saved.ts';
import type { Case, CaseDrill, CaseExchange, CaseFixture, CaseStart, CaseStep } from './recording.ts';

export interface CaseFile {
  readonly program: string;
  readonly specification: string;
  readonly exportedAt: string;
  readonly sandbox: { readonly id: string; readonly label: string | null; readonly createdAt: string };
  readonly fixtures: readonly Pick<CaseFixture, 'name' | 'description'>[];
  readonly logs: readonly { readonly from: SavedPoint | null }[];
  readonly start: Omit<CaseStart, 'steps'> & { readonly fixture: string; readonly steps: readonly StepFile[] };
  readonly now: SavedWorld & Pick<CaseStart, 'clock' | 'faults'>;
  readonly snapshots: readonly (SavedWorld &
    Pick<CaseStart, 'clock' | 'faults'> & { readonly name: string; readonly createdAt: string })[];
  readonly journal: { readonly dropped: number; readonly exchanges: readonly CaseExchange[] };
  readonly report: Case['report'];
  readonly drill: CaseDrill | null;
}

/** Ids are texts there. */
export type StepFile =
  | Exclude<CaseStep, { pets: unknown }>
  | { readonly atMs: number; readonly pets: readonly [string, string] };
