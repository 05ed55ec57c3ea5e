/** Where things are in a data directory. */
import { join } from 'node:path';

/** Where the files of a data directory are. */
export const layoutOf = (directory: string) => ({
  version: join(directory, 'store.json'),
  sandboxes: join(directory, 'sandboxes'),
  head: (id: string): string => join(directory, 'sandboxes', `${id}.json`),
  /** What the head of a sandbox becomes in the moment that it ends together with its forks (see ended.ts). */
  ended: (id: string): string => join(directory, 'sandboxes', `${id}.ended`),
  added: join(directory, 'added'),
  branch: (id: string): string => join(directory, 'added', id),
  pets: (id: string, n: number): string => join(directory, 'added', id, `${n}.json`),
  /** Where a branch goes that is about to be deleted, so that a start can tell it from one that lost its sandbox. */
  dropped: (id: string): string => join(directory, 'added', `.dropped-${id}`),
  /** What a start found and nobody points to. */
  lost: (name: string): string => join(directory, 'lost+found', name),
  readyKey: join(directory, 'ready-key.json'),
});

export type Layout = ReturnType<typeof layoutOf>;

/** Goes up when an older program could not read what a newer one writes; `migrations.ts` then learns to upgrade. */
export const LAYOUT_VERSION = 2;
