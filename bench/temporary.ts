/** Directories and files for one run. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchPet } from './pets.ts';

/** A new directory; whoever asks removes it. */
export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'petstore-bench-'));

/** Writes a fixture file into a directory and returns its path. */
export function writeFixture(directory: string, name: string, pets: readonly BenchPet[]): string {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify({ description: `${pets.length} pets for measuring`, pets }));
  return file;
}
