/**
 * The log of a family in Valkey: each entry is a JSON object with one leading member. The state of all sandboxes of
 * a family follows from its entries alone.
 *
 *     {"log":"brn_…","from":null,"changes":[{"added":{"id":13,…}}]}    changes at the end of a branch
 *     {"head":{"id":"sbx_…",…},"ms":1795370468996.8}                   a sandbox, as in a data directory, and when
 *     {"start":"sbx_…","text":{…}}                                     what the control API changed in it
 *     {"note":"sbx_…","text":{…}}                                      what a part of the server remembers of it
 *     {"end":"sbx_…"}                                                  a sandbox is gone
 */
import { ApiError } from '../../core/errors.ts';
import { parseJson } from '../../core/int64.ts';
import type { StoredPet } from '../../core/pet.ts';
import type { Start } from '../../sandbox/trail.ts';
import type { Branch } from '../branch.ts';
import { type Change, readChange, textOf } from '../change.ts';
import type { ChangeCount } from '../counts.ts';
import { type HeadFile, headFileOf, type PointFile, pointFile } from '../head.ts';
import type { SandboxState } from '../state.ts';
import { startOf, textOfStart, toOwn, toShared } from './starts.ts';

export type LogEntry =
  | { readonly kind: 'head'; readonly head: HeadFile; readonly ms: number }
  | { readonly kind: 'start'; readonly id: string; readonly start: Start }
  | { readonly kind: 'log'; readonly branch: string; readonly from: PointFile | null; readonly changes: Change[] }
  | { readonly kind: 'note'; readonly id: string; readonly text: unknown }
  | { readonly kind: 'end'; readonly id: string };

/** Changes in one entry. */
const MOST = 1_000;

/** @param ms by the monotonic clock */
export const headEntry = (state: SandboxState, ms: number): string =>
  `{"head":${JSON.stringify(headFileOf(state, 0))},"ms":${toShared(ms)}}`;
export const startEntry = (id: string, start: Start): string => `{"start":"${id}","text":${textOfStart(start)}}`;
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
export function readEntry(text: string): LogEntry {
  if (text.startsWith('{"log":')) return readLog(text);
  const entry = JSON.parse(text) as Partial<Record<'note' | 'end' | 'start', string>> & {
    head?: HeadFile;
    ms?: number;
    text?: unknown;
  };
  if (entry.head !== undefined) return { kind: 'head', head: entry.head, ms: toOwn(entry.ms ?? 0) };
  if (entry.start !== undefined) return { kind: 'start', id: entry.start, start: startOf(entry.text) };
  if (entry.note !== undefined) return { kind: 'note', id: entry.note, text: entry.text };
  if (entry.end !== undefined) return { kind: 'end', id: entry.end };
  throw unreadable();
}

function readLog(text: string): LogEntry {
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
