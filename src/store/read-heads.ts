/** Reads the heads of a data directory: each is validated alone, then against the others. */
import { join } from 'node:path';
import { compileSchema } from '../core/json-schema.ts';
import { quoted } from '../core/text.ts';
import { DataFileError, missing, parseText, readText } from './data-file.ts';
import { jsonFilesOf, type Leftovers } from './directory.ts';
import type { FixtureShelf } from './fixture.ts';
import { HEAD_SCHEMA, type HeadFile } from './head.ts';
import type { Layout } from './layout.ts';

/** A head and its path. */
type ReadHead = readonly [path: string, head: HeadFile];

/** @throws {DataFileError} naming the head */
export async function readHeads(
  layout: Layout,
  fixtures: Pick<FixtureShelf, 'has'>,
  leftovers: Leftovers,
): Promise<ReadHead[]> {
  const names = jsonFilesOf(layout.sandboxes, leftovers);
  if (names.length === 0) return [];
  const check = await headChecker();
  return names.map((name) => {
    const path = join(layout.sandboxes, name);
    const head = parseHead(path);
    const reason = check(head);
    if (reason !== undefined) throw new DataFileError(path, reason);
    const checked = head as HeadFile;
    if (`${checked.id}.json` !== name)
      throw new DataFileError(path, `id is ${checked.id}, but the file's name says otherwise`);
    for (const used of [checked.fixture, ...Object.values(checked.snapshots).map((snapshot) => snapshot.fixture)]) {
      if (typeof used === 'string' && !fixtures.has(used))
        throw new DataFileError(path, `there is no fixture named ${used}; bring it back with --fixtures`);
    }
    return [path, checked];
  });
}

/** A fork does not outlive its origin: a fork without its origin means that the origin's head was lost. */
export function rejectMissingOrigins(layout: Layout, heads: readonly ReadHead[]): void {
  const ids = new Set(heads.map(([, { id }]) => id));
  for (const [path, { forkOf }] of heads) {
    if (forkOf !== null && !ids.has(forkOf)) throw missing(layout.head(forkOf), `${path} is a fork of it`);
  }
}

/** A copy of a head under another id would make two sandboxes write to the same files. */
export function rejectSharedBranches(heads: readonly ReadHead[]): void {
  const owners = new Map<string, string>();
  for (const [path, { log }] of heads) {
    const other = owners.get(log.branch);
    if (other !== undefined)
      throw new DataFileError(path, `its branch ${log.branch} belongs to another sandbox as well, ${other}`);
    owners.set(log.branch, path);
  }
}

/**
 * Says what is wrong with a head; `undefined` if nothing is. The validator is loaded only if there is something to check: a
 * first start has nothing.
 */
export async function headChecker(): Promise<(head: unknown) => string | undefined> {
  const validate = await compileSchema(HEAD_SCHEMA);
  return (head) => {
    if (validate(head)) return undefined;
    const { instancePath, message, params } = validate.errors?.[0] ?? {};
    const unknown = (params as { additionalProperty?: string } | undefined)?.additionalProperty;
    const named = unknown === undefined ? '' : `: ${quoted(unknown, 64)}`;
    return `${instancePath || 'the file'} ${message ?? 'is invalid'}${named}`;
  };
}

/** Heads contain no numbers beyond 53 bits, so the engine's own fast parser is sufficient. */
function parseHead(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch {
    // Ours says where it stopped in one line.
    return parseText(path, text);
  }
}
