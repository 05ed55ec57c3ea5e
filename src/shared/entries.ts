/**
 * The log of a family in the engine: each entry is a JSON object with one leading member. The state of all sandboxes of
 * a family follows from its entries alone.
 *
 *     {"log":"brn_…","from":null,"changes":[{"added":{"id":13,…}}]}    changes at the end of a branch
 *     {"head":{"id":"sbx_…",…}}                                        a sandbox, as in a data directory
 *     {"note":"sbx_…","text":{…}}                                      what a part of the server remembers of it
 *     {"end":"sbx_…"}                                                  a sandbox is gone
 */
import { ApiError } from '../errors.ts';
import { parseJson } from '../int64.ts';
import type { StoredPet } from '../pet.ts';
import type { Branch } from '../store/branch.ts';
import { type Change, readChange, textOf } from '../store/change.ts';
import type { ChangeCount } from '../store/counts.ts';
import { type HeadFile, headFileOf, type PointFile, pointFile } from '../store/head.ts';
import type { SandboxState } from '../store/state.ts';

export type Entry =
  | { readonly kind: 'head'; readonly head: HeadFile }
  | { readonly kind: 'log'; readonly branch: string; readonly from: PointFile | null; readonly changes: Change[] }
  | { readonly kind: 'note'; readonly id: string; readonly text: unknown }
  | { readonly kind: 'end'; readonly id: string };

/** Changes in one entry. */
const MOST = 1_000;

export const headEntry = (state: SandboxState): string => `{"head":${JSON.stringify(headFileOf(state, 0))}}`;
export const endEntry = (id: string): string => `{"end":"${id}"}`;
export const noteEntry = (id: string, text: unknown): string =>
  `{"note":"${id}","text":${JSON.stringify(text ?? null)}}`;

/** Entries with changes of a branch. */
export function logEntries({ id, from }: Branch, changes: Iterable<Change<StoredPet>>): string[] {
  const start = `{"log":"${id}","from":${JSON.stringify(pointFile(from))},"changes":[`;
  const texts = Array.from(changes, textOf);
  const entries: string[] = [];
  for (let at = 0; at < texts.length; at += MOST) entries.push(`${start}${texts.slice(at, at + MOST).join(',')}]}`);
  return entries;
}

/** Entries with all changes of a branch itself. */
export const branchEntries = (branch: Branch): string[] =>
  logEntries(branch, branch.changes(branch.from?.changes ?? (0 as ChangeCount), branch.length));

/** @throws {ApiError} `storage_failed` for an entry of a later version of the program */
export function readEntry(text: string): Entry {
  if (text.startsWith('{"log":')) return readLog(text);
  const entry = JSON.parse(text) as { head?: HeadFile; note?: string; text?: unknown; end?: string };
  if (entry.head !== undefined) return { kind: 'head', head: entry.head };
  if (entry.note !== undefined) return { kind: 'note', id: entry.note, text: entry.text };
  if (entry.end !== undefined) return { kind: 'end', id: entry.end };
  throw unreadable();
}

function readLog(text: string): Entry {
  const { log, from, changes } = parseJson(text) as { log?: string; from?: Point | null; changes?: never[] };
  if (log === undefined || !Array.isArray(changes)) throw unreadable();
  return {
    kind: 'log',
    branch: log,
    from: from ? { branch: from.branch, changes: Number(from.changes) as ChangeCount } : null,
    changes: changes.map((change) => {
      const reading = readChange(change, 'changes');
      if (!reading.ok) throw unreadable();
      return reading.value;
    }),
  };
}

interface Point {
  readonly branch: string;
  readonly changes: bigint;
}

/** Another server may be of a later version: during an update both run. */
const unreadable = (): ApiError =>
  new ApiError('storage_failed', 'a later version of the program wrote to this sandbox; update this server');
