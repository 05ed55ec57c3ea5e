/** Lists of known failures and differences: a line each, as a result shows it. Empty lines and comments (`#`) don't count. */

import { fileName } from '../base/text.ts';
import { readIn } from './terminal.ts';

/** One line of a list. */
export interface KnownLine {
  readonly text: string;
  /** For messages: `--known-failures known.txt, line 2` */
  readonly at: string;
}

/** What the text format writes before a result. */
const SIGN = /^[\u2717?!~] /;

/**
 * The lines of a list, without signs; none without a file.
 * @throws {SettingsError} for a file that cannot be read
 */
export async function readKnown(flag: string, file: string | undefined): Promise<KnownLine[]> {
  if (file === undefined) return [];
  const where = `${flag} ${fileName(file)}`;
  const lines = (await readIn(where, file)).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const text = line.trim().replace(SIGN, '');
    return text === '' || text.startsWith('#') ? [] : [{ text, at: `${where}, line ${index + 1}` }];
  });
}
