/**
 * Migrates layout 1 to 2. Layout 1 had files of pets, `added/<branch>/<n>.json`, where layout 2 has a log of changes;
 * and its heads did not store the number of their branches' files, so files that were already missing cannot be
 * detected.
 */
import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readStrictPet } from '../pet.ts';
import { CLOSING, withoutCutEnd } from './cut-end.ts';
import {
  DataFileError,
  objectIn,
  parseText,
  readBytes,
  readOrRefuse,
  readText,
  writeJson,
  writeWhole,
} from './data-file.ts';
import { jsonFilesOf, namesIn, numbersIn } from './directory.ts';
import type { Layout } from './layout.ts';
import { beginning, readPoint } from './log-file.ts';
import { parseHead } from './read-heads.ts';
import { mend, type Notice } from './tidy.ts';

/** The folder of layout 1 with its files of pets. */
export const addedIn = (layout: Layout): string => join(dirname(layout.changes), 'added');

/** The parts of a layout 1 head that are read. */
interface OldHead {
  readonly added?: OldPoint & { readonly from?: OldPoint | null };
  readonly snapshots?: Readonly<Record<string, { readonly added?: OldPoint | null }>>;
}

interface OldPoint {
  readonly branch?: unknown;
  readonly size?: unknown;
}

const BRANCH = /^brn_[A-Za-z0-9]{1,64}$/;

/** See `Migration`. @throws {DataFileError} */
export function fromLayout1(layout: Layout): () => Notice[] {
  // If a kill followed the renaming of this folder, only the heads are left to convert.
  const added = existsSync(addedIn(layout)) ? addedIn(layout) : layout.changes;
  const heads = jsonFilesOf(layout.sandboxes, []).map((name) => headAt(join(layout.sandboxes, name), added));
  const growing = new Set(heads.map(({ branch }) => branch));
  const files = namesIn(added).flatMap((branch) => {
    if (!BRANCH.test(branch)) return [];
    const numbers = numbersIn(join(added, branch), []);
    return numbers.map((n) => ({
      path: join(added, branch, `${n}.json`),
      mayBeCut: growing.has(branch) && n === numbers.length,
    }));
  });
  for (const { path, mayBeCut } of files) logText(path, mayBeCut);
  return () => {
    const notices: Notice[] = [];
    for (const { path, mayBeCut } of files) {
      const cut = mayBeCut ? withoutCutEnd(readBytes(path)) : undefined;
      if (cut) notices.push(mend(path, cut));
      const text = logText(path, false);
      if (text !== undefined) writeWhole(path, text);
    }
    if (added !== layout.changes) renameSync(added, layout.changes);
    for (const { path, head } of heads) writeJson(path, head, 2);
    return notices;
  };
}

/** The text of a file of pets as a log file; `undefined` if it is one already. */
function logText(path: string, mayBeCut: boolean): string | undefined {
  const text = (mayBeCut ? withoutCutEnd(readBytes(path))?.text : undefined) ?? readText(path);
  const { from, pets, changes } = objectIn(parseText(path, text));
  if (changes !== undefined) return undefined;
  if (!Array.isArray(pets)) throw new DataFileError(path, 'must be an object with "pets", an array');
  const read = pets.map((pet, index) => ({ added: readOrRefuse(path, readStrictPet(pet, `pets[${index}]`)) }));
  return beginning(readPoint(path, from, 'size'), read) + CLOSING;
}

/** A head, the branch that it appends to, and its layout 2 form. */
function headAt(path: string, folder: string): { path: string; branch: string; head: object } {
  const old = parseHead(path) as (OldHead & Partial<Record<'log', OldPoint>>) | null;
  const { added, snapshots, ...others } = old ?? {};
  // Converted before a kill.
  if (old && added === undefined && typeof others.log?.branch === 'string')
    return { path, branch: others.log.branch, head: old };
  const branch = added?.branch;
  if (typeof branch !== 'string' || !BRANCH.test(branch))
    throw new DataFileError(path, '"added" must be an object with "branch", like brn_1');
  const files = numbersIn(join(folder, branch), []).length;
  const log = { branch, from: pointOf(added?.from), files };
  const ofSnapshots = Object.entries(snapshots ?? {}).map(([name, { added: point, ...snapshot }]) => [
    name,
    { ...snapshot, log: pointOf(point) },
  ]);
  return { path, branch, head: { ...others, log, snapshots: Object.fromEntries(ofSnapshots) } };
}

/** Invalid values are left to the reader of heads. */
const pointOf = (point: OldPoint | null | undefined): object | null | undefined =>
  point && { branch: point.branch, changes: point.size };
