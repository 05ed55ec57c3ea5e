/** The output of a command: aligned lines for people, or one JSON value for programs. */

import { printable } from '../client/text.ts';
import { writeJson } from '../core/int64.ts';

/** The destination of a command's output. */
export interface Output {
  /** Prints a result: as JSON with `--json`, otherwise as lines, escaped for terminals. */
  show(value: unknown, lines: () => readonly string[]): void;
}

/** Results go to standard output by default. */
export const output = ({ json, to = process.stdout }: { json: boolean; to?: NodeJS.WritableStream }): Output => ({
  show: (value, lines) => {
    const shown = json ? [printable(writeJson(value))] : lines().map(printable);
    for (const line of shown) to.write(`${line}\n`);
  },
});
