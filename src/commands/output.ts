/** What a command prints: aligned lines for people, or one JSON value for programs. */
import { writeJson } from '../client/json.ts';
import { printable } from '../client/text.ts';

/** Where a command's words go. */
export interface Output {
  /** Prints a result: as JSON where `--json` was given, else the lines, made safe to show. */
  show(value: unknown, lines: () => readonly string[]): void;
}

/** Results go to standard output, as a rule. */
export const output = ({ json, to = process.stdout }: { json: boolean; to?: NodeJS.WritableStream }): Output => ({
  show: (value, lines) => {
    const shown = json ? [printable(writeJson(value))] : lines().map(printable);
    for (const line of shown) to.write(`${line}\n`);
  },
});

/** Prints one line on standard error, as the program's own word. */
export const complain = (message: string): void =>
  void process.stderr.write(`petstore-sandbox: ${printable(message)}\n`);
