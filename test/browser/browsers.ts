/** The system's Chromium and Firefox: tests bring no browser of their own. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const findChromium = (): string =>
  find('CHROMIUM_PATH', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
export const findFirefox = (): string => find('FIREFOX_PATH', 'firefox-esr', 'firefox');

/** The program that the variable names, or the first one in the search path. @throws {Error} with what to install */
function find(variable: string, ...programs: readonly [string, ...string[]]): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(existsSync);
  const program = process.env[variable] || found;
  if (program === undefined)
    throw new Error(`no browser: apt-get install ${programs[0]} (Debian), or name its program with ${variable}`);
  return program;
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
