/** Where things are in a data directory. */
import { join } from 'node:path';

/** A file of a branch: its place among them, and how many pets it held when it was written. */
export interface ChunkName {
  readonly n: number;
  readonly pets: number;
}

/** Where the files of a data directory are. */
export const layoutOf = (directory: string) => ({
  version: join(directory, 'store.json'),
  sandboxes: join(directory, 'sandboxes'),
  head: (id: string): string => join(directory, 'sandboxes', `${id}.json`),
  added: join(directory, 'added'),
  branch: (id: string): string => join(directory, 'added', id),
  chunk: (id: string, { n, pets }: ChunkName): string => join(directory, 'added', id, `${n}-${pets}.json`),
});

/** Goes up when an older program could not read what a newer one writes. */
export const LAYOUT_VERSION = 1;

/** A file of a branch that is still being filled. Rewriting one costs a create little: it holds some pets only. */
export interface Chunk extends ChunkName {
  /** Its pets' texts, joined. */
  readonly text: string;
}
