/**
 * Data directories of other layouts. An older one is upgraded at the start, and a copy of it is kept; a newer one is
 * refused. A kill during an upgrade loses nothing: `store.json` first names the copy, which gets that name when it is
 * complete, and says the new layout last; each step can be done again on what it left half done.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type JsonObject, type JsonValue, OtherNumber } from '../int64.ts';
import { DataFileError, missing, parseText, readText, writeWhole } from './data-file.ts';
import { jsonFilesOf, namesIn, numbersIn } from './directory.ts';
import { LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { parseHead } from './read-heads.ts';
import type { Notice } from './tidy.ts';

/** Checks that a directory of one layout can be upgraded to the next; what it returns does it, also a second time. */
type Migration = (layout: Layout) => () => void;

/** By the layout that each starts from. */
const MIGRATIONS: Readonly<Record<number, Migration>> = { 1: countFiles };

interface Version {
  readonly layout: number;
  /** The copy's name, while an upgrade is under way. */
  readonly upgrading: string | undefined;
}

/**
 * Brings a directory to this program's layout, if it has an older one.
 *
 * @returns what to tell people
 * @throws {DataFileError} for a newer layout, or where a part of the directory is missing
 */
export function upgradeDirectory(directory: string): Notice[] {
  const layout = layoutOf(directory);
  const version = versionOf(layout);
  if (version === undefined || version.layout === LAYOUT_VERSION) return [];
  try {
    return [upgrade(directory, layout, version)];
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    const advice = 'Nothing is lost; make room, or let the server write there, and start it again';
    throw new DataFileError(layout.version, `cannot be upgraded: ${(error as Error).message}`, {
      cause: error,
      advice,
    });
  }
}

/** @throws {DataFileError} unless the directory has this program's layout; a missing one has it too */
export function refuseOtherLayout(directory: string): void {
  const layout = layoutOf(directory);
  const version = versionOf(layout);
  if (version === undefined) throw missing(layout.version, 'there is no data directory without it');
  if (version.layout === LAYOUT_VERSION) return;
  const advice = 'Nothing was changed; start the server on it, which upgrades it';
  throw new DataFileError(layout.version, `the directory has layout ${version.layout}`, { advice });
}

/** `undefined` for a directory that is yet to be filled. */
function versionOf(layout: Layout): Version | undefined {
  const held = [layout.sandboxes, layout.added].filter((folder) => namesIn(folder).length > 0);
  if (!existsSync(layout.version)) {
    if (held.length > 0)
      throw missing(layout.version, `${held.join(' and ')} hold files of a layout that it would name`);
    return undefined;
  }
  const version = readVersion(layout.version);
  // It is made before the first `store.json` is: without it, every sandbox would be gone.
  if (!existsSync(layout.sandboxes))
    throw missing(layout.sandboxes, `${layout.version} is there, and was made after it`);
  return version;
}

function readVersion(path: string): Version {
  const value = parseText(path, readText(path));
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const { layout, upgrading, ...others } = (isObject && !(value instanceof OtherNumber) ? value : {}) as JsonObject;
  if (typeof layout !== 'bigint' || Object.keys(others).length > 0 || !isCopyName(upgrading))
    throw new DataFileError(path, `must be {"layout":${LAYOUT_VERSION}}, or that of an older layout`);
  if (layout > LAYOUT_VERSION) {
    const advice =
      'Nothing was changed; start a program as new as the last one, or choose another directory with --data';
    throw new DataFileError(
      path,
      `the directory has layout ${layout}, made by a newer petstore-sandbox; this one reads layouts up to ${LAYOUT_VERSION}`,
      { advice },
    );
  }
  if (layout < 1n || (layout === BigInt(LAYOUT_VERSION) && upgrading !== undefined))
    throw new DataFileError(path, `there is no such layout as ${layout}`);
  return { layout: Number(layout), upgrading };
}

const isCopyName = (value: JsonValue | undefined): value is string | undefined =>
  value === undefined || (typeof value === 'string' && /^backup-layout-[\w-]{1,40}$/.test(value));

function upgrade(directory: string, layout: Layout, { layout: from, upgrading }: Version): Notice {
  let step = MIGRATIONS[from]?.(layout);
  const copy = upgrading ?? freeName(directory, `backup-layout-${from}`);
  if (upgrading === undefined) writeVersion(layout, { layout: from, upgrading: copy });
  if (!existsSync(join(directory, copy))) keepCopy(directory, layout, { from, copy });
  for (let at = from; at < LAYOUT_VERSION; at++) {
    step ??= MIGRATIONS[at]?.(layout);
    step?.();
    step = undefined;
    writeVersion(layout, at + 1 < LAYOUT_VERSION ? { layout: at + 1, upgrading: copy } : { layout: LAYOUT_VERSION });
  }
  const keptAt = join(directory, copy);
  const message = `the data directory was upgraded from layout ${from} to ${LAYOUT_VERSION}; ${keptAt} holds it as it was, for the program before`;
  return { details: { path: directory, from, to: LAYOUT_VERSION, copy: keptAt }, message };
}

const writeVersion = (layout: Layout, version: object): void =>
  writeWhole(layout.version, `${JSON.stringify(version)}\n`);

function freeName(directory: string, name: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}-${n}`;
    if (!existsSync(join(directory, free))) return free;
  }
}

/** Copies all files of the layout; the copy gets its name when it is complete. */
function keepCopy(directory: string, layout: Layout, { from, copy }: { from: number; copy: string }): void {
  const draft = join(directory, `.${copy}.tmp`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    for (const part of [layout.readyKey, layout.sandboxes, layout.added])
      if (existsSync(part)) copyAll(part, join(draft, basename(part)));
    // As it was before the upgrade began.
    writeVersion(layoutOf(draft), { layout: from });
    renameSync(draft, join(directory, copy));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

function copyAll(from: string, to: string): void {
  if (!statSync(from).isDirectory()) {
    copyFileSync(from, to);
    return;
  }
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from)) copyAll(join(from, name), join(to, name));
}

/** From 1 to 2: heads say how many files their own branches have. What was missing before cannot be known. */
function countFiles(layout: Layout): () => void {
  const texts = jsonFilesOf(layout.sandboxes, []).map((name): [path: string, text: string] => {
    const path = join(layout.sandboxes, name);
    const head = parseHead(path) as { added?: { branch?: unknown } } | null;
    const branch = head?.added?.branch;
    if (typeof branch !== 'string' || !/^brn_[A-Za-z0-9]{1,64}$/.test(branch))
      throw new DataFileError(path, '"added" must be an object with "branch", like brn_1');
    const files = numbersIn(layout.branch(branch), []).length;
    return [path, `${JSON.stringify({ ...head, added: { ...head?.added, files } }, null, 2)}\n`];
  });
  return () => {
    for (const [path, text] of texts) writeWhole(path, text);
  };
}
