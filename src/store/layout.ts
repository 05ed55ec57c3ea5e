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
});

/** Goes up when an older program could not read what a newer one writes. */
export const LAYOUT_VERSION = 1;
