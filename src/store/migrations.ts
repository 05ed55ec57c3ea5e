/**
 * Data directories with other layouts. An older layout is upgraded at the start, and a copy is kept; a newer one is
 * rejected. A kill during an upgrade loses nothing: `store.json` first names the copy, which gets that name when it is
 * complete, and contains the new layout last; each step can be repeated on a partial result.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { JsonValue } from '../int64.ts';
import { DataFileError, missing, objectIn, parseText, readText, writeJson } from './data-file.ts';
import { namesIn } from './directory.ts';
import { LAYOUT_VERSION, type Layout, layoutOf } from './layout.ts';
import { addedIn, fromLayout1 } from './layout-1.ts';
import type { Notice } from './tidy.ts';

/**
 * Checks that a directory of one layout can be upgraded to the next, and changes nothing. The returned function does
 * the upgrade, and returns notices of its repairs. After a kill in between, both are called again.
 */
type Migration = (layout: Layout) => () => readonly Notice[];

/** Layout 3 only adds: heads may have fixtures of their own. */
const fromLayout2: Migration = () => () => [];

/** By source layout. */
const MIGRATIONS: Readonly<Record<number, Migration>> = { 1: fromLayout1, 2: fromLayout2 };

interface Version {
  readonly layout: number;
  /** The copy's name during an upgrade. */
  readonly upgrading: string | undefined;
}

/**
 * Upgrades a directory to this program's layout, if it has an older one.
 * @returns notices for people
 * @throws {DataFileError} for a newer layout, or if a part of the directory is missing
 */
export function upgradeDirectory(directory: string): Notice[] {
  const layout = layoutOf(directory);
  const version = versionOf(layout);
  if (version === undefined || version.layout === LAYOUT_VERSION) return [];
  try {
    return upgrade(directory, layout, version);
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    const advice = 'Nothing is lost; free some space or grant the server write access, and start it again';
    throw new DataFileError(layout.version, `cannot be upgraded: ${(error as Error).message}`, {
      cause: error,
      advice,
    });
  }
}

/** @throws {DataFileError} unless the directory has this program's layout */
export function refuseOtherLayout(directory: string): void {
  const layout = layoutOf(directory);
  const version = versionOf(layout);
  if (version === undefined) throw missing(layout.version, 'the directory contains no sandbox data');
  if (version.layout === LAYOUT_VERSION) return;
  const advice = 'Nothing was changed; start the server on it, which upgrades it';
  throw new DataFileError(layout.version, `the directory has layout ${version.layout}`, { advice });
}

/** `undefined` for a directory that is still empty. */
function versionOf(layout: Layout): Version | undefined {
  const present = [layout.sandboxes, layout.changes, addedIn(layout)].filter((folder) => namesIn(folder).length > 0);
  if (!existsSync(layout.version)) {
    if (present.length > 0)
      throw missing(layout.version, `${present.join(' and ')} contain files, but their layout is unknown`);
    return undefined;
  }
  const version = readVersion(layout.version);
  // It is created before the first `store.json`: if it is missing, all sandboxes are lost.
  if (!existsSync(layout.sandboxes))
    throw missing(layout.sandboxes, `${layout.version} is there, and was made after it`);
  return version;
}

function readVersion(path: string): Version {
  const value = parseText(path, readText(path));
  const { layout, upgrading, ...others } = objectIn(value);
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
    throw new DataFileError(path, `layout ${layout} does not exist`);
  return { layout: Number(layout), upgrading };
}

const isCopyName = (value: JsonValue | undefined): value is string | undefined =>
  value === undefined || (typeof value === 'string' && /^backup-layout-[\w-]{1,40}$/.test(value));

function upgrade(directory: string, layout: Layout, { layout: from, upgrading }: Version): Notice[] {
  let step = MIGRATIONS[from]?.(layout);
  const copy = upgrading ?? freeName(directory, `backup-layout-${from}`);
  if (upgrading === undefined) writeVersion(layout, { layout: from, upgrading: copy });
  if (!existsSync(join(directory, copy))) keepCopy(directory, layout, { from, copy });
  const notices: Notice[] = [];
  for (let at = from; at < LAYOUT_VERSION; at++) {
    step ??= MIGRATIONS[at]?.(layout);
    notices.push(...(step?.() ?? []));
    step = undefined;
    writeVersion(layout, at + 1 < LAYOUT_VERSION ? { layout: at + 1, upgrading: copy } : { layout: LAYOUT_VERSION });
  }
  const keptAt = join(directory, copy);
  const message = `the data directory was upgraded from layout ${from} to ${LAYOUT_VERSION}; ${keptAt} contains the previous version, for the previous program`;
  return [...notices, { details: { path: directory, from, to: LAYOUT_VERSION, copy: keptAt }, message }];
}

const writeVersion = (layout: Layout, version: object): void => writeJson(layout.version, version);

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
    for (const part of [layout.readyKey, layout.sandboxes, layout.changes, addedIn(layout)])
      if (existsSync(part)) copyAll(part, join(draft, basename(part)));
    // The version from before the upgrade.
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
