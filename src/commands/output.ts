/** What a command prints: aligned lines for people, or one JSON value for programs. */
import { writeJson } from '../client/json.ts';

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

/** C0, DEL, C1, what turns the direction of writing, and Unicode's own line ends: what moves a terminal's cursor. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text from elsewhere, safe to show in a terminal: a control character becomes `\u001b`, which in JSON means the same. */
export const printable = (text: string): string =>
  text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Rows as lines, the columns aligned. */
export function table(rows: readonly (readonly unknown[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => printable(String(cell ?? '-'))));
  const widths: number[] = [];
  for (const row of texts) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return texts.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** `1 key`, `2 keys`. */
export const counted = (count: number | bigint, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
