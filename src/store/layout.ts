/** Where things are in a data directory. */
import { join } from 'node:path';

/** Where the files of a data directory are. */
export const layoutOf = (directory: string) => ({
  version: join(directory, 'store.json'),
  sandboxes: join(directory, 'sandboxes'),
  head: (id: string): string => join(directory, 'sandboxes', `${id}.json`),
  added: join(directory, 'added'),
  branch: (id: string): string => join(directory, 'added', id),
  chunk: (id: string, n: number): string => join(directory, 'added', id, `${n}.json`),
});

/** Goes up when an older program could not read what a newer one writes. */
export const LAYOUT_VERSION = 1;

/** A file that takes no more pets: rewriting it costs a create little. */
export interface Chunk {
  readonly n: number;
  /** Its pets' texts, joined. */
  readonly text: string;
  readonly pets: number;
}
