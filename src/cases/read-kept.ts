/** Reads what a server kept of its sandboxes: everything is checked before anything is used. */
import type { ValidateFunction } from 'ajv';
import { readTime } from '../clock.ts';
import type { SavedDrill } from '../drills/runs.ts';
import { CaseError, Complaints } from './complaints.ts';
import {
  type Holds,
  KEPT_JOURNAL,
  KEPT_UNCLAIMED,
  KEPT_VERSION,
  type KeptJournal,
  type KeptUnclaimed,
} from './kept-journal.ts';
import { checkExchanges } from './links.ts';
import { stepOf } from './read-case.ts';
import type { SavedHistory } from './restore-history.ts';
import { compileWithParts, complainOf } from './schema.ts';

export interface ReadJournal {
  /** The sandbox. */
  readonly id: string;
  readonly holds: Holds;
  readonly history: SavedHistory;
  readonly drill: SavedDrill | null;
}

/** Compiles its validators on first use. */
export class KeptReader {
  #journal: Promise<ValidateFunction> | undefined;
  #unclaimed: Promise<ValidateFunction> | undefined;

  /** @throws {CaseError} with what is wrong first */
  async journal(bytes: Buffer): Promise<ReadJournal> {
    this.#journal ??= compileWithParts(KEPT_JOURNAL);
    const file = checked<KeptJournal>(bytes, await this.#journal);
    const { sandbox: id, holds, drill, start, tallies, journal } = file;
    const complaints = new Complaints();
    checkExchanges(journal.exchanges, complaints);
    if (!complaints.none) throw new CaseError(complaints.text());
    return {
      id,
      holds,
      drill,
      history: {
        ...journal,
        start: { ...start, steps: start.steps.map(stepOf) },
        tallies: { ...tallies, since: readTime(tallies.since) ?? 0 },
      },
    };
  }

  /** @throws {CaseError} */
  async unclaimed(bytes: Buffer): Promise<KeptUnclaimed> {
    this.#unclaimed ??= compileWithParts(KEPT_UNCLAIMED);
    return checked(bytes, await this.#unclaimed);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** No number in these files is beyond 53 bits. */
function checked<File>(bytes: Buffer, validate: ValidateFunction): File {
  let file: unknown;
  try {
    file = JSON.parse(UTF8.decode(bytes));
  } catch (cause) {
    throw new CaseError('it is not valid JSON in UTF-8', { cause });
  }
  const version = (file as { kept?: unknown } | null)?.kept;
  if (version !== KEPT_VERSION) throw new CaseError(`it is not of version ${KEPT_VERSION}, which this program reads`);
  const complaints = new Complaints();
  complainOf(validate, file, complaints);
  if (!complaints.none) throw new CaseError(complaints.text());
  return file as File;
}
