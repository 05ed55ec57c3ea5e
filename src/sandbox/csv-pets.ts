/** Pets as separated values (RFC 4180), as spreadsheets write them: on the command line, and in the browser. Digits stay digits. */
import type { CsvError } from 'csv-parse/sync';
import { type Field, fieldsOf, valueOfText } from '../base/api/specification.ts';
import type { JsonObject, JsonValue } from '../base/int64.ts';
import { isAndSent, notKnown, quoted, shorten } from '../base/text.ts';

/** What is wrong with a file of separated values, a line for each problem. */
export class CsvPetsError extends Error {
  override readonly name = 'CsvPetsError';
}

const FIELDS = fieldsOf('Pet');
const NAMES = FIELDS.map(({ name }) => name);
const INTEGERS = FIELDS.flatMap(({ name, type }) => (type === 'integer' ? [name] : []));
const MAX_PROBLEMS = 20;

/** A fixture, and the place of a pet in its file. */
export interface FixtureValue {
  readonly value: JsonValue;
  readonly petAt?: (index: number) => string;
}

interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * The fixture of a file whose first line names its columns. An empty cell of an optional column is a missing field.
 * @throws {CsvPetsError} naming the line
 */
export async function readCsv(text: string, file: string): Promise<FixtureValue> {
  const [header, ...rows] = await rowsOf(text, file);
  const named = header?.record ?? [];
  // Spreadsheets end each line with separators where a column on the right was used once.
  const columns = columnsOf(named.slice(0, 1 + named.findLastIndex((name) => name !== '')), file);
  const wrong = rows
    .flatMap((row) => [...misplacedIn(columns, row), ...reformattedIn(columns, row)])
    .map((problem) => `${file}: ${problem}`);
  if (wrong.length > 0) throw new CsvPetsError(wrong.slice(0, MAX_PROBLEMS).join('\n'));
  const pets = rows.map(({ record }) => petOfRow(columns, record));
  return { value: { pets }, petAt: (index) => `line ${rows[index]?.info.lines}` };
}

async function rowsOf(text: string, file: string): Promise<CsvRow[]> {
  const { parse } = await import('csv-parse/sync');
  // Excel's own line before the names. Where commas are decimal points, spreadsheets write semicolons.
  const [sepLine, separator] = /^sep=(.)\r?\n/i.exec(text) ?? [];
  const delimiter = separator ?? /[,;\t]/.exec(text)?.[0] ?? ',';
  const from_line = sepLine === undefined ? 1 : 2;
  try {
    const options = {
      bom: true,
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      relax_column_count: true,
    } as const;
    return parse(text, { ...options, delimiter, from_line }) as unknown as CsvRow[];
  } catch (cause) {
    // The rest of the error quotes the text.
    throw new CsvPetsError(`${file}: ${shorten((cause as CsvError).message, 200)}`, { cause });
  }
}

/** @throws {CsvPetsError} for an unknown, repeated or missing column */
function columnsOf(header: readonly string[], file: string): readonly string[] {
  const problems = [
    ...header.filter((name) => !NAMES.includes(name)).map((name) => `${shorten(name, 40)} ${notKnown(name, NAMES)}`),
    ...header
      .filter((name, at) => NAMES.includes(name) && header.indexOf(name) < at)
      .map((name) => `${name} is given twice`),
    ...FIELDS.filter(({ name, required }) => required && !header.includes(name)).map(
      ({ name }) => `${name} is missing`,
    ),
  ];
  if (problems.length === 0) return header;
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `${file}: line 1: the column ${problem}`);
  throw new CsvPetsError(`${shown.join('\n')}\n${file}: the first line names the columns: ${NAMES.join(',')}`);
}

/** Cells without a column, and a line that ends before a column that each pet needs. */
function misplacedIn(columns: readonly string[], { record, info }: CsvRow): string[] {
  const isCut = columns.slice(record.length).some((name) => FIELDS.some((each) => each.name === name && each.required));
  const isLong = record.slice(columns.length).some((cell) => cell !== '');
  return isCut || isLong
    ? [`line ${info.lines} has ${record.length} cells, and the first line names ${columns.length} columns`]
    : [];
}

/** Integers that are not in plain digits: to JSON, `9.22E+18` is an integer too, and another one than what was entered. */
const reformattedIn = (columns: readonly string[], { record, info }: CsvRow): string[] =>
  columns.flatMap((name, at) => {
    const cell = record[at] ?? '';
    if (cell === '' || /^-?(?:0|[1-9]\d*)$/.test(cell) || !INTEGERS.includes(name)) return [];
    const why = /^[-+]?\d[\d.,'\s]*(?:e[-+]?\d+)?$/i.test(cell)
      ? '. A spreadsheet may have rounded it: format the column as text, enter the number again, and save again'
      : '';
    return [`line ${info.lines}/${name} ${isAndSent('an integer in plain digits', quoted(cell))}${why}`];
  });

function petOfRow(columns: readonly string[], cells: readonly string[]): JsonObject {
  const members = columns.flatMap((name, at) => {
    const field = FIELDS.find((each) => each.name === name) as Field;
    const cell = cells[at] ?? '';
    return cell === '' && !field.required ? [] : [[name, valueOfText(field, cell)] as const];
  });
  return Object.fromEntries(members);
}
