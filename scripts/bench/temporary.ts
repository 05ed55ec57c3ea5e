/** Directories and files for one run: whatever ends the run, they go with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchPet } from './pets.ts';

const made = new Set<string>();
process.on('exit', () => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** A new directory; whoever asks may remove it before the end. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  made.add(directory);
  return directory;
}

/** Writes a fixture file into a directory and returns its path. */
export function writeFixture(directory: string, name: string, pets: readonly BenchPet[]): string {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify({ description: `${pets.length} pets for measuring`, pets }));
  return file;
}
