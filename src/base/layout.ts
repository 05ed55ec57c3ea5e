/** Lines for people at a terminal: colors, words that are wrapped and never cut, and columns. */
import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { printable } from './text.ts';

/** Where lines are shown. */
export interface Screen {
  /** Characters of a line. */
  readonly width: number;
  readonly color: boolean;
}

/** From this width on, ids and times are shown whole. */
const ROOMY = 96;

export const isNarrow = ({ width }: Screen): boolean => width < ROOMY;

/** A file, a pipe or a response: no colors, and lines that fit into an editor. */
export const PLAIN: Screen = { width: 100, color: false };

const NARROWEST = 40;
const WIDEST = 240;

/**
 * The screen behind a stream, as its user set it up: `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` as in Node, and `COLUMNS`
 * where it is no terminal.
 */
export function screenOf(
  stream: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  environment: NodeJS.ProcessEnv,
): Screen {
  const { FORCE_COLOR: forced, COLUMNS: columns } = environment;
  const hasColors = WriteStream.prototype.getColorDepth(environment) > 1;
  const width = stream.isTTY === true ? stream.columns : Number(columns);
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, width || PLAIN.width)),
    color: (stream.isTTY === true || forced !== undefined) && hasColors,
  };
}

/** What a text says, besides its words. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong';

const STYLES = { good: 'green', bad: 'red', warn: 'yellow', quiet: 'dim', strong: 'bold' } as const;

/** A text with a tone; a string has none. It may contain anything: what a terminal would obey is escaped. */
export type Cell = string | readonly [text: string, ...tones: Tone[]];

const printableCell = (cell: Cell): string => printable(typeof cell === 'string' ? cell : cell[0]);

/** Text that is printable already, in the tones of its cell. */
function painted(text: string, cell: Cell, { color }: Screen): string {
  const tones = typeof cell === 'string' ? [] : (cell.slice(1) as Tone[]);
  if (!color || tones.length === 0 || text.trim() === '') return text;
  return styleText(
    tones.map((tone) => STYLES[tone]),
    text,
    { validateStream: false },
  );
}

/** A cell as it is shown. */
export const shownCell = (cell: Cell, screen: Screen): string => painted(printableCell(cell), cell, screen);

/** The columns that a text takes on a terminal: 猫 takes two. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** Its patterns are made with its first call: `\p{…}` takes 4 ms, and most commands show ASCII only. */
function columnsOf(character: string): number {
  if (/[\p{M}\u200b-\u200d]/u.test(character)) return 0;
  const isWide =
    /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
  return isWide.test(character) ? 2 : 1;
}

/** Lines of at most this width, broken between words. A word that is longer stands on a line of its own, whole. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let [line, taken] = ['', 0];
  for (const word of text.split(' ')) {
    const own = widthOf(word);
    if (taken > 0 && taken + 1 + own > width) {
      lines.push(line);
      [line, taken] = [word, own];
    } else [line, taken] = taken > 0 || line !== '' ? [`${line} ${word}`, taken + 1 + own] : [word, own];
  }
  return [...lines, line];
}

/** A text after a sign, `- limit=500`, in lines that stand below each other. @param indent columns before the sign */
export function paragraph(sign: string, cell: Cell, screen: Screen, indent = 0): string[] {
  const before = ' '.repeat(indent);
  const hanging = ' '.repeat(widthOf(sign));
  return wrapped(printableCell(cell), screen.width - indent - hanging.length).map(
    (line, at) => `${before}${painted(`${at === 0 ? sign : hanging}${line}`, cell, screen)}`,
  );
}

/** Rows of a table. The text takes the room that is left, and is wrapped. */
export interface Row {
  /** One character. */
  readonly sign?: Cell;
  readonly left: readonly Cell[];
  readonly text: Cell;
  readonly right?: readonly Cell[];
  /** Lines below it. */
  readonly below?: readonly string[];
}

const GAP = '  ';
/** A cell on the left that is longer than this, or than a quarter of the line, does not widen its column: its text starts on the next line. */
const WIDEST_CELL = 16;
/** The longest lines that are easy to read. */
const WIDEST_TEXT = 72;
/** With less room, a text starts on the next line. */
const LEAST_ROOM = 20;
const BELOW = 4;

