/** The system's Chromium: tests bring no browser of their own. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** `CHROMIUM_PATH`, else the first that the search path has. @throws {Error} when there is none, with what to do */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['CHROMIUM_PATH'];
  if (named) return named;
  const folders = (environment['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
  if (found) return found;
  throw new Error(
    'there is no Chromium here: install one (Debian: apt-get install chromium), or name it with CHROMIUM_PATH',
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** It renders what a test asks for, and talks to no one else. */
export const FLAGS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
