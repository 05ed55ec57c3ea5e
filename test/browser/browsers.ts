/** The system's Chromium and Firefox: tests bring no browser of their own. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Wanted {
  readonly name: string;
  /** What its program may be called. */
  readonly programs: readonly string[];
  /** The variable that names its program. */
  readonly variable: string;
  /** Debian's package. */
  readonly debian: string;
}

const CHROMIUM: Wanted = {
  name: 'Chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  variable: 'CHROMIUM_PATH',
  debian: 'chromium',
};
const FIREFOX: Wanted = {
  name: 'Firefox',
  programs: ['firefox-esr', 'firefox'],
  variable: 'FIREFOX_PATH',
  debian: 'firefox-esr',
};

export const findChromium = (): string => find(CHROMIUM);
export const findFirefox = (): string => find(FIREFOX);

/** The program that the variable names, or the first one in the search path. @throws {Error} with what to install */
function find({ name, programs, variable, debian }: Wanted, environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment[variable];
  if (named) return named;
  const folders = (environment['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(isProgram);
  if (found) return found;
  throw new Error(
    `${name} was not found: install it (Debian: apt-get install ${debian}), or name its program with ${variable}`,
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

/** Chromium renders what a test asks for, and talks to no one else. */
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