/** Rows as lines, in columns that fit. */
export function rowLines(rows: readonly Row[], screen: Screen): string[] {
  const widths = {
    left: widthsOf(
      rows.map(({ left }) => left),
      Math.max(WIDEST_CELL, screen.width / 4),
    ),
    right: widthsOf(
      rows.map(({ right = [] }) => right),
      screen.width,
    ),
  };
  const signs = rows.some(({ sign }) => sign !== undefined) ? 2 : 0;
  const lefts = rows.map(({ left }) => padded(left, widths.left, screen));
  const inColumns = lefts.filter((_, at) => rows[at]?.left.every((cell, n) => fits(cell, widths.left[n])));
  // Where the texts begin, and the cells on the right.
  const ofLeft =
    inColumns.length === 0
      ? Math.min(...lefts.map(({ width }) => width))
      : Math.max(...inColumns.map(({ width }) => width));
  const at = signs + ofLeft + GAP.length;
  const ofRight = widths.right.reduce((all, width) => all + width + GAP.length, 0);
  const widestText = Math.max(...rows.map(({ text }) => widthOf(printableCell(text))));
  const end = Math.min(screen.width - ofRight, at + Math.min(WIDEST_TEXT, widestText));
  return rows.flatMap(({ sign, text, right = [], below = [] }, n) => {
    const first = lefts[n] as (typeof lefts)[number];
    const last = padded(right, widths.right, screen, 'start');
    const before = sign === undefined ? ' '.repeat(signs) : `${shownCell(sign, screen)} `;
    const [line = '', ...others] = linesIn(text, (last.width === 0 ? screen.width : end) - at);
    const isLong = first.width > ofLeft && line !== '';
    const own = `${before}${first.text}`;
    const used = line === '' ? signs + first.width : at + widthOf(line);
    const beginning = isLong ? ' '.repeat(at) : `${own}${' '.repeat(line === '' ? 0 : at - signs - first.width)}`;
    const rest = last.width === 0 ? '' : `${' '.repeat(Math.max(0, end - used))}${GAP}${last.text}`;
    return [
      ...(isLong ? [own] : []),
      `${beginning}${painted(line, text, screen)}${rest}`.trimEnd(),
      ...others.map((each) => `${' '.repeat(at)}${painted(each, text, screen)}`),
      ...(line === '' ? paragraph('', text, screen, BELOW).filter((each) => each.trim() !== '') : []),
      ...below,
    ];
  });
}

/** A text wrapped to its column; nothing if the column is too narrow. */
function linesIn(text: Cell, room: number): string[] {
  const words = printableCell(text);
  return words === '' || room < Math.min(LEAST_ROOM, widthOf(words)) ? [] : wrapped(words, room);
}

/** Whether a cell is not longer than its column. */
const fits = (cell: Cell, width = 0): boolean => widthOf(printableCell(cell)) <= width;

function widthsOf(rows: readonly (readonly Cell[])[], widest: number): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const width = widthOf(printableCell(cell));
      widths[at] = Math.max(widths[at] ?? 0, width > widest ? 0 : width);
    }
  return widths;
}

/** Cells with their columns' widths, those that are no text on the left. */
function padded(
  cells: readonly Cell[],
  widths: readonly number[],
  screen: Screen,
  side: 'start' | 'end' = 'end',
): { readonly text: string; readonly width: number } {
  const parts = cells.flatMap((cell, at) => {
    const words = printableCell(cell);
    // A column without a text takes no room.
    if (words === '' && widths[at] === 0) return [];
    const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(words)));
    const own = painted(words, cell, screen);
    return { text: side === 'start' ? `${space}${own}` : `${own}${space}`, width: widthOf(words) + space.length };
  });
  return {
    text: parts.map(({ text }) => text).join(GAP),
    width: parts.reduce((sum, { width }) => sum + width, GAP.length * Math.max(0, parts.length - 1)),
  };
}
